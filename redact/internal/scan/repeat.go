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
	for _, s := range v.Spans[known:min(len(v.Spans), known+maxRepeated)] {
		b := v.Text[s.Start:s.End]
		if len(b) < minRepeated || len(b) > maxRepeatedLen || !value.TraitsOf(b).Random(minRepeated) {
			continue
		}
		for i := v.Lo; ; i += len(b) {
			n := bytes.Index(v.Text[i:v.Hi], b)
			if n < 0 {
				break
			}
			if i += n; i != s.Start {
				v.Add(i, i+len(b), "")
			}
		}
	}
}
