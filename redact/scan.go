package redact

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"
)

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
	layer  int      // how many layers of encoding were looked through
	left   *int     // how much of what is compressed may still be unpacked for the line
	inner  *scanner // of what is decoded
	trace  func(Finding)

	main, again sweep
	view        view
	marks       quoteMarks
	line, next  []byte // a masked line, while it is looked at again

	unfolded, raw []byte // a line of a folded text with what came before it, and what it stands for
}

// show puts text in front of the matchers.
func (s *scanner) show(text []byte) {
	v := &s.view
	*v = view{} // by itself: it is large, and need not be copied
	v.text, v.hi, v.limit, v.rules, v.user = text, len(text), len(text), s.rules, s.user
	v.marks, v.sc = &s.marks, s
	v.marks.reset()
}

// maxAgain bounds how often a masked line is looked at again. Each look that
// changes it leaves fewer bytes.
const maxAgain = 8

func newScanner(r *Redactor) *scanner {
	return &scanner{r: r, counts: Counts{}, reach: usual.reach, left: new(int)}
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
	v.lo, v.hi, v.limit = i, end, end
	w.spans = v.spansOf(w.take(end), &s.state, w.spans[:0])
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
		s.settle(before)
		s.out = append(s.out, s.line...)
	}
	return hi
}

