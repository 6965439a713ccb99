package scan

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/dump"
	"github.com/envwrap/envwrap/redact/internal/match"
	"github.com/envwrap/envwrap/redact/internal/syntax"
)

// Lines masks b, which consists of whole lines, and appends it to Out. It reports false,
// and appends nothing, if there is nothing to mask.
func (s *Scanner) Lines(b []byte) (changed bool) {
	s.search.prepare()
	c := &s.main
	s.findLines(c, b)
	s.same.text = nil
	done := 0
	for i := c.seek(0, s.State.Active()); i < len(c.text); i = c.seek(i, s.State.Active()) {
		end := c.lineEnd(i)
		if next := s.oneLine(b, done, i, end); next > done {
			done, changed = next, true
		}
		i = end
	}
	if changed {
		s.Out = append(s.Out, b[done:]...)
	}
	return changed
}

// oneLine masks the line c.text[i:end] of b. If it has a secret, oneLine appends b from
// done to the line's end to Out and returns that end, else done.
func (s *Scanner) oneLine(b []byte, done, i, end int) int {
	c, v, before := &s.main, &s.view, s.State
	f, text := c.take(end), c.text[i:end]
	alone := len(f.known)+len(f.user)+len(f.runs) == 0
	lo, hi := c.codes.RawBefore(i), c.codes.RawBefore(end)
	if end == len(c.text) {
		hi = len(b)
	}
	alone = alone && hi-lo == end-i && s.Trace == nil
	if alone && before == s.same.before && bytes.Equal(text, s.same.text) {
		return s.repeatLine(b, done, lo, hi)
	}
	s.line, s.same.rules = s.line[:0], s.same.rules[:0]
	s.show(c.text)
	v.Lo, v.Hi, v.Limit = i, end, end
	c.spans = s.spansOf(f, &s.State, c.spans[:0])
	if len(c.spans) == 0 && !v.Drop {
		s.remember(alone, false, text, before)
		return done
	}
	s.Out = append(s.Out, b[done:lo]...)
	if !v.Drop {
		s.line = s.render(s.line, b, c, c.spans, lo, hi)
		s.remask(before)
		s.Out = append(s.Out, s.line...)
	}
	s.remember(alone, true, text, before)
	return hi
}

// A sameLine is a line that was searched, with the states before and after it. If something
// was found, it has the masked line and the rules.
type sameLine struct {
	text, masked  []byte
	before, after match.State
	found         bool
	rules         []string
}

// remember notes the line text, unless the next that is the same has to be searched, too.
func (s *Scanner) remember(alone, found bool, text []byte, before match.State) {
	l := &s.same
	if l.text = nil; alone {
		l.text, l.before, l.after, l.found = text, before, s.State, found
		l.masked = append(l.masked[:0], s.line...)
	}
}

// repeatLine does for b[lo:hi], which is the same line as the last, what oneLine did.
func (s *Scanner) repeatLine(b []byte, done, lo, hi int) int {
	s.State = s.same.after
	if !s.same.found {
		return done
	}
	s.Out = append(append(s.Out, b[done:lo]...), s.same.masked...)
	for _, rule := range s.same.rules {
		s.Counts[rule]++
	}
	return hi
}

// maxAgain is how often a masked line is searched again. Each search that finds something
// leaves fewer bytes.
const maxAgain = 8

// remask searches a masked line again, and masks the secrets that are found only now, so
// that a second run changes nothing. before is the state before the line.
func (s *Scanner) remask(before match.State) {
	c := &s.again
	for range maxAgain {
		s.find(c, s.line)
		st := before
		s.show(c.text)
		c.spans = s.spansOf(c.found, &st, c.spans[:0])
		if len(c.spans) == 0 {
			s.State = st.With(s.State)
			return
		}
		s.next = s.render(s.next[:0], s.line, c, c.spans, 0, len(s.line))
		s.line, s.next = s.next, s.line
	}
}

// Part masks b[from:to], a part of a line, and appends it to Out. Matchers see all of b;
// the bytes before from were passed on already. first and last report whether the line
// begins and ends with b. Part returns the end of the part: past to where a secret crosses
// it.
func (s *Scanner) Part(b []byte, from, to int, first, last bool) int {
	s.search.prepare()
	c, v := &s.main, &s.view
	s.same.rules = s.same.rules[:0]
	s.Dumps = dump.Skip()
	s.find(c, b)
	s.show(c.text)
	v.CutLeft, v.CutRight = !first, !last
	if !last {
		v.Limit = to
		to -= s.Reach
	}
	spans := s.spansOf(c.found, &s.State, c.spans[:0])
	c.spans = spans
	n := 0
	for _, sp := range spans {
		start, end := c.codes.RawAfter(sp.Start), c.codes.RawBefore(sp.End)
		if end <= from || start >= to {
			continue
		}
		spans[n] = sp
		n++
		to = max(to, end)
		s.over = !last && end == len(b)
	}
	s.Out = s.render(s.Out, b, c, spans[:n], from, to)
	return to
}

// Skip returns b without the rest of a secret that began before it.
func (s *Scanner) Skip(b []byte) []byte {
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

// render appends raw[from:to] to dst with the spans, which are offsets in c.text, masked.
// Colour codes within a span are kept, after the mask.
func (s *Scanner) render(dst, raw []byte, c *candidates, spans []match.Span, from, to int) []byte {
	for _, sp := range spans {
		start, end := c.codes.RawAfter(sp.Start), c.codes.RawBefore(sp.End)
		if end <= from {
			continue
		}
		if start > from {
			dst = append(dst, raw[from:start]...)
		}
		if sp.NeedsQuotes {
			dst = append(dst, '"')
			dst = append(dst, match.Mask...)
			dst = append(dst, '"')
		} else {
			dst = append(dst, match.Mask...)
		}
		dst = c.codes.AppendCodes(dst, raw, sp.Start, sp.End)
		if sp.Rule != "" {
			s.Counts[sp.Rule]++
			s.same.rules = append(s.same.rules, sp.Rule)
			if s.Trace != nil {
				s.Trace(describe(c, sp, c == &s.main && !s.view.CutLeft))
			}
		}
		from = end
	}
	if from < to {
		dst = append(dst, raw[from:to]...)
	}
	return dst
}
