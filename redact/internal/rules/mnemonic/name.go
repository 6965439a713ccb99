// Package mnemonic finds the seed phrases of wallets (BIP 39).
package mnemonic

import (
	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/match"
	"github.com/envwrap/envwrap/redact/internal/value"
)

// FindNamed marks the words of a seed phrase after a name for them at pos on
// the line, in quotes or not.
func FindNamed(v *match.View, pos int) {
	i := pos + ascii.Run(v.Text[pos:min(v.Hi, pos+nearPhrase)], ascii.Alpha|ascii.Under|ascii.Dash)
	for end := min(v.Hi, i+nearPhrase); i < end; {
		if ascii.Is(v.Text[i], ascii.Lower) && !ascii.Is(v.Text[i-1], ascii.Alpha) {
			if n := value.SeedPhrase(v.Text[i:v.Hi]); n > 0 {
				v.Add(i, i+n, match.RuleMnemonic)
				return
			}
		}
		i++
	}
}

const nearPhrase = 32 // bytes between a name and its phrase, at the most
