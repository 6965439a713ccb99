package encodings

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/decode"
)

// MaxRare is the number of known values up to which each is looked for in rarer
// encodings, too, and MaxNested that up to which it is in all of them: with more,
// they would make the search slow.
const (
	MaxRare   = 32
	MaxNested = 8
)

// Rare lists less usual ways in which s is written: with signs between the digits of hex,
// in UTF-16, base32 or quoted-printable, backwards, and in two codes, one within the
// other, if that is too short to be decoded. Unless all is set, base64 in another code is
// listed at the first alignment only, and base32 in small letters and base64 of UTF-16 in
// ASCII are not.
func Rare(s string, all bool) []Form {
	out := []Form{{Text: backwards(s)}, {Text: interleaved(s, "\x00")}, {Text: interleaved(s, "\x00\x00\x00")}}
	if strings.ContainsAny(s, "0123456789") && len(s) >= MinWide {
		out = append(out, Form{Text: strings.ToUpper(s)}, Form{Text: strings.ToLower(s)})
	}
	if all {
		out = append(append(out, base85(s)...), uuencoded(s)...)
	}
	h := hex.EncodeToString([]byte(s))
	for _, sep := range [...]string{":", " ", "-"} {
		out = append(out, Form{Text: separated(h, sep)})
		if len(sep) == 1 {
			out = append(out, Form{Text: separated(strings.ToUpper(h), sep)})
		}
	}
	for shift := range 5 {
		if t := aligned32(s, shift); len(t) >= MinWindowed {
			out = append(out, Form{Text: t, Around: ascii.Upper | ascii.Digit | ascii.Equals})
			if all {
				out = append(out, Form{Text: strings.ToLower(t), Around: ascii.Lower | ascii.Digit | ascii.Equals})
			}
		}
	}
	if q := quotedPrintable(s); q != s || strings.Contains(s, " ") {
		out = append(out, Form{Text: q}, Form{Text: strings.ReplaceAll(q, " ", "=20")})
	}
	each, some := octal(s)
	for _, t := range append(byteByByte(s), each) {
		out = append(out, Form{Text: backwards(t)})
	}
	out = append(out, Form{Text: each}, Form{Text: some})
	if all || !isASCII(s) {
		out = append(out, utf16Of(s)...)
	}
	if all { // od -c, and what typewriters and man print bold and underlined
		out = append(out, Form{Text: interleaved(s, "   ")}, Form{Text: struck(s, "")}, Form{Text: struck(s, "_")})
	}
	shifts := 1
	if all {
		shifts = 3
	}
	for _, t := range nestedEncodings(s, shifts) {
		switch {
		case len(t) < MinWindowed:
		case ascii.Run([]byte(t), decode.RunByte) < len(t):
			out = append(out, Form{Text: t})
		case len(t) < decode.MinKnownRun:
			out = append(out, Form{Text: t, Around: Base64Around})
		}
	}
	return out
}

// nestedEncodings lists the ways in which s is written in two codes, one within the other,
// wherever it is in a text: of base64 those characters that depend on s alone, at the
// first shifts of its three alignments.
func nestedEncodings(s string, shifts int) []string {
	h := hex.EncodeToString([]byte(s))
	within := []string{h, strings.ToUpper(h), quotedPrintable(s)}
	var out []string
	turned := []string{s, backwards(s)}
	if !isASCII(s) {
		turned = append(turned, runesBackwards(s))
	}
	for _, r := range turned {
		u := urlEscape(r, keptQuery)
		within = append(within, r, u, strings.ReplaceAll(u, "%20", "+"))
		out = append(out, urlEscape(u, keptQuery))
	}
	slices.Sort(within)
	within = slices.Compact(within)
	for _, enc := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		for shift := range shifts {
			if t := aligned(enc, s, shift); !slices.Contains(within, t) {
				within = append(within, t)
			}
		}
	}
	for _, t := range within {
		out = append(out, backwards(t))
		if hex.EncodedLen(len(t)) < decode.MinKnownRun {
			h := hex.EncodeToString([]byte(t))
			out = append(out, h, strings.ToUpper(h))
		}
		if base64.RawStdEncoding.EncodedLen(len(t)) >= decode.MinKnownRun || t == s {
			continue
		}
		for shift := range shifts {
			out = append(out, aligned(base64.RawStdEncoding, t, shift))
			if t := aligned(base64.RawURLEncoding, t, shift); strings.ContainsAny(t, "-_") {
				out = append(out, t)
			}
		}
	}
	return append(out, within...)
}

