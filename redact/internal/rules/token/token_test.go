package token

import (
	"testing"

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
