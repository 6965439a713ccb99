package redact

import (
	"bytes"
	"io"
)

// limits are the sizes that decide what of a long line is held back.
type limits struct {
	// window is the longest line that is looked at as a whole. A longer one
	// is cut by force, window bytes at a time.
	window int
	// keep is how much of a window is held back at a forced cut, for what
	// began in it may go on.
	keep int
	// sight is how much of what was already passed on stays in sight of the
	// matchers, for the name that precedes a value.
	sight int
	// minHalf is the least that another core is woken for: it takes some 200 µs to
	// mask. maxHalf is the most that it gets, and at least a window.
	minHalf, maxHalf int
}

var usual = limits{window: 64 << 10, keep: 16 << 10, sight: 1 << 10, minHalf: 256 << 10, maxHalf: 512 << 10}

// A Writer masks what is written to it and passes it on. Its output does not depend on
// how the input was cut into writes. A complete line is passed on in the same Write. An
// unfinished line is held back until its end or Close; once it has 64 KiB, all but its
// last 16 KiB is passed on. A Write of 512 KiB or more is masked on two cores. A Writer
// is not safe for concurrent use.
type Writer struct {
	dst io.Writer
	off bool // nothing is masked
	sc  *scanner
	lim limits
	err error

	tail []byte // an unfinished line, with what is left in sight before it
	seen int    // bytes of tail that were passed on already
	mid  bool   // tail is the continuation of a line that was cut

	begun bool      // the form of the text is known
	wide  *wideText // of one in UTF-16

	second *half // of a text that is long enough for two cores

	trial   *scanner // tries how the line may go on, for Settled
	settled []byte
}

// Write masks p and passes on what is decided. An error is the destination's; every
// later call returns it again.
func (w *Writer) Write(p []byte) (int, error) {
	if w.err != nil {
		return 0, w.err
	}
	if w.off {
		return w.dst.Write(p)
	}
	n := len(p)
	switch {
	case w.wide != nil:
		w.err = w.wide.write(p)
		p = nil
	case !w.begun && n > 0:
		p = w.begin(p)
	}
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

// lines takes the complete lines at the start of p, where no line is pending,
// and returns the rest.
func (w *Writer) lines(p []byte) []byte {
	if len(w.tail) > 0 || w.mid {
		return p
	}
	n := w.lim.whole(p)
	w.mask(p[:n])
	return p[n:]
}

// windows masks b, which consists of whole lines, a window at a time.
func (w *Writer) windows(b []byte) {
	for len(b) > 0 {
		c := w.lim.first(b)
		if !w.sc.lines(c) {
			w.send(c)
		}
		w.drain()
		b = b[len(c):]
	}
}

// first returns the lines at the start of b that a window holds; b has no longer one.
func (l limits) first(b []byte) []byte {
	if len(b) <= l.window {
		return b
	}
	return b[:bytes.LastIndexByte(b[:l.window], '\n')+1]
}

// whole returns the length of the complete lines at the start of p, up to the first
// that is longer than a window.
func (l limits) whole(p []byte) int {
	end := 0
	for {
		rest := p[end:]
		if len(rest) > l.window {
			rest = rest[:l.window]
		}
		i := bytes.LastIndexByte(rest, '\n')
		if i < 0 {
			return end
		}
		end += i + 1
	}
}

// grow adds the start of p to the unfinished line, decides what can be
// decided, and returns the rest of p.
func (w *Writer) grow(p []byte) []byte {
	if p = w.sc.skip(p); len(p) == 0 {
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

// finish decides the unfinished line.
func (w *Writer) finish() {
	switch {
	case w.mid:
		w.sc.part(w.tail, w.seen, len(w.tail), false, true)
	case !w.sc.lines(w.tail):
		w.send(w.tail)
	}
	w.tail, w.seen, w.mid = w.tail[:0], 0, false
}

// cut decides all but the last keep bytes of a line that fills the window.
func (w *Writer) cut() {
	to := w.sc.part(w.tail, w.seen, w.lim.window-w.lim.keep, !w.mid, false)
	from := max(0, to-w.lim.sight)
	w.seen = to - from
	w.tail = append(w.tail[:0], w.tail[from:]...)
	w.mid = true
	w.drain()
}

// direct is the least number of bytes that are passed on by themselves.
const direct = 4 << 10

// send passes b on as it is.
func (w *Writer) send(b []byte) {
	if len(b) < direct {
		w.sc.out = append(w.sc.out, b...)
		return
	}
	w.flush()
	if w.err == nil {
		_, w.err = w.dst.Write(b)
	}
}

// drain passes on what was masked where there is much of it.
func (w *Writer) drain() {
	if len(w.sc.out) >= w.lim.window/2 {
		w.flush()
	}
}

// flush passes on what was masked.
func (w *Writer) flush() {
	if len(w.sc.out) > 0 && w.err == nil {
		_, w.err = w.dst.Write(w.sc.out)
	}
	w.sc.out = w.sc.out[:0]
}

// Close masks and writes what was held back. It does not close the destination.
func (w *Writer) Close() error {
	if w.err == nil && !w.off {
		if len(w.tail) > 0 {
			w.finish()
		}
		w.flush()
		if w.wide != nil {
			w.err = w.wide.close(w.dst)
			w.wide = nil
		}
	}
	return w.err
}

// Trace sets a function that is called for each span as it is masked, before Write or
// Close returns.
func (w *Writer) Trace(f func(Finding)) { w.sc.trace = f }

// Counts returns how many spans each rule masked. It is complete after Close.
func (w *Writer) Counts() Counts { return w.sc.counts }
