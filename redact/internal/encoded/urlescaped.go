package encoded

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/match"
)

const (
	minEscapes = 3       // the least number of escapes in a text that is decoded
	maxEscaped = 4 << 10 // how much of one is

	// EscapedPart are the characters that are escaped in no URL, and the sign of an
	// escape.
	EscapedPart = ascii.Word | ascii.Dash | ascii.Dot | ascii.Tilde | ascii.Percent

	// escapedGzip is how what gzip writes begins. A plus in it is a space.
	escapedGzip = "%1f%8b"
)

// NoteEscaped notes the text around pos that is written with the escapes of a URL, to be
// decoded.
func NoteEscaped(v *match.View, pos int) {
	if pos < v.EscapedTo {
		return
	}
	start := pos - ascii.RunBack(v.Text[max(v.Lo, pos-maxEscaped):pos], EscapedPart)
	of := ascii.Class(EscapedPart)
	if ascii.HasFold(v.Text[start:v.Hi], escapedGzip) {
		of |= ascii.Plus
	}
	v.EscapedTo = pos + ascii.Run(v.Text[pos:min(v.Hi, pos+maxEscaped)], of)
	if bytes.Count(v.Text[start:v.EscapedTo], []byte{'%'}) >= minEscapes {
		v.EncodedRuns = append(v.EncodedRuns, match.Span{Start: start, End: v.EscapedTo})
	}
}
