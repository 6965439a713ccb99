package redact

import (
	"bytes"
	"runtime"
	"sync"
)

// mask masks b, which consists of whole lines. The second half of a long text is masked
// on another core. Its output is kept until the first half is done, so there is a limit
// to it.
func (w *Writer) mask(b []byte) {
	for len(b) > 0 {
		text := b[:min(len(b), 2*w.lim.maxHalf)]
		text = text[:bytes.LastIndexByte(text, '\n')+1]
		cut := bytes.LastIndexByte(text[:len(text)/2], '\n') + 1
		if min(cut, len(text)-cut) < w.lim.minHalf || w.sc.trace != nil || runtime.GOMAXPROCS(0) == 1 {
			w.windows(text)
		} else {
			w.halves(text[:cut], text[cut:])
		}
		b = b[len(text):]
	}
}

// halves masks two texts at the same time: the second as if nothing that goes on in it
// began or ended in the first, and once more where that was wrong.
func (w *Writer) halves(a, b []byte) {
	if w.second == nil {
		w.second = &half{sc: newScanner(w.sc.search.set)}
	}
	begin := w.sc.state
	var masked sync.WaitGroup
	masked.Go(func() { w.second.mask(b, begin, w.lim) })
	w.windows(a)
	masked.Wait()
	if w.sc.state == begin {
		w.join()
	} else {
		w.windows(b)
	}
}

// A half is the second half of a text, masked before it is known that it may be.
type half struct {
	sc    *scanner
	parts []part
}

// A part of a half is what it was, or where it is in the scanner's output.
type part struct {
	raw      []byte
	from, to int
}

func (h *half) mask(b []byte, begin state, lim limits) {
	h.sc.state, h.sc.out, h.parts = begin, h.sc.out[:0], h.parts[:0]
	clear(h.sc.counts)
	for len(b) > 0 {
		c := lim.first(b)
		p := part{raw: c, from: len(h.sc.out)}
		if h.sc.lines(c) {
			p.raw = nil
		}
		p.to = len(h.sc.out)
		h.parts = append(h.parts, p)
		b = b[len(c):]
	}
}

// join passes on the second half.
func (w *Writer) join() {
	h := w.second
	for _, p := range h.parts {
		if p.raw != nil {
			w.send(p.raw)
		} else {
			w.send(h.sc.out[p.from:p.to])
		}
		w.drain()
	}
	w.sc.state = h.sc.state
	for rule, n := range h.sc.counts {
		w.sc.counts[rule] += n
	}
}
