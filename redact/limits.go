package redact

import "bytes"

// limits are the sizes that decide what of a long line is held back.
type limits struct {
	// window is the longest line that is masked as a whole. A longer one
	// is cut, window bytes at a time.
	window int
	// keep is how much of a window is held back at a cut, for a secret that
	// began in it may go on.
	keep int
	// sight is how much of the text that was already passed on matchers still see, for
	// the name that precedes a value.
	sight int
	// minHalf is the least that another core is woken for: it takes some 200 µs to
	// mask. maxHalf is the most that it gets, and at least a window.
	minHalf, maxHalf int
}

// usual are the limits of a Writer.
var usual = limits{window: 64 << 10, keep: 16 << 10, sight: 1 << 10, minHalf: 256 << 10, maxHalf: 512 << 10}

// first returns the lines at the start of b that a window holds. No line of b is longer
// than a window.
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
