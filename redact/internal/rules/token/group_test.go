package token

import (
	"strings"
	"testing"

	"github.com/envwrap/envwrap/redact/internal/ascii"
)

// A token cut by the end of its line is not masked, whatever the next line has.
func TestQuickStaysOnItsLine(t *testing.T) {
	for _, g := range Groups {
		for _, r := range g.tokens {
			f, tok := r.get()
			if tok.Min < 3 {
				continue
			}
			b := []byte(tok.Prefix + tok.Sample[:tok.Min-2] + "\n" + strings.Repeat(tok.Sample, 2))
			if tok.Quick(b, len(tok.Prefix), new(SeenRuns)) {
				t.Errorf("%s: %q is taken for a token", f.Rule, tok.Prefix)
			}
		}
	}
}

// Quick finds no token if one of the bytes that Follow requires is of another class.
func TestFollow(t *testing.T) {
	for _, g := range Groups {
		k, least := g.Follow(0)
		for _, r := range g.tokens {
			f, tok := r.get()
			for i := range least {
				b := []byte(tok.Prefix + strings.Repeat(tok.Sample, 2))
				if !ascii.Is(b[len(tok.Prefix)+i], k) {
					t.Errorf("%s: byte %d of %q after %q is not of the class that Follow returns", f.Rule, i, tok.Sample, tok.Prefix)
				}
				b[len(tok.Prefix)+i] = '\n'
				if g.Quick(b, 0, new(SeenRuns)) {
					t.Errorf("%s: %q is taken for a token", f.Rule, b)
				}
			}
		}
	}
}
