package syntax

import (
	"math/rand/v2"
	"testing"
)

// What was read for one call does not change what is found for the next.
func TestNextArgumentAgain(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		text := make([]byte, 2*maxCall)
		signs := `aaaa((([{`
		if r.IntN(2) == 0 {
			signs = `aaaaaaaa([{)]},"` + "`"
		}
		for i := range text {
			text[i] = signs[r.IntN(len(signs))]
		}
		read := lineOf(string(text))
		for i := 0; i < len(text); i += r.IntN(40) - 2 {
			i = max(i, 0)
			if got, want := read.NextArgument(i), lineOf(string(text)).NextArgument(i); got != want {
				t.Fatalf("%q: argument after %d: %d, want %d", text, i, got, want)
			}
		}
	}
}
