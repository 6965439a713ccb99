package mnemonic

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/match"
	"github.com/envwrap/envwrap/redact/internal/value"
)

// FindNamed finds the words of a seed of a wallet (BIP 39) after a name for them at
// pos: on the line, in quotes or not, or alone on the next.
func FindNamed(v *match.View, pos int) {
	i := pos + ascii.Run(v.Text[pos:v.Hi], ascii.Alpha|ascii.Under|ascii.Dash)
	if ascii.HasFold(v.Text[i:v.Hi], " phrase") {
		i += len(" phrase")
	}
	for end := min(v.Hi, i+nearPhrase); i < end; {
		if ascii.Is(v.Text[i], ascii.Lower) && !ascii.Is(v.Text[i-1], ascii.Alpha) {
			if n := value.SeedPhrase(v.Text[i:v.Hi]); n > 0 {
				v.Add(i, i+n, match.RuleMnemonic)
				return
			}
		}
		i++
	}
	if len(bytes.TrimRight(v.Text[i:v.Hi], " \t\r:=-|>\"'`")) == 0 && !v.CutRight {
		v.Next.Mnemonic = phraseLines
	}
}

const (
	nearPhrase  = 32 // how far after its name a phrase may begin
	phraseLines = 2  // on which it may come
)

// FindBelow looks for a seed phrase that is all of the line.
func FindBelow(v *match.View, lines uint8) {
	i := v.Margin()
	for i < v.Hi && !ascii.Is(v.Text[i], ascii.Lower) {
		i++
	}
	if n := value.SeedPhrase(v.Text[i:v.Hi]); n > 0 {
		v.Add(i, i+n, match.RuleMnemonic)
		return
	}
	v.Next.Mnemonic = lines - 1
}
