package redact

import (
	"bytes"
	"strings"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/decode"
)

const (
	minEscapes = 3       // the least number of escapes in a text that is decoded
	maxEscaped = 4 << 10 // how much of one is

	// escapedPart are the characters that are escaped in no URL, and the sign of an
	// escape.
	escapedPart = ascii.Word | ascii.Dash | ascii.Dot | ascii.Tilde | ascii.Percent

	// escapedGzip is how what gzip writes begins. A plus in it is a space.
	escapedGzip = "%1f%8b"
)

// escapedText notes the text around pos that is written with the escapes of a URL, to
// be decoded and looked into.
func escapedText(v *view, pos int) {
	if pos < v.escapedTo {
		return
	}
	start := pos - ascii.RunBack(v.Text[max(v.Lo, pos-maxEscaped):pos], escapedPart)
	of := ascii.Class(escapedPart)
	if ascii.HasFold(v.Text[start:v.Hi], escapedGzip) {
		of |= ascii.Plus
	}
	v.escapedTo = pos + ascii.Run(v.Text[pos:min(v.Hi, pos+maxEscaped)], of)
	if bytes.Count(v.Text[start:v.escapedTo], []byte{'%'}) >= minEscapes {
		v.runsSeen = append(v.runsSeen, span{start: start, end: v.escapedTo})
	}
}

// escaped marks the run r, which has escapes of a URL in it, where there is a secret
// in what they stand for, which may be compressed.
func (d *decoder) escaped(v *view, r span) {
	text := string(v.Text[r.start:r.end])
	if ascii.HasFold(v.Text[r.start:r.end], escapedGzip) {
		text = strings.ReplaceAll(text, "+", " ")
	}
	if rule, ok := d.secretIn(d.plainText([]byte(decode.URL(text)))); ok {
		v.add(r.start, r.end, rule)
	}
}
