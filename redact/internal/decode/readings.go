package decode

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/ascii"
)

const (
	// MinRun is the least length of an encoded run that is decoded.
	MinRun = 40
	// MinKnownRun is the least length if only known values are searched for: shorter
	// encodings of these are searched for themselves.
	MinKnownRun = 60
)

// gzip64 and gzip32 are the first characters of base64 and base32 of what gzip writes.
const (
	gzip64 = "H4sI"
	gzip32 = "D6FQQ"
)

// A Reading is a way to decode an encoded run.
type Reading struct {
	Skip     int  // bytes before the first of the code
	Reversed bool // the run is written backwards
	alphabet
}

// MaxReadings is how many readings a run may have.
const MaxReadings = 20

// Readings appends to out the ways to decode b that may give a text, by samples of it.
func Readings(out []Reading, b []byte) []Reading {
	if ascii.Run(b, ascii.HexDigit) == len(b) {
		m := textBits(b, 3<<roleHex)
		for parity := range 2 {
			if m>>(roleHex+parity)&1 != 0 {
				out = append(out, Reading{parity, false, inHex}, Reading{(len(b) + 1 - parity) % 2, true, inHex})
			}
		}
		if packed(b) {
			out = append(out, Reading{0, false, inHex})
		}
		return out
	}
	if bytes.HasPrefix(b, []byte(gzip32)) && text32(b) {
		out = append(out, Reading{0, false, inBase32})
	}
	m := textBits(b, 0xff<<roleBase64)
	if packed(b) {
		m |= 1 << roleBase64
	}
	for shift := range 4 {
		if m>>(roleBase64+shift)&1 != 0 {
			out = append(out, Reading{(4 - shift) & 3, false, inBase64})
		}
		if m>>(roleReversed+shift)&1 != 0 {
			out = append(out, Reading{(len(b) + shift) & 3, true, inBase64})
		}
	}
	if text32(b) {
		var dec [sampled]byte
		for skip := range 8 {
			if Textual(decode32(dec[:0], b[skip:min(len(b), skip+sampled)])) {
				out = append(out, Reading{skip, false, inBase32})
			}
		}
	}
	return out
}

// text32 reports whether b may be base32.
func text32(b []byte) bool {
	return ascii.LongRun(b, ascii.Upper|ascii.Digit) == len(b) && !bytes.ContainsAny(b[:min(len(b), 4*sampled)], "0189")
}

// sampled is how many encoded bytes are examined for whether they may be of a text.
const sampled = 24

// textBits returns the bits of the roles in of in which samples of b may be of a text. One
// sample with a role is enough: a text may have other bytes in between.
func textBits(b []byte, of uint16) uint16 {
	t := roles()
	var found uint16
	size, step := sampled, max(4, (len(b)-sampled)/4&^3)
	if len(b) < MinRun {
		size, step = len(b)&^3, len(b)
	}
	for i := 0; i+size <= len(b) && found != of; i += step {
		found |= t.common(b[i:i+size], of)
	}
	return found
}

// packed reports whether b begins like a text compressed with gzip, in base64, base32 or
// hex, or with zlib, in base64 or hex.
func packed(b []byte) bool {
	return ascii.HasFold(b, "1f8b08") || ascii.HasPrefix(b, gzip64, gzip32, "eJw", "eJx", "eJy", "eJz", "789c", "789C", "78da", "78DA")
}

// RunByte are the characters of base64, in both alphabets, of base32 and of hex.
const RunByte = ascii.Base64 | ascii.URLSafe
