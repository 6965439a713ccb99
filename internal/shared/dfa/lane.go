package dfa

import "bytes"

// A scanState is the position of the automaton in one text.
type scanState struct {
	b     []byte
	i     int   // how much of b was read
	state int32 // in which the automaton is there
	age   int   // of the Finder that the state is from
	end   ending
}

// An ending is how the reading of a lane ended.
type ending byte

const (
	running ending = iota
	nothing        // no line matches
	found          // the line of b[i] matches
	gaveUp         // at b[i]
)

// lineStart returns where the line that is being read begins.
func (l *scanState) lineStart() int { return bytes.LastIndexByte(l.b[:l.i], '\n') + 1 }

// advance takes transitions as long as they are known and lead to a state, and
// returns how many.
func (l *scanState) advance(next []int32, class *[256]uint8) int {
	state, n := l.state, 0
	for _, c := range l.b[l.i:] {
		to := next[int(state)+int(class[c])]
		if to < 0 {
			break
		}
		state = to
		n++
	}
	l.i += n
	l.state = state
	return n
}

// advance takes transitions in two lanes in turns, as long as those of both are
// known and lead to a state, and returns how many.
func advance(next []int32, class *[256]uint8, x, y *scanState) int {
	bx, by := x.b[x.i:], y.b[y.i:]
	bx, by = bx[:min(len(bx), len(by))], by[:min(len(bx), len(by))]
	sx, sy, n := x.state, y.state, 0
	for n < len(bx) && n < len(by) {
		tx, ty := next[int(sx)+int(class[bx[n]])], next[int(sy)+int(class[by[n]])]
		if tx|ty < 0 {
			break
		}
		sx, sy = tx, ty
		n++
	}
	x.i, y.i = x.i+n, y.i+n
	x.state, y.state = sx, sy
	return 2 * n
}
