package redact

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/value"
)

const (
	minSame  = 12  // the least length of a secret that is looked for again
	maxSame  = 512 // the greatest
	maxTwins = 4   // how many secrets of a line are
)

// markRepeats marks the secrets of the line where they are repeated on it, without
// a name or shape: the id that is the same as the key beside it.
func (v *view) markRepeats() {
	for _, s := range v.spans[v.known:min(len(v.spans), v.known+maxTwins)] {
		b := v.Text[s.start:s.end]
		if len(b) < minSame || len(b) > maxSame || !value.TraitsOf(b).Random(minSame) {
			continue
		}
		for i := v.Lo; ; i += len(b) {
			n := bytes.Index(v.Text[i:v.Hi], b)
			if n < 0 {
				break
			}
			if i += n; i != s.start {
				v.add(i, i+len(b), "")
			}
		}
	}
}
