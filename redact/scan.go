package redact

import "bytes"

// A scanner masks a stream. Between lines it carries nothing but its state, so
// that what becomes of a line depends on that and on the line alone.
type scanner struct {
	r      *Redactor
	known  *knownSet
	rules  *ruleSet
	state  state
	counts Counts
	out    []byte // masked, to be written

	main, again sweep
	line, next  []byte // a masked line, while it is looked at again
}

// maxAgain bounds how often a masked line is looked at again. Each look that
// changes it leaves fewer bytes.
const maxAgain = 8

func newScanner(r *Redactor) *scanner { return &scanner{r: r, counts: Counts{}} }

// prepare makes the tables on the first byte.
func (s *scanner) prepare() {
	if s.known != nil {
		return
	}
	s.known = s.r.known()
	if s.r.mode == All {
		s.rules = builtin()
	}
}

// scan masks b[from:to] and appends it to out. What is before from is in sight
// but was passed on already. With eol, b consists of whole lines (or ends the
// stream) and to is its length; else b is a part of a line, mid tells that it
// is not its first, and what is behind to is in sight, too. It returns where
// it ended: beyond to where a span crosses it.
func (s *scanner) scan(b []byte, from, to int, mid, eol bool) int {
	s.prepare()
	w := &s.main
	w.load(s, b)
	text := w.text
	hits, known := w.hits, w.known
	done := from
	for i := 0; i < len(text); {
		// The next line with something in it.
		if !s.state.active() && !mid && eol {
			first := len(text)
			if len(hits) > 0 {
				first = hits[0].pos
			}
			if len(known) > 0 {
				first = min(first, known[0].start)
			}
			if first == len(text) {
				break
			}
			if first > i {
				i += bytes.LastIndexByte(text[i:first], '\n') + 1
			}
		}
		end := len(text)
		if n := bytes.IndexByte(text[i:], '\n'); n >= 0 {
			end = i + n + 1
		}
		nh, nk := 0, 0
		for nh < len(hits) && hits[nh].pos < end {
			nh++
		}
		for nk < len(known) && known[nk].start < end {
			nk++
		}
		v := view{text: text, lo: i, hi: end, cutLeft: mid, cutRight: !eol, rules: s.rules}
		if !eol {
			v.limit = to + reach
		} else {
			v.limit = end
		}
		before := s.state
		spans := v.spansOf(hits[:nh], known[:nk], &s.state, w.spans[:0])
		hits, known = hits[nh:], known[nk:]
		if !eol {
			return s.emitPart(b, w, spans, done, to)
		}
		if len(spans) > 0 || v.drop {
			lo, hi := w.gaps.before(i), w.gaps.before(end)
			if end == len(text) {
				hi = len(b)
			}
			lo = max(lo, done)
			s.out = append(s.out, b[done:lo]...)
			if !v.drop {
				s.line = s.render(s.line[:0], b, w, spans, lo, hi)
				if !mid {
					s.settle(before)
				}
				s.out = append(s.out, s.line...)
			}
			done = hi
		}
		w.spans = spans
		i, mid = end, false
	}
	s.out = append(s.out, b[done:to]...)
	return to
}

// emitPart masks b[from:to], part of a line.
func (s *scanner) emitPart(b []byte, w *sweep, spans []span, from, to int) int {
	n := 0
	for _, sp := range spans {
		start, end := w.gaps.after(sp.start), w.gaps.before(sp.end)
		if end <= from || start >= to {
			continue
		}
		spans[n] = sp
		n++
		to = max(to, end)
	}
	s.out = s.render(s.out, b, w, spans[:n], from, to)
	return to
}

// settle looks at a masked line again, and masks what shows only now, so that
// a second run changes nothing.
func (s *scanner) settle(before state) {
	for range maxAgain {
		w := &s.again
		w.load(s, s.line)
		st := before
		v := view{text: w.text, lo: 0, hi: len(w.text), limit: len(w.text), rules: s.rules}
		spans := v.spansOf(w.hits, w.known, &st, w.spans[:0])
		w.spans = spans
		if len(spans) == 0 {
			return
		}
		s.next = s.render(s.next[:0], s.line, w, spans, 0, len(s.line))
		s.line, s.next = s.next, s.line
	}
}

// render appends raw[from:to] to dst with spans, which are of the stripped
// text, masked. Colour codes within a span stay, behind the mask.
func (s *scanner) render(dst, raw []byte, w *sweep, spans []span, from, to int) []byte {
	for _, sp := range spans {
		start, end := w.gaps.after(sp.start), w.gaps.before(sp.end)
		if end <= from {
			continue
		}
		if start > from {
			dst = append(dst, raw[from:start]...)
		}
		if bare(w.text, sp) {
			dst = append(dst, '"')
			dst = append(dst, Mask...)
			dst = append(dst, '"')
		} else {
			dst = append(dst, Mask...)
		}
		dst = w.gaps.codes(dst, raw, sp.start, sp.end)
		s.counts[sp.rule]++
		from = end
	}
	if from < to {
		dst = append(dst, raw[from:to]...)
	}
	return dst
}

// end tells that nothing follows.
func (s *scanner) end() {
	s.state = state{}
}

// A sweep is what was found in a text at first sight.
type sweep struct {
	gaps  stripped
	text  []byte // without colour codes
	hits  []hit
	known []span
	spans []span
}

func (w *sweep) load(s *scanner, b []byte) {
	w.text = w.gaps.strip(b)
	w.hits = w.hits[:0]
	if s.rules != nil {
		w.hits = s.rules.filter.find(w.hits, w.text)
	}
	w.known = s.known.find(w.known[:0], w.text)
}
