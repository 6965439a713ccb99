package match

import (
	"cmp"
	"slices"

	"github.com/envwrap/envwrap/redact/internal/classify"
)

// A Span is a secret, Text[Start:End], and the rule that found it.
type Span struct {
	Start, End  int
	Rule        string
	NeedsQuotes bool // the mask does, in place of a number of JSON or a scalar of YAML
	Encoded     bool // a known value in base64
	Shows       classify.Feature
}

// Joins reports whether s and o overlap and are of one rule.
func (s *Span) Joins(o Span) bool {
	return s.Rule == o.Rule && s.Encoded == o.Encoded && s.Start < o.End && o.Start < s.End
}

// Union sorts spans and joins those that overlap or touch, under the name of the first.
func Union(spans []Span) []Span {
	if len(spans) < 2 {
		return spans
	}
	slices.SortStableFunc(spans, func(a, b Span) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End))
	})
	out := spans[:1]
	for _, s := range spans[1:] {
		last := &out[len(out)-1]
		if s.Start > last.End {
			out = append(out, s)
			continue
		}
		last.End, last.NeedsQuotes = max(last.End, s.End), last.NeedsQuotes && s.NeedsQuotes
	}
	return out
}
