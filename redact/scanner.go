package redact

import "github.com/envwrap/envwrap/redact/internal/syntax"

// A scanner masks a stream. Between lines it carries nothing but its state, so
// that what becomes of a line depends on that and on the line alone.
type scanner struct {
	state  state
	counts Counts
	out    []byte // masked, to be written
	reach  int    // how far before the end of a part of a line a span may begin
	over   bool   // a secret reaches beyond the window that was cut
	trace  func(Finding)

	search  search
	decoder decoder
	inner   *scanner // of what is decoded

	view        view
	marks       syntax.QuoteMarks
	main, again candidates
	line, next  []byte // a masked line, while it is looked at again
}

// usualReach is the reach of a scanner.
const usualReach = 512

// newScanner returns a scanner that looks for what the set has.
func newScanner(set *set) *scanner {
	s := &scanner{counts: Counts{}, reach: usualReach}
	s.search.set = set
	s.decoder.finder, s.decoder.left = s, new(int)
	return s
}

// find loads c with b and where in it secrets may be.
func (s *scanner) find(c *candidates, b []byte) {
	s.search.in(c, b, s.decoder.harmless(), !s.decoder.innermost())
}

// show puts text in front of the matchers.
func (s *scanner) show(text []byte) {
	v := &s.view
	*v = view{} // by itself: it is large, and need not be copied
	v.Show(text, &s.marks)
	v.limit = len(text)
}
