package redact

import (
	"bytes"
	"io"
)

const (
	// window is the longest line that is looked at as a whole. A longer one
	// is cut by force, window bytes at a time.
	window = 64 << 10
	// keep is how much of a window is held back at a forced cut, for what
	// began in it may go on.
	keep = 16 << 10
	// behind is how much of what was already passed on stays in sight of the
	// matchers, for the name that stands before a value.
	behind = 1 << 10
	// reach is how far before the place where a matcher was called a span may
	// begin.
	reach = 512
)

// A Writer masks what is written to it and passes it on. What comes out never
// depends on how the input was cut into writes: a complete line is passed on
// in the same Write, an unfinished one is held back until its end, until
// Close, or until it has 64 KiB, when all but its last 16 KiB is decided. A
// Writer is not safe for concurrent use.
type Writer struct {
	dst io.Writer
	sc  *scanner
	err error

	tail []byte // an unfinished line, with what is left in sight before it
	seen int    // bytes of tail that were passed on already
	mid  bool   // tail is the continuation of a line that was cut
}

// Write masks p and passes on what is decided. The error is the
// destination's, and stays.
func (w *Writer) Write(p []byte) (int, error) {
	if w.err != nil {
		return 0, w.err
	}
	if w.sc.r.mode == Off {
		return w.dst.Write(p)
	}
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

// lines takes the complete lines at the start of p, where no line is pending,
// and returns the rest.
func (w *Writer) lines(p []byte) []byte {
	if len(w.tail) > 0 || w.mid {
		return p
	}
	n := whole(p)
	for chunk := p[:n]; len(chunk) > 0; {
		c := chunk
		if len(c) > window {
			c = c[:bytes.LastIndexByte(c[:window], '\n')+1]
		}
		w.pass(c, 0, len(c), true)
		chunk = chunk[len(c):]
	}
	return p[n:]
}

// whole is the length of the complete lines at the start of p, up to the first
// that is longer than a window.
func whole(p []byte) int {
	end := 0
	for {
		rest := p[end:]
		if len(rest) > window {
			rest = rest[:window]
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
	n := min(window-len(w.tail), len(p))
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
	case len(w.tail) == window:
		w.cut()
	}
	return p
}

// finish decides the unfinished line.
func (w *Writer) finish() {
	w.pass(w.tail, w.seen, len(w.tail), true)
	w.tail, w.seen, w.mid = w.tail[:0], 0, false
}

// cut decides all but the last keep bytes of a line that fills the window.
func (w *Writer) cut() {
	to := w.pass(w.tail, w.seen, window-keep-reach, false)
	from := max(0, to-behind)
	w.seen = to - from
	w.tail = append(w.tail[:0], w.tail[from:]...)
	w.mid = true
}

// pass masks b[from:to] and sends it on. It returns where it ended, which is
// beyond to where a span crosses it.
func (w *Writer) pass(b []byte, from, to int, eol bool) int {
	to = w.sc.scan(b, from, to, w.mid, eol)
	if len(w.sc.out) > window {
		w.flush()
	}
	return to
}

func (w *Writer) flush() {
	if len(w.sc.out) == 0 {
		return
	}
	if w.err == nil {
		_, w.err = w.dst.Write(w.sc.out)
	}
	w.sc.out = w.sc.out[:0]
}

// Close writes what was held back.
func (w *Writer) Close() error {
	if w.err == nil && w.sc.r.mode != Off {
		if len(w.tail) > 0 {
			w.finish()
		}
		w.sc.end()
		w.flush()
	}
	return w.err
}

// Counts is what was masked; call it after Close.
func (w *Writer) Counts() Counts { return w.sc.counts }
