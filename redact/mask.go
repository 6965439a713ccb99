package redact

import "github.com/envwrap/envwrap/redact/internal/syntax"

// lines masks b, which consists of whole lines, and appends it to out. It
// reports false, and appends nothing, where there is nothing to mask.
func (s *scanner) lines(b []byte) (changed bool) {
	s.search.prepare()
	c := &s.main
	s.find(c, b)
	done := 0
	for i := c.seek(0, s.state.active()); i < len(c.text); i = c.seek(i, s.state.active()) {
		end := c.lineEnd(i)
		if next := s.oneLine(b, done, i, end); next > done {
			done, changed = next, true
		}
		i = end
	}
	if changed {
		s.out = append(s.out, b[done:]...)
	}
	return changed
}

// oneLine looks at the line c.text[i:end]. Where there is something to mask it
// appends b from done to the line's end to out, and returns that end, else
// done.
func (s *scanner) oneLine(b []byte, done, i, end int) int {
	c, v, before := &s.main, &s.view, s.state
	s.show(c.text)
	v.Lo, v.Hi, v.limit = i, end, end
	c.spans = s.spansOf(c.take(end), &s.state, c.spans[:0])
	if len(c.spans) == 0 && !v.drop {
		return done
	}
	lo, hi := c.codes.before(i), c.codes.before(end)
	if end == len(c.text) {
		hi = len(b)
	}
	s.out = append(s.out, b[done:lo]...)
	if !v.drop {
		s.line = s.render(s.line[:0], b, c, c.spans, lo, hi)
		s.remask(before)
		s.out = append(s.out, s.line...)
	}
	return hi
}

// maxAgain bounds how often a masked line is looked at again. Each look that
// changes it leaves fewer bytes.
const maxAgain = 8

// remask looks at a masked line again, and masks what shows only now, so that
// a second run changes nothing.
func (s *scanner) remask(before state) {
	c := &s.again
	for range maxAgain {
		s.find(c, s.line)
		st := before
		s.show(c.text)
		c.spans = s.spansOf(c.found, &st, c.spans[:0])
		if len(c.spans) == 0 {
			s.state = st.with(s.state)
			return
		}
		s.next = s.render(s.next[:0], s.line, c, c.spans, 0, len(s.line))
		s.line, s.next = s.next, s.line
	}
}

// part masks b[from:to], a part of a line, and appends it to out. What is
// before from is in sight but was passed on already; what is after to is in
// sight, too. first and last report whether the line begins and ends with b. It
// returns where it ended: beyond to where a span crosses it.
func (s *scanner) part(b []byte, from, to int, first, last bool) int {
	s.search.prepare()
	c, v := &s.main, &s.view
	s.find(c, b)
	s.show(c.text)
	v.cutLeft, v.cutRight = !first, !last
	if !last {
		v.limit = to
		to -= s.reach
	}
	spans := s.spansOf(c.found, &s.state, c.spans[:0])
	c.spans = spans
	n := 0
	for _, sp := range spans {
		start, end := c.codes.after(sp.start), c.codes.before(sp.end)
		if end <= from || start >= to {
			continue
		}
		spans[n] = sp
		n++
		to = max(to, end)
		s.over = !last && end == len(b)
	}
	s.out = s.render(s.out, b, c, spans[:n], from, to)
	return to
}

// skip returns b without what belongs to a secret that began before it.
func (s *scanner) skip(b []byte) []byte {
	if !s.over {
		return b
	}
	for i, c := range b {
		if syntax.EndsValue(c) {
			s.over = false
			return b[i:]
		}
	}
	return nil
}

// render appends raw[from:to] to dst with spans, which are of the stripped
// text, masked. Colour codes within a span stay, after the mask.
func (s *scanner) render(dst, raw []byte, c *candidates, spans []span, from, to int) []byte {
	for _, sp := range spans {
		start, end := c.codes.after(sp.start), c.codes.before(sp.end)
		if end <= from {
			continue
		}
		if start > from {
			dst = append(dst, raw[from:start]...)
		}
		if sp.bare {
			dst = append(dst, '"')
			dst = append(dst, mask...)
			dst = append(dst, '"')
		} else {
			dst = append(dst, mask...)
		}
		dst = c.codes.codes(dst, raw, sp.start, sp.end)
		if sp.rule != "" {
			s.counts[sp.rule]++
			if s.trace != nil {
				s.trace(s.finding(c, sp))
			}
		}
		from = end
	}
	if from < to {
		dst = append(dst, raw[from:to]...)
	}
	return dst
}
