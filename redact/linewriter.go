package redact

import (
	"bytes"
	"io"
	"runtime"
	"sync"

	"github.com/envwrap/envwrap/redact/internal/dump"
	"github.com/envwrap/envwrap/redact/internal/scan"
)

// A lineWriter masks a stream of lines and passes it on. Masked lines wait in the
// scanner's output, until there is much of it or a Write ends.
type lineWriter struct {
	dst io.Writer
	sc  *scan.Scanner
	lim limits
	err error // of dst: nothing is passed on after one

	tail []byte // an unfinished line, after the text that stays in sight before it
	seen int    // bytes of tail that were passed on already
	mid  bool   // tail is the continuation of a line that was cut

	second *speculativePass // of a text that is long enough for two cores
}

// Write masks p, which follows the text written before, and passes on as much as no later
// text can change.
func (w *lineWriter) Write(p []byte) (int, error) {
	n := len(p)
	p = w.lines(p)
	for len(p) > 0 {
		p = w.grow(p)
	}
	w.flush()
	if w.err != nil {
		return 0, w.err
	}
	return n, nil
}

// lines masks the complete lines at the start of p, unless a line is unfinished, and
// returns the rest.
func (w *lineWriter) lines(p []byte) []byte {
	if len(w.tail) > 0 || w.mid {
		return p
	}
	n := w.lim.whole(p)
	w.maskLines(p[:n])
	return p[n:]
}

// maskLines masks b, which consists of whole lines. The second half of a long text is masked
// on another core. Its output is kept until the first half is done, so there is a limit
// to it.
func (w *lineWriter) maskLines(b []byte) {
	for len(b) > 0 {
		text := b[:min(len(b), 2*w.lim.maxHalf)]
		text = text[:bytes.LastIndexByte(text, '\n')+1]
		cut := bytes.LastIndexByte(text[:len(text)/2], '\n') + 1
		if min(cut, len(text)-cut) < w.lim.minHalf || w.sc.Trace != nil || runtime.GOMAXPROCS(0) == 1 {
			w.windows(text)
		} else {
			w.maskHalves(text[:cut], text[cut:])
		}
		b = b[len(text):]
	}
}

// maskHalves masks two texts at the same time: the second as if nothing that goes on in it
// began or ended in the first, and once more if that was wrong.
func (w *lineWriter) maskHalves(a, b []byte) {
	if w.second == nil {
		w.second = &speculativePass{sc: w.sc.Another()}
	}
	begin := w.sc.State
	var masked sync.WaitGroup
	masked.Go(func() { w.second.mask(b, begin, w.lim) })
	w.windows(a)
	masked.Wait()
	if w.sc.State != begin || w.sc.Dumps != dump.Skip() {
		w.windows(b)
		return
	}
	w.second.each(func(b []byte) {
		w.send(b)
		w.drain()
	})
	w.second.addTo(w.sc)
}

// windows masks b, which consists of whole lines, a window at a time.
func (w *lineWriter) windows(b []byte) {
	for len(b) > 0 {
		c := w.lim.first(b)
		if !w.sc.Lines(c) {
			w.send(c)
		}
		w.drain()
		b = b[len(c):]
	}
}

// grow adds the start of p to the unfinished line, masks the line as far as that is
// decided, and returns the rest of p.
func (w *lineWriter) grow(p []byte) []byte {
	if p = w.sc.Skip(p); len(p) == 0 {
		return nil
	}
	n := min(w.lim.window-len(w.tail), len(p))
	end := bytes.IndexByte(p[:n], '\n') + 1
	if end > 0 {
		n = end
	}
	w.tail = append(w.tail, p[:n]...)
	p = p[n:]
	switch {
	case end > 0:
		w.finish()
		return w.lines(p)
	case len(w.tail) == w.lim.window:
		w.cut()
	}
	return p
}

// finish masks the unfinished line, which has ended.
func (w *lineWriter) finish() {
	switch {
	case w.mid:
		w.sc.Part(w.tail, w.seen, len(w.tail), false, true)
	case !w.sc.Lines(w.tail):
		w.send(w.tail)
	}
	w.tail, w.seen, w.mid = w.tail[:0], 0, false
}

// textLimits masks all but the last keep bytes of a line that fills the window.
func (w *lineWriter) cut() {
	to := w.sc.Part(w.tail, w.seen, w.lim.window-w.lim.keep, !w.mid, false)
	from := max(0, to-w.lim.sight)
	w.seen = to - from
	w.tail = append(w.tail[:0], w.tail[from:]...)
	w.mid = true
	w.drain()
}

// direct is the least number of bytes that are passed on without a copy.
const direct = 4 << 10

// send passes b on unchanged.
func (w *lineWriter) send(b []byte) {
	if len(b) < direct {
		w.sc.Out = append(w.sc.Out, b...)
		return
	}
	w.flush()
	if w.err == nil {
		_, w.err = w.dst.Write(b)
	}
}

// drain passes on the masked text if there is much of it.
func (w *lineWriter) drain() {
	if len(w.sc.Out) >= w.lim.window/2 {
		w.flush()
	}
}

// flush passes on the masked text.
func (w *lineWriter) flush() {
	if len(w.sc.Out) > 0 && w.err == nil {
		_, w.err = w.dst.Write(w.sc.Out)
	}
	w.sc.Out = w.sc.Out[:0]
}

// finishAll masks and passes on all that was held back.
func (w *lineWriter) finishAll() error {
	if len(w.tail) > 0 {
		w.finish()
	}
	w.flush()
	return w.err
}
