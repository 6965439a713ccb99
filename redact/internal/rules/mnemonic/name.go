// Package mnemonic finds the seed phrases of wallets (BIP 39).
package mnemonic

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/match"
	"github.com/envwrap/envwrap/redact/internal/value"
)

// FindNamed marks the words of a seed phrase after a name for them at pos: on the line, in
// quotes or not, or alone on the next.
func FindNamed(v *match.View, pos int) {
	i := pos + ascii.Run(v.Text[pos:min(v.Hi, pos+nearPhrase)], ascii.Alpha|ascii.Under|ascii.Dash)
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
	nearPhrase  = 32 // bytes between a name and its phrase, at the most
	phraseLines = 2  // after the name that may have the phrase
)

// FindBelow marks a seed phrase that is all of the line; lines may still have it.
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
