package redact

import "github.com/envwrap/envwrap/redact/internal/syntax"

// A scanner masks a stream. Between lines it carries nothing but its state, so
// that what becomes of a line depends on that and on the line alone.
type scanner struct {
	r      *Redactor
	at     *places // scratch space; nil before the first text that needs it
	known  *knownSet
	rules  *ruleSet
	user   *userSet
	state  state
	counts Counts
	out    []byte   // masked, to be written
	reach  int      // as in limits
	over   bool     // a secret reaches beyond the window that was cut
	inner  *scanner // of what is decoded
	trace  func(Finding)

	searched    int // bytes, for literals
	main, again sweep
	view        view
	marks       syntax.QuoteMarks
	line, next  []byte // a masked line, while it is looked at again
	decoder     decoder
}

// show puts text in front of the matchers.
func (s *scanner) show(text []byte) {
	v := &s.view
	*v = view{} // by itself: it is large, and need not be copied
	v.Show(text, &s.marks)
	v.limit = len(text)
}

// maxAgain bounds how often a masked line is looked at again. Each look that
// changes it leaves fewer bytes.
const maxAgain = 8

func newScanner(r *Redactor) *scanner {
	s := &scanner{r: r, counts: Counts{}, reach: usual.reach}
	s.decoder.finder, s.decoder.left = s, new(int)
	return s
}

// prepare makes the tables on the first byte.
func (s *scanner) prepare() {
	if s.known != nil {
		return
	}
	s.known = s.r.known()
	if s.r.mode == All {
		s.rules = builtin()
	}
	if s.r.user != nil {
		s.user = s.r.user()
	}
}

// lines masks b, which consists of whole lines, and appends it to out. It
// reports false, and appends nothing, where there is nothing to mask.
func (s *scanner) lines(b []byte) (changed bool) {
	s.prepare()
	w := &s.main
	w.load(s, b)
	done := 0
	for i := w.seek(0, s.state.active()); i < len(w.text); i = w.seek(i, s.state.active()) {
		end := w.lineEnd(i)
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

// oneLine looks at the line w.text[i:end]. Where there is something to mask it
// appends b from done to the line's end to out, and returns that end, else
// done.
func (s *scanner) oneLine(b []byte, done, i, end int) int {
	w, v, before := &s.main, &s.view, s.state
	s.show(w.text)
	v.Lo, v.Hi, v.limit = i, end, end
	w.spans = s.spansOf(w.take(end), &s.state, w.spans[:0])
	if len(w.spans) == 0 && !v.drop {
		return done
	}
	lo, hi := w.gaps.before(i), w.gaps.before(end)
	if end == len(w.text) {
		hi = len(b)
	}
	s.out = append(s.out, b[done:lo]...)
	if !v.drop {
		s.line = s.render(s.line[:0], b, w, w.spans, lo, hi)
		s.remask(before)
		s.out = append(s.out, s.line...)
	}
	return hi
}

// remask looks at a masked line again, and masks what shows only now, so that
// a second run changes nothing.
func (s *scanner) remask(before state) {
	w := &s.again
	for range maxAgain {
		w.load(s, s.line)
		st := before
		s.show(w.text)
		w.spans = s.spansOf(w.found, &st, w.spans[:0])
		if len(w.spans) == 0 {
			s.state = st.with(s.state)
			return
		}
		s.next = s.render(s.next[:0], s.line, w, w.spans, 0, len(s.line))
		s.line, s.next = s.next, s.line
	}
}

// part masks b[from:to], a part of a line, and appends it to out. What is
// before from is in sight but was passed on already; what is after to is in
// sight, too. first and last report whether the line begins and ends with b. It
// returns where it ended: beyond to where a span crosses it.
func (s *scanner) part(b []byte, from, to int, first, last bool) int {
	s.prepare()
	w, v := &s.main, &s.view
	w.load(s, b)
	s.show(w.text)
	v.cutLeft, v.cutRight = !first, !last
	if !last {
		v.limit = to
		to -= s.reach
	}
	spans := s.spansOf(w.found, &s.state, w.spans[:0])
	w.spans = spans
	n := 0
	for _, sp := range spans {
		start, end := w.gaps.after(sp.start), w.gaps.before(sp.end)
		if end <= from || start >= to {
			continue
		}
		spans[n] = sp
		n++
		to = max(to, end)
		s.over = !last && end == len(b)
	}
	s.out = s.render(s.out, b, w, spans[:n], from, to)
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
func (s *scanner) render(dst, raw []byte, w *sweep, spans []span, from, to int) []byte {
	for _, sp := range spans {
		start, end := w.gaps.after(sp.start), w.gaps.before(sp.end)
		if end <= from {
			continue
		}
		if start > from {
			dst = append(dst, raw[from:start]...)
		}
		if sp.bare {
			dst = append(dst, '"')
			dst = append(dst, Mask...)
			dst = append(dst, '"')
		} else {
			dst = append(dst, Mask...)
		}
		dst = w.gaps.codes(dst, raw, sp.start, sp.end)
		if sp.rule != "" {
			s.counts[sp.rule]++
			if s.trace != nil {
				s.trace(s.finding(w, sp))
			}
		}
		from = end
	}
	if from < to {
		dst = append(dst, raw[from:to]...)
	}
	return dst
}
