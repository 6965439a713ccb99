// Package encodings lists the ways in which a value may be written, and recognises those
// that are too many for a list.
package encodings

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/envwrap/envwrap/redact/internal/ascii"
)

const (
	// Min is the least number of bytes of a value, or of an encoding of one, that is
	// searched for.
	Min = 4
	// MinWindowed is the least length of an encoding that has a window of four bytes at
	// each alignment to four, and MinWide that of one at each alignment to eight.
	MinWindowed = 7
	MinWide     = 11
)

// A Form is a way in which a value is written.
type Form struct {
	Text   string
	Around ascii.Class // neighbours of this class belong to it
}

// Of lists the ways in which s is written, s itself first.
func Of(s string) []Form {
	out := []Form{{Text: s}}
	add := func(t string) {
		if t != s && len(t) >= Min {
			out = append(out, Form{Text: t})
		}
	}
	for _, p := range append(wrapped(s), s) {
		for _, enc := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			for shift := range 3 {
				if t := aligned(enc, p, shift); len(t) >= MinWindowed {
					out = append(out, Form{Text: t, Around: Base64Around})
				}
			}
		}
	}
	if len(s) <= MaxMixed {
		for _, t := range byteByByte(s) {
			add(t)
		}
	}
	add(hex.EncodeToString([]byte(s)))
	add(strings.ToUpper(hex.EncodeToString([]byte(s))))
	if anchor, _ := MixedOf(s); len(anchor) >= MinWindowed || ascii.Run([]byte(s), ascii.URLSafe|ascii.Dot) == len(s) {
		return out // found in any mix of escapes, or nothing in it is ever escaped
	}
	for _, t := range urlEncodings(s) {
		add(t)
	}
	for _, t := range jsonEncodings(s) {
		add(t)
	}
	for _, t := range xmlEncodings(s) {
		add(t)
	}
	add(strings.ReplaceAll(s, "'", `'\''`))
	add(strings.ReplaceAll(s, "'", `'"'"'`))
	add(backslashed(s))
	return out
}

// Base64Around are the characters of both alphabets of base64 (RFC 4648).
const Base64Around = ascii.Base64 | ascii.Equals | ascii.URLSafe

const (
	unwrapped = 54 // bytes whose base64 is never wrapped: 72 characters
	piece     = 24 // bytes of which a whole piece is on each line of wrapped base64
	maxPieces = 512
)

// wrapped returns pieces of a long value, for base64 is mostly wrapped in lines of 64 or
// 76 characters.
func wrapped(s string) []string {
	if len(s) <= unwrapped {
		return nil
	}
	var out []string
	for i := 0; i+piece <= len(s) && len(out) < maxPieces; i += piece {
		out = append(out, s[i:i+piece])
	}
	return out
}

// aligned returns the base64 of s after shift other bytes: the characters that depend on s
// alone.
func aligned(enc *base64.Encoding, s string, shift int) string {
	t := enc.EncodeToString([]byte("\x00\x00"[:shift] + s))
	from := (shift*8 + 5) / 6
	to := (shift + len(s)) * 8 / 6
	if from >= to {
		return ""
	}
	return t[from:to]
}

// Characters that encoders of URLs leave as they are, beside letters and digits.
const (
	keptQuery     = "-_.~"
	keptPath      = "-_.~$&+:=@"
	keptComponent = "-_.~!*'()"
	keptURI       = "-_.~!*'();/?:@&=+$,#"
)

func urlEncodings(s string) []string {
	q := urlEscape(s, keptQuery)
	out := []string{
		q, strings.ReplaceAll(q, "%20", "+"),
		urlEscape(s, keptPath), urlEscape(s, keptComponent), urlEscape(s, keptURI),
	}
	for _, t := range out {
		out = append(out, lowerEscapes(t))
	}
	return out
}

// urlEscape returns s with all characters but letters, digits and kept as %XX.
func urlEscape(s, kept string) string {
	const hexes = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		if ascii.Is(c, ascii.Alnum) || strings.IndexByte(kept, c) >= 0 {
			b.WriteByte(c)
			continue
		}
		b.Write([]byte{'%', hexes[c>>4], hexes[c&15]})
	}
	return b.String()
}

