package token

import (
	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/match"
	"github.com/envwrap/envwrap/redact/internal/value"
)

// maxPairLines is how many lines after the id of a key its secret may be.
const maxPairLines = 4

// pairOf returns the length of the secret that goes with the id of a key, by the rule that
// finds the id: 40 for Amazon's, 30 for Alibaba's, 32 for Tencent's; 0 for others.
func pairOf(rule string) uint8 {
	switch rule {
	case "aws-access-key-id":
		return 40
	case "alibaba-key-id":
		return 30
	case "tencent-key-id":
		return 32
	}
	return 0
}

// FindPaired marks the secret p on the line from i on.
func FindPaired(v *match.View, p match.PairedKey, i int) {
	if i < v.PairedTo {
		return
	}
	defer func() { v.PairedTo = i }()
	for n := 0; i < v.Hi && n < 64; n++ {
		for i < v.Hi && !ascii.Is(v.Text[i], ascii.Base64) {
			i++
		}
		if i < v.Hi && (i == v.Lo && v.Text[i] == '+' || i > v.Lo && v.Text[i-1] == '\\' && (v.Text[i] == 'n' || v.Text[i] == 't')) {
			i++ // of a diff, or of an escaped line end or tab
		}
		m := ascii.Run(v.Text[i:v.Hi], ascii.Base64|ascii.Equals)
		b := v.Text[i : i+m]
		if t := value.TraitsOf(b); m == int(p.Size) && t.Uppers > 2 && t.Lowers > 2 && t.Digits > 0 && !t.Path() && !value.Wordy(b) {
			v.Add(i, i+m, match.RulePair)
			return
		}
		i += max(m, 1)
	}
}

// FindTrueNAS marks the key that a client of TrueNAS logs in with, by the method whose
// name is at pos: 64 letters and digits after a number, on this line or one of the next
// (https://www.truenas.com/docs/api/scale_websocket_api.html).
func FindTrueNAS(v *match.View, pos int) {
	v.Next.Paired = match.PairedKey{Size: 64, Lines: maxPairLines}
	FindPaired(v, v.Next.Paired, pos)
}
