package redact

import (
	"cmp"
	"slices"

	"github.com/envwrap/envwrap/redact/internal/classify"
)

// A span is a secret: text[start:end], found by rule.
type span struct {
	start, end int
	rule       string
	bare       bool // a number of JSON or a scalar of YAML, whose mask needs quotes
	coded      bool // a known value in base64
	shows      classify.Feature
}

// joins reports whether s and o are of one rule, and overlap.
func (s *span) joins(o span) bool {
	return s.rule == o.rule && s.coded == o.coded && s.start < o.end && o.start < s.end
}

// union sorts spans and makes one of those that overlap or touch, under the
// name of the first.
func union(spans []span) []span {
	if len(spans) < 2 {
		return spans
	}
	slices.SortStableFunc(spans, func(a, b span) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(b.end, a.end))
	})
	out := spans[:1]
	for _, s := range spans[1:] {
		last := &out[len(out)-1]
		if s.start > last.end {
			out = append(out, s)
			continue
		}
		last.end, last.bare = max(last.end, s.end), last.bare && s.bare
	}
	return out
}
