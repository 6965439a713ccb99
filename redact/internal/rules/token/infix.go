package token

import (
	"strings"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/match"
	"github.com/envwrap/envwrap/redact/internal/syntax"
	"github.com/envwrap/envwrap/redact/internal/value"
)

// An infix is a kind of secret with a fixed part that is not at its start.
type infix struct {
	Rule       string
	Literal    string
	before     ascii.Class // of the characters before it
	bMin, bMax int
	after      ascii.Class // of those after it
	aMin, aMax int
	Sample     string
}

// maxInfix is how far after the fixed part a secret without a limit goes.
const maxInfix = 256

// Quick reports whether a secret may have the literal that ends at end: not if the literal
// is part of a longer run of one character, as in base64 of zeros.
func (x *infix) Quick(b []byte, end int) bool {
	c := x.Literal[0]
	return end >= len(b) || b[end] != c || strings.Count(x.Literal, x.Literal[:1]) < len(x.Literal)
}

// Find marks the secret around the literal at pos.
func (x *infix) Find(v *match.View, pos int) {
	b := ascii.RunBack(v.Text[max(v.Lo, pos-x.bMax-len("u0022")-1):pos], x.before)
	i := pos + len(x.Literal)
	if b > x.bMin && b < pos && ascii.Backslashes(v.Text[v.Lo:], pos-b-v.Lo)%2 == 1 {
		// The letter of an escape, such as \n, or one by its number.
		if i := pos - b; b > len("u0022") && v.Text[i] == 'u' && ascii.Run(v.Text[i+1:i+len("u0022")], ascii.HexDigit) == 4 {
			b -= len("u0022")
		} else {
			b--
		}
	}
	if before := v.Text[v.Lo:max(v.Lo, pos-x.bMax)]; b > x.bMax && (syntax.EscapedByte(before) || syntax.EscapedCode(before)) {
		b = x.bMax
	}
	if b < x.bMin || b > x.bMax {
		return
	}
	a := ascii.Run(v.Text[i:min(v.Hi, i+max(x.aMax, maxInfix)+1)], x.after)
	for a > x.aMin && ascii.Is(v.Text[i+a-1], ascii.Dot|ascii.Dash) {
		a-- // the end of a sentence
	}
	if a < x.aMin || a > x.aMax && x.aMax > 0 {
		return
	}
	s := v.Text[pos-b : i+a]
	if t := value.TraitsOf(s); t.Distinct < 8 || t.Digits == 0 && value.Wordy(s) || t.Repeat*3 > t.Len || value.Sample(s) {
		return
	}
	if x.Rule == match.RuleService {
		t := value.TraitsOf(v.Text[i : i+a])
		if t.Digits < 3 && !t.Restless() || !t.Random(20) || t.Uppers == 0 && t.Hexes < t.Len || i+a < v.Hi && ascii.Is(v.Text[i+a], ascii.Word) {
			return
		}
	}
	v.Add(pos-b, i+a, x.Rule)
}
