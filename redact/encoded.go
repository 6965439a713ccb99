package redact

import (
	"bytes"
	"encoding/base64"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/syntax"
)

const (
	// minEncoded is how much of a prefix must show in base64.
	minEncoded = 4
	// maxTries is how many times one text in base64 is decoded.
	maxTries = 16
	// maxEncoded is how much of a text in base64 is decoded to look for a token.
	maxEncoded = 1 << 10
)

// usualTokens are the prefixes of tokens that are so short that their base64 is not
// decoded for its length. Each costs three literals more.
var usualTokens = [...]string{"AKIA", "ASIA", "LTAI", "ATBB", "dp.pt.", "sgp_"}

// An encoded is the prefix of tokens as it shows in base64, where shift bytes
// modulo three come before it.
type encoded struct {
	group uint16 // in prefixes
	shift uint8
}

// encodedAt returns where the characters that depend on the prefix alone begin in
// the base64 of shift bytes and a prefix.
func encodedAt(shift int) int { return (shift*8 + 5) / 6 }

// find marks text in base64 that has a token in it, whose prefix shows at pos.
func (e encoded) find(v *view, pos int) {
	end := pos + v.Run(pos, ascii.Base64|ascii.URLSafe)
	if v.encodedTo != end {
		v.encodedTo, v.encoded = end, 0
	}
	if v.encoded++; v.encoded > maxTries {
		return // found already, or never
	}
	from := pos - encodedAt(int(e.shift))
	if from < v.Lo || pos-ascii.RunBack(v.Text[from:pos], ascii.Base64|ascii.URLSafe) > from {
		return
	}
	var buf [maxEncoded]byte
	text := buf[:copy(buf[:], v.Text[from:min(end, from+maxEncoded)])]
	for i, c := range text {
		switch c {
		case '-':
			text[i] = '+'
		case '_':
			text[i] = '/'
		}
	}
	n, _ := base64.RawStdEncoding.Decode(text, text)
	if n <= int(e.shift) {
		return
	}
	w := syntax.Line{Text: text[e.shift:n], Hi: n - int(e.shift)}
	for _, r := range prefixes[e.group] {
		if f, t := r.get(); bytes.HasPrefix(w.Text, []byte(t.Prefix)) && t.Match(&w, f, 0) > 0 {
			start := from - ascii.RunBack(v.Text[max(v.Lo, from-maxBefore):from], ascii.Base64|ascii.URLSafe)
			v.add(start, end+ascii.Run(v.Text[end:v.Hi], ascii.Equals), f.Rule)
			v.encoded = maxTries
			return
		}
	}
}
