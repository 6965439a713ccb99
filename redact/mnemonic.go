package redact

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/ascii"
)

const ruleMnemonic = "mnemonic"

// mnemonic finds the words of a seed of a wallet (BIP 39) after a name for them at
// pos: on the line, in quotes or not, or alone on the next.
func mnemonic(v *view, pos int) {
	i := pos + ascii.Run(v.Text[pos:v.Hi], ascii.Alpha|ascii.Under|ascii.Dash)
	if ascii.HasFold(v.Text[i:v.Hi], " phrase") {
		i += len(" phrase")
	}
	for end := min(v.Hi, i+nearPhrase); i < end; {
		if ascii.Is(v.Text[i], ascii.Lower) && !ascii.Is(v.Text[i-1], ascii.Alpha) {
			if n := seedPhrase(v.Text[i:v.Hi]); n > 0 {
				v.add(i, i+n, ruleMnemonic)
				return
			}
		}
		i++
	}
	if len(bytes.TrimRight(v.Text[i:v.Hi], " \t\r:=-|>\"'`")) == 0 && !v.cutRight {
		v.next.phrase = phraseLines
	}
}

const (
	nearPhrase  = 32 // how far after its name a phrase may begin
	phraseLines = 2  // on which it may come
)

// phraseLine looks for a seed phrase that is all of the line.
func (v *view) phraseLine(lines uint8) {
	i := v.Margin()
	for i < v.Hi && !ascii.Is(v.Text[i], ascii.Lower) {
		i++
	}
	if n := seedPhrase(v.Text[i:v.Hi]); n > 0 {
		v.add(i, i+n, ruleMnemonic)
		return
	}
	v.next.phrase = lines - 1
}

// seedPhrase returns the length of the words at the start of b, where there are as many
// as a seed has, and each is as long as one of them is: three to eight small letters.
func seedPhrase(b []byte) int {
	words, i, end := 0, 0, 0
	for words <= maxSeedWords {
		n := ascii.Run(b[i:], ascii.Lower)
		if n < 3 || n > 8 || i+n < len(b) && ascii.Is(b[i+n], ascii.Upper|ascii.Digit|ascii.Under) || inSentence(b[i:i+n]) {
			break
		}
		words++
		i += n
		end = i
		s := ascii.Run(b[i:], ascii.Blank|ascii.Comma)
		if s == 0 || s > 2 {
			break
		}
		i += s
	}
	if words < minSeedWords || words > maxSeedWords || words%3 != 0 {
		return 0
	}
	return end
}

const (
	minSeedWords = 12
	maxSeedWords = 24
)

// inSentence reports whether w is a word that sentences have and seeds do not.
func inSentence(w []byte) bool {
	switch string(w) {
	case "the", "and", "for", "are", "was", "not", "but", "has", "had", "were", "been", "its", "from", "which", "their", "your",
		"would", "could", "these", "those", "does", "did", "than", "into", "them", "his", "her", "our", "who", "why", "how":
		return true
	}
	return false
}
