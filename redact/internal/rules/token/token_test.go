package token

import (
	"math/rand/v2"
	"testing"

	"github.com/envwrap/envwrap/redact/internal/match"
	"github.com/envwrap/envwrap/redact/internal/syntax"
)

// Each token matches its sample, to the end, and nothing shorter than its least length.
func TestMatch(t *testing.T) {
	for i := range Families {
		f := &Families[i]
		for k := range f.Tokens {
			tok := &f.Tokens[k]
			text := tok.Prefix + tok.Sample
			if n := matched(f, tok, text); n != len(text) {
				t.Errorf("%s: %d of the %d bytes of %q match", f.Rule, n, len(text), text)
			}
			if tok.Min < 1 {
				continue
			}
			if short := text[:len(tok.Prefix)+tok.Min-1]; matched(f, tok, short) != 0 {
				t.Errorf("%s: %q matches, and is too short", f.Rule, short)
			}
		}
	}
}

func matched(f *Family, tok *Token, text string) int {
	l := syntax.Line{}
	l.Show([]byte(text), &syntax.QuoteMarks{})
	return tok.Match(&l, f, 0)
}

// The row of tokens that is kept from one of them to the next changes no length.
func TestAdjacentAgain(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for i := range Families {
		f := &Families[i]
		text, starts := "", []int(nil)
		for len(text) < 2<<10 {
			tok := &f.Tokens[r.IntN(len(f.Tokens))]
			starts = append(starts, len(text))
			if text += tok.Prefix + tok.Sample; r.IntN(16) == 0 {
				starts = append(starts, len(text)) // where the row ends
				text += " "
			}
		}
		view := func() *match.View {
			v := &match.View{}
			v.Show([]byte(text), &syntax.QuoteMarks{})
			return v
		}
		read := view()
		for _, pos := range starts {
			if got, want := f.Adjacent(read, pos), f.Adjacent(view(), pos); got != want {
				t.Fatalf("%s: %d bytes at %d of %q, want %d", f.Rule, got, pos, text, want)
			}
		}
	}
}