// byteByByte lists the encodings of s in which every byte is an escape.
func byteByByte(s string) []string {
	const lower, upper = "0123456789abcdef", "0123456789ABCDEF"
	var out []string
	for _, f := range [...]struct{ before, digits, after string }{
		{"%", upper, ""},
		{"%", lower, ""},
		{`\x`, lower, ""},
		{`\u00`, lower, ""},
		{`\u00`, upper, ""},
		{"&#x", lower, ";"},
		{"&#x", upper, ";"},
		{`\x{`, lower, "}"},
		{`\u{`, lower, "}"},
	} {
		b := make([]byte, 0, len(s)*(len(f.before)+len(f.after)+2))
		for i := range len(s) {
			b = append(b, f.before...)
			if f.after == "" || s[i] > 15 {
				b = append(b, f.digits[s[i]>>4])
			}
			b = append(b, f.digits[s[i]&15])
			b = append(b, f.after...)
		}
		out = append(out, string(b))
	}
	b := make([]byte, 0, len(s)*len("&#000;"))
	for i := range len(s) {
		b = append(b, "&#"...)
		b = strconv.AppendUint(b, uint64(s[i]), 10)
		b = append(b, ';')
	}
	out = append(out, string(b))
	if isASCII(s) {
		return out
	}
	return append(out, runeByRune(s)...)
}

// isASCII reports whether all bytes of s are ASCII.
func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// runeByRune lists the encodings of s, which is not all ASCII, in which every character,
// or each that is not ASCII, is written as its number.
func runeByRune(s string) []string {
	var out []string
	for _, f := range [...]func(r rune) string{
		func(r rune) string { return fmt.Sprintf("&#%d;", r) },
		func(r rune) string { return fmt.Sprintf("&#x%x;", r) },
		func(r rune) string { return fmt.Sprintf("&#x%X;", r) },
		func(r rune) string { return utf16Escape(r, `\u%04x`) },
		func(r rune) string { return utf16Escape(r, `\u%04X`) },
		func(r rune) string { return fmt.Sprintf(`\u{%x}`, r) },
		func(r rune) string { return fmt.Sprintf("%%%x", r) }, // escape of JavaScript, for Latin letters
	} {
		var all, some strings.Builder
		for _, r := range s {
			all.WriteString(f(r))
			if r < utf8.RuneSelf {
				some.WriteRune(r)
			} else {
				some.WriteString(f(r))
			}
		}
		out = append(out, all.String(), some.String())
	}
	return out
}

// utf16Escape returns r as one or two escapes of JSON.
func utf16Escape(r rune, format string) string {
	if a, b := utf16.EncodeRune(r); a != utf8.RuneError {
		return fmt.Sprintf(format, a) + fmt.Sprintf(format, b)
	}
	return fmt.Sprintf(format, r)
}

// lowerEscapes returns s with its %XX in lower case.
func lowerEscapes(s string) string {
	b := []byte(s)
	for i := 0; i+2 < len(b); i++ {
		if b[i] == '%' {
			b[i+1], b[i+2] = ascii.Fold(b[i+1]), ascii.Fold(b[i+2])
		}
	}
	return string(b)
}

func jsonEncodings(s string) []string {
	j, err := json.Marshal(s)
	if err != nil || len(j) < 2 {
		return nil
	}
	esc := string(j[1 : len(j)-1])
	plain := strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(esc)
	goq := strconv.Quote(s)
	ascii := strconv.QuoteToASCII(s)
	out := []string{
		esc, plain, strings.ReplaceAll(plain, "/", `\/`), strings.ReplaceAll(plain, "/", `\u002f`),
		strings.ReplaceAll(plain, "/", `\u002F`),
		goq[1 : len(goq)-1], ascii[1 : len(ascii)-1],
	}
	for _, t := range out {
		out = append(out, strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(t))
	}
	return out
}

func xmlEncodings(s string) []string {
	var out []string
	for _, quotes := range [...][2]string{{"&quot;", "&apos;"}, {"&quot;", "&#39;"}, {"&#34;", "&#39;"}, {"&quot;", "&#x27;"}, {`"`, "'"}} {
		r := strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, quotes[0], "'", quotes[1])
		out = append(out, r.Replace(s))
	}
	return out
}

// backslashed returns s as printf %q of shells writes it: a backslash before each sign.
func backslashed(s string) string {
	var b strings.Builder
	for i := range len(s) {
		if c := s[i]; c < 0x80 && !ascii.Is(c, ascii.Word|ascii.Dash|ascii.Dot|ascii.Plus|ascii.Colon) && c != '=' && c != '@' && c != '%' {
			b.WriteByte('\\')
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
