package scan

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/match"
	"github.com/envwrap/envwrap/redact/internal/value"
)

const (
	minRepeated    = 12  // the least length of a secret that is looked for again
	maxRepeatedLen = 512 // the greatest
	maxRepeated    = 4   // how many secrets of a line are
)

// markRepeats adds spans for repetitions of the line's secrets on it, without a name or
// form, such as an id that is the same as the key beside it. The first known spans are of
// known values, which are found everywhere.
func markRepeats(v *match.View, known int) {
	found := v.Spans[known:]
	for k, s := range found[:min(len(found), maxRepeated)] {
		b := v.Text[s.Start:s.End]
		if k > 0 && bytes.Equal(b, v.Text[found[k-1].Start:found[k-1].End]) || len(b) < minRepeated || len(b) > maxRepeatedLen || !value.TraitsOf(b).Random(minRepeated) {
			continue
		}
		for i, next := v.Lo, 0; ; i += len(b) {
			n := bytes.Index(v.Text[i:v.Hi], b)
			if n < 0 {
				break
			}
			i += n
			for next < len(found) && found[next].Start < i {
				next++
			}
			if next == len(found) || found[next].Start > i || found[next].End < i+len(b) {
				v.Add(i, i+len(b), "")
			}
		}
	}
}
