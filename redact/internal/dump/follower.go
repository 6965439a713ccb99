package dump

import "github.com/envwrap/envwrap/redact/internal/match"

// A lane is the state of one way to read lines.
type lane struct {
	node int32  // the longest beginning of a value that ends what was read
	acc  uint32 // bits of a byte that is not complete
	bits uint8
}

// A follower follows values in the bytes that are read of a line.
type follower struct {
	lane
	values *Values
	starts []int // where each byte of the line is written
	last   int   // end of the last
	spans  []match.Span
	begin  int  // of the characters of a byte that is not complete, -1 without one
	behind bool // a value began before the line
}

// put adds a byte that is written in the text from start to end. Zeros, as UTF-16 has them,
// and line ends are left out.
func (s *follower) put(c byte, start, end int) {
	if c == 0 || c == '\n' || c == '\r' {
		return
	}
	s.starts, s.last = append(s.starts, start), end
	s.node = s.values.after(s.node, c)
	if n := &s.values.nodes[s.node]; n.whole > 0 {
		s.add(int(n.whole), end, s.values.rules[n.rule])
	}
}

// putBits adds n bits of what is written in the text from start to end.
func (s *follower) putBits(x uint32, n uint8, start, end int) {
	s.acc = s.acc<<n | x
	if s.begin < 0 {
		s.begin = start
	}
	if s.bits += n; s.bits >= 8 {
		s.bits -= 8
		s.put(byte(s.acc>>s.bits), s.begin, end)
		if s.begin = start; s.bits == 0 {
			s.begin = -1
		}
	}
	s.acc &= 1<<s.bits - 1
}

// add adds a span for the last n bytes, as far as they are on the line, up to end.
func (s *follower) add(n, end int, rule string) {
	s.behind = s.behind || n > len(s.starts)
	sp := match.Span{Start: s.starts[max(0, len(s.starts)-n)], End: end, Rule: rule}
	if last := len(s.spans) - 1; last >= 0 && s.spans[last].End > sp.Start && s.spans[last].Start <= sp.Start {
		s.spans[last].End = max(end, s.spans[last].End)
		return
	}
	s.spans = append(s.spans, sp)
}