// octal returns s with each byte, or each that is not ASCII, as an escape in octal, as
// shells, C and git write them.
func octal(s string) (all, some string) {
	var a, b strings.Builder
	for i := range len(s) {
		e := fmt.Sprintf(`\%03o`, s[i])
		a.WriteString(e)
		if s[i] < utf8.RuneSelf {
			e = s[i : i+1]
		}
		b.WriteString(e)
	}
	return a.String(), b.String()
}

// utf16Of lists the encodings of s in UTF-16, where it is not all ASCII, and in hex and
// base64 of that.
func utf16Of(s string) []Form {
	var little, big []byte
	for _, c := range utf16.Encode([]rune(s)) {
		little = binary.LittleEndian.AppendUint16(little, c)
		big = binary.BigEndian.AppendUint16(big, c)
	}
	var out []Form
	for _, t := range [...]string{string(little), string(big)} {
		if !isASCII(s) {
			out = append(out, Form{Text: t})
		} else {
			t = strings.Trim(t, "\x00") // the zeros around say nothing, and in hex begin as numbers do
		}
		if h := hex.EncodeToString([]byte(t)); len(h) < decode.MinKnownRun || !isASCII(s) {
			out = append(out, Form{Text: h}, Form{Text: strings.ToUpper(h)})
		}
		for _, enc := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			for shift := range 3 {
				if t := aligned(enc, t, shift); len(t) < decode.MinKnownRun || !isASCII(s) {
					out = append(out, Form{Text: t, Around: Base64Around})
				}
			}
		}
	}
	return out
}

// backwards returns s from its last byte to its first.
func backwards(s string) string {
	b := []byte(s)
	slices.Reverse(b)
	return string(b)
}

// runesBackwards returns s from its last character to its first.
func runesBackwards(s string) string {
	r := []rune(s)
	slices.Reverse(r)
	return string(r)
}

// interleaved returns s with sep between any two bytes.
func interleaved(s, sep string) string { return strings.Join(strings.Split(s, ""), sep) }

// struck returns s with each byte printed over by, or over itself if by is empty.
func struck(s, by string) string {
	var b strings.Builder
	for i := range len(s) {
		if by == "" {
			b.WriteString(s[i:i+1] + "\b" + s[i:i+1])
		} else {
			b.WriteString(by + "\b" + s[i:i+1])
		}
	}
	return b.String()
}

// separated returns the hex digits h with sep between any two bytes.
func separated(h, sep string) string {
	var b strings.Builder
	for i := 0; i+1 < len(h); i += 2 {
		if i > 0 {
			b.WriteString(sep)
		}
		b.WriteString(h[i : i+2])
	}
	return b.String()
}

// aligned32 returns the base32 of s after shift other bytes: the characters that depend on
// s alone. encoding/base32 would make its tables at each start.
func aligned32(s string, shift int) string {
	const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
	var b strings.Builder
	bits := -((5 - shift*8%5) % 5) // the first ones belong to a character that begins before s
	var last uint
	for i := range len(s) {
		last = last<<8 | uint(s[i])
		for bits += 8; bits >= 5; {
			bits -= 5
			b.WriteByte(digits[last>>bits&31])
		}
	}
	return b.String()
}

// quotedPrintable returns s as mail has it (RFC 2045, section 6.7), on one line.
func quotedPrintable(s string) string {
	const hexes = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(s) {
		if c := s[i]; c == '=' || c < ' ' || c > '~' {
			b.Write([]byte{'=', hexes[c>>4], hexes[c&15]})
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}
