package scan

import (
	"github.com/envwrap/envwrap/redact/internal/known"
	"github.com/envwrap/envwrap/redact/internal/literal"
	"github.com/envwrap/envwrap/redact/internal/match"
	"github.com/envwrap/envwrap/redact/internal/rules"
)

// A combined search finds the literals of the built-in rules and known values in one pass
// over a long text: the tables of the search for literals have windows of the known
// values, too.
type combined struct {
	known  *known.Set
	filter *literal.Searcher
}

// maxCombined is the most needles that are searched for along with the literals: with
// more, too many windows would be candidates.
const maxCombined = 512

// newCombined returns nil if the known values are better searched for by themselves.
func newCombined(k *known.Set) *combined {
	needles := k.Needles()
	if len(needles) == 0 || len(needles) > maxCombined {
		return nil
	}
	return &combined{k, literal.Builtin().With(needles, k.Step())}
}

// find appends the literals in b to hits and the known values to spans, both in order.
func (c *combined) find(hits []literal.Hit, spans []match.Span, b []byte, at *literal.Scratch) ([]literal.Hit, []match.Span) {
	first := len(hits)
	var r rules.Repetition
	for i := range c.filter.Candidates(b, at) {
		if !r.Copies(i) {
			hits = c.filter.Verify(hits, b, i)
			r.Note(hits, b, i)
		}
		if i+known.WindowSize <= len(b) {
			spans = c.known.At(spans, b, i)
		}
	}
	return rules.Sift(hits, first, b, &r), c.known.Finish(spans, b)
}
