// Package dump finds known values in the output of programs that list bytes over several
// lines, of any width: base64, base32, xxd, hexdump, od, arrays of numbers.
package dump

import (
	"bytes"
	"math/bits"

	"github.com/envwrap/envwrap/redact/internal/match"
)

const (
	// Near is how much of the beginning of a stream is searched. Each line there is looked
	// at by itself, which would take too long for all of a long text.
	Near = 64 << 10
	// minShown is the least part of a value, at the end of a line, that is masked before
	// the rest of the value is seen.
	minShown = 3
)

// A State is what a line leaves to the next: where each way to read the lines is in a
// value, and how many bytes of the stream were searched.
type State struct {
	seen  int
	lanes [ways]lane
}

// Skip returns the state after a text that was not searched, of which more than Near bytes
// are before what follows.
func Skip() State { return State{seen: Near} }

// A Reader reads lines. It keeps only memory to be used again.
type Reader struct {
	l        line
	follower follower
}

// Find appends to spans the parts of values in b, which consists of whole lines, and sets
// st to the state after them.
func (r *Reader) Find(spans []match.Span, values func() *Values, st *State, b []byte) []match.Span {
	for i := 0; i < len(b) && st.seen < Near; {
		end := len(b)
		if n := bytes.IndexByte(b[i:], '\n'); n >= 0 {
			end = i + n + 1
		}
		spans = r.line(spans, values, st, b, i, end)
		st.seen = min(Near, st.seen+end-i)
		i = end
	}
	if st.seen == Near {
		*st = Skip()
	}
	return spans
}

// line appends the parts of values in the line b[start:end].
func (r *Reader) line(spans []match.Span, values func() *Values, st *State, b []byte, start, end int) []match.Span {
	l := &r.l
	if l.trim(b[:end], start); l.start == len(l.text) {
		return spans // an empty line may be between others
	}
	before := st.lanes
	st.lanes = [ways]lane{}
	if l.ordinary() {
		return spans
	}
	l.split()
	of := l.readings()
	if of == 0 {
		return spans
	}
	s := &r.follower
	for s.values = values(); of != 0; of &= of - 1 {
		w := reading(bits.TrailingZeros16(of))
		s.lane, s.starts, s.spans, s.begin, s.behind = before[w], s.starts[:0], s.spans[:0], -1, false
		begun := s.values.nodes[s.node].depth
		l.read(w, s)
		st.lanes[w] = s.lane
		if len(s.starts) == 0 {
			continue
		}
		if last := &s.values.nodes[s.node]; last.depth >= minShown {
			s.add(int(last.depth), max(l.end, s.last), s.values.rules[last.rule])
		}
		for _, sp := range s.spans {
			goesOn := s.behind && sp.Start == s.starts[0]
			if w == text && (!goesOn || begun+int32(len(s.starts)) < minText(len(s.starts))) {
				continue // a value on one line is found by itself
			}
			if l.column > 0 {
				sp.End = len(l.text) // the text beside the bytes has the value, too
			}
			if goesOn && begun >= minShown && w != text {
				sp.Rule = "" // counted with the line before
			}
			sp.NeedsQuotes = w == decimals && l.commas
			spans = append(spans, sp)
		}
	}
	return spans
}

// minText returns the least part of a value on lines of a text, of n characters, that is
// masked: words of other texts may be the beginning of a value.
func minText(n int) int32 {
	if n <= 2 {
		return 4
	}
	return 6
}
