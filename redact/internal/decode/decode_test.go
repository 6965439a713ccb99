package decode

import (
	"bytes"
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"slices"
	"strings"
	"testing"
)

// The forms of encoded, packed and base32 texts, each with near misses.
func TestRecognizesEncodings(t *testing.T) {
	for name, c := range map[string]struct {
		is      func(b []byte) bool
		yes, no []string
	}{
		"EncodedText": {EncodedText, []string{"dXNlcjpw", "YWRtaW5pc3RyYXRvcg==", "YWRtaQo="}, []string{"dXNlcjp", "dXNl", "YWRtaW5pc3RyYXRv!g==", "AAECAwQF", "/////////w==", "\n\n\n\nYQ==", "dXNl\n\n\n\n"}},
		"textual":     {Textual, []string{"a b\t~\r\n", ""}, []string{"a\x00", "\x7f", "é"}},
		"compressed":  {Compressed, []string{"\x1f\x8b\x08\x00\x00"}, []string{"\x1f\x8b\x08\x00", "\x1e\x8b\x08\x00\x00", "\x1f\x8c\x08\x00\x00", "\x1f\x8b\x09\x00\x00", "\x1f\x8b\x08\x20\x00"}},
		"text32":      {text32, []string{"JBSWY3DPEHPK3PXP", "A2Z7"}, []string{"JBSWY3DP0", "JBSWY3DP8", "jbswy3dp", "JBSW="}},
	} {
		for _, s := range c.yes {
			if !c.is([]byte(s)) {
				t.Errorf("%s: %q does not match", name, s)
			}
		}
		for _, s := range c.no {
			if c.is([]byte(s)) {
				t.Errorf("%s: %q is one", name, s)
			}
		}
	}
}

// Encodings of the standard library are decoded.
func TestCodes(t *testing.T) {
	all := make([]byte, 0x100)
	for i := range all {
		all[i] = byte(i * 0x9d)
	}
	for _, plain := range [][]byte{nil, all[:1], all[:2], all[:3], all[:4], all[:5], all} {
		for name, got := range map[string][]byte{
			"base64":     Base64(nil, []byte(base64.StdEncoding.EncodeToString(plain))),
			"base64 URL": Base64(nil, []byte(base64.RawURLEncoding.EncodeToString(plain))),
			"base32":     decode32(nil, []byte(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(plain))),
			"hex":        decodeHex(nil, []byte(hex.EncodeToString(plain))),
			"HEX":        decodeHex(nil, bytes.ToUpper([]byte(hex.EncodeToString(plain)))),
		} {
			if !bytes.Equal(got, plain) {
				t.Errorf("%s: %x, want %x", name, got, plain)
			}
		}
	}
	for in, want := range map[string]string{
		"": "", "a+b": "a+b", "%41%7a%7A": "Azz", "%4": "%4", "%": "%", "100%": "100%", "%4g": "%4g", "%g4": "%g4", "%%41": "%A", "%2541": "%41", "a%41": "aA",
	} {
		if got := URL(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// A text is read in the code that it is in, whatever is before it; what gzip wrote is read, too.
func TestReadings(t *testing.T) {
	text := []byte("a text of several words, 0123456789, and {\"of\": \"signs\"}\n")
	for _, c := range []struct {
		code             alphabet
		encoded          string
		before, gz, rest string
	}{
		{inBase64, base64.StdEncoding.EncodeToString(text), "ab7", gzip64, "_/-+"},
		{inBase32, base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(text), "AB7QZWX", gzip32, "Z7QX"},
		{inHex, hex.EncodeToString(text), "f", "1f8b08", "80ff"},
	} {
		for skip := range len(c.before) + 1 {
			if b := c.before[:skip] + c.encoded; !reads(b, c.code, skip) {
				t.Errorf("%s: not read from %d", b, skip)
			}
		}
		rest := strings.Repeat(c.rest, 20)
		if b := c.gz + rest; !reads(b, c.code, 0) || reads(rest, c.code, 0) {
			t.Errorf("%s: not read, or without its beginning", b)
		}
	}
}

// reads reports whether b may be a code after skip bytes.
func reads(b string, code alphabet, skip int) bool {
	return slices.ContainsFunc(Readings(nil, []byte(b)), func(r Reading) bool {
		return r.Bits == code.Bits && r.Skip == skip && !r.Reversed
	})
}