// settle looks at a masked line again, and masks what shows only now, so that
// a second run changes nothing.
func (s *scanner) settle(before state) {
	w, v := &s.again, &s.view
	for range maxAgain {
		w.load(s, s.line)
		st := before
		s.show(w.text)
		w.spans = v.spansOf(w.found, &st, w.spans[:0])
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
// sight, too. first and last tell whether the line begins and ends with b. It
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
	spans := v.spansOf(w.found, &s.state, w.spans[:0])
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
		if stops(c) {
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

// noSecret returns what reports whether an address has no secret in it, nil in the
// innermost layer.
func (s *scanner) noSecret() func(address []byte) bool {
	if s.layer >= maxLayers {
		return nil
	}
	return func(address []byte) bool {
		_, secret := s.inside(address)
		return !secret
	}
}

// found is what was found in a text, or a part of it, at first sight.
type found struct {
	hits  []hit  // literals of the built-in rules
	user  []hit  // keywords of a user's rules
	known []span // known values
	runs  []span // that may be an encoded text
}

// A sweep is a text and what was found in it.
type sweep struct {
	gaps  stripped
	text  []byte // without colour codes
	found found
	rest  found // what was not taken yet
	spans []span
	every bool // each line is to be looked at
}

// scratch returns what the prefilter notes places of b in, nil if b is short.
func (s *scanner) scratch(b []byte) *places {
	if s.at == nil && len(b) > shortText {
		s.at = new(places)
	}
	return s.at
}

func (w *sweep) load(s *scanner, b []byte) {
	w.text = w.gaps.strip(b, s.noSecret())
	f := &w.found
	f.hits, f.user, f.known, f.runs = f.hits[:0], f.user[:0], f.known[:0], f.runs[:0]
	switch j := s.together(len(w.text)); {
	case j != nil:
		f.hits, f.known = j.find(f.hits, f.known, w.text, s.scratch(w.text))
	case s.rules != nil:
		f.hits = s.rules.find(f.hits, w.text, s.scratch(w.text))
		fallthrough
	default:
		f.known = s.known.find(f.known, w.text)
	}
	if s.layer < maxLayers {
		least := minRun
		if s.rules == nil {
			least = minKnownRun
		}
		f.runs = findRuns(f.runs, w.text, least)
	}
	f.takePacked(w.text)
	if s.user != nil {
		f.user = s.user.filter.find(f.user, w.text, s.scratch(w.text))
		w.every = len(s.user.always) > 0
	}
	w.rest = *f
}

// takePacked makes runs of what is not known but compressed, from the first mark in
// each.
func (f *found) takePacked(b []byte) {
	n, before, end := 0, len(f.runs), 0
	for _, s := range f.known {
		if s.rule != rulePacked {
			f.known[n] = s
			n++
			continue
		}
		if s.start < end {
			continue
		}
		of := class(runByte)
		if b[s.start] == '%' {
			of = escapedPart | plus
		}
		end = s.start + run(b[s.start:], of)
		f.runs = append(f.runs, span{start: s.start, end: end})
	}
	f.known = f.known[:n]
	if len(f.runs) > before {
		slices.SortFunc(f.runs, func(a, b span) int { return cmp.Compare(a.start, b.start) })
	}
}

// together returns what finds known values along with literals in a text of n bytes,
// or nil.
func (s *scanner) together(n int) *joint {
	if s.r.joint == nil || n <= shortText {
		return nil
	}
	return s.r.joint()
}

// seek finds the line at or after i that is to be looked at: the next one, or
// the next with something in it. It returns the end of the text where there is
// none.
func (w *sweep) seek(i int, next bool) int {
	if next || w.every {
		return i
	}
	first := len(w.text)
	if len(w.rest.hits) > 0 {
		first = w.rest.hits[0].pos
	}
	if len(w.rest.user) > 0 {
		first = min(first, w.rest.user[0].pos)
	}
	if len(w.rest.known) > 0 {
		first = min(first, w.rest.known[0].start)
	}
	if len(w.rest.runs) > 0 {
		first = min(first, w.rest.runs[0].start)
	}
	if first >= len(w.text) || first <= i {
		return max(i, first)
	}
	return i + lastLine(w.text[i:first])
}

// lastLine returns where the last line of b begins.
func lastLine(b []byte) int {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	n := len(b)
	for ; n >= 8; n -= 8 {
		x := binary.LittleEndian.Uint64(b[n-8:]) ^ '\n'*ones
		if (x-ones)&^x&tops != 0 {
			break // one of the eight is a newline
		}
	}
	for n > 0 && b[n-1] != '\n' {
		n--
	}
	return n
}

// lineEnd returns the end of the line that begins at i, after its newline.
func (w *sweep) lineEnd(i int) int {
	if n := bytes.IndexByte(w.text[i:], '\n'); n >= 0 {
		return i + n + 1
	}
	return len(w.text)
}

// take returns what was found before end and not yet taken.
func (w *sweep) take(end int) found {
	var f found
	r := &w.rest
	f.hits, r.hits = splitHits(r.hits, end)
	f.user, r.user = splitHits(r.user, end)
	f.known, r.known = splitSpans(r.known, end)
	f.runs, r.runs = splitSpans(r.runs, end)
	return f
}

// splitSpans cuts spans at the first that does not begin before end.
func splitSpans(spans []span, end int) (before, rest []span) {
	n := 0
	for n < len(spans) && spans[n].start < end {
		n++
	}
	return spans[:n], spans[n:]
}

// splitHits cuts hits at the first that is not before end.
func splitHits(hits []hit, end int) (before, rest []hit) {
	n := 0
	for n < len(hits) && hits[n].pos < end {
		n++
	}
	return hits[:n], hits[n:]
}

// A Finding is a span that was masked.
type Finding struct {
	Rule string
	// Shows lists the features of the value that decided, for a rule that judges by
	// names.
	Shows string
	// Name is the word for a secret that precedes the span, as in password=x, or "".
	Name string
	// Column is the position of the span's first byte in its line, in bytes from 1,
	// colour codes not counted. It is 0 if unknown: the line is very long, or the span
	// was found only after others had been masked.
	Column int
}

// finding describes the span sp of w.
func (s *scanner) finding(w *sweep, sp span) Finding {
	f := Finding{Rule: sp.rule, Shows: featureTable[sp.shows].says}
	line := w.text[bytes.LastIndexByte(w.text[:sp.start], '\n')+1 : sp.start]
	if w == &s.main && !s.view.cutLeft {
		f.Column = len(line) + 1
	}
	end := len(line)
	for end > 0 && len(line)-end < maxOperator && !is(line[end-1], alnum) {
		end--
	}
	start := end - runBack(line[:end], word|dash|dot)
	if strengthOf(line[start:end], nil) < vague {
		return f
	}
	at := sp.start - len(line)
	for _, o := range w.spans {
		if o.start < at+end && at+start < o.end {
			return f // it is masked, too
		}
	}
	f.Name = string(line[start:end])
	return f
}

// maxOperator is how much there may be between a name and its value.
const maxOperator = 8
