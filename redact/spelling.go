package redact

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// A spelling is a way in which a value is written.
type spelling struct {
	text   string
	around class // neighbours of this class belong to it
}

// spellingsOf lists the ways in which s is written, s itself first.
func spellingsOf(s string) []spelling {
	out := []spelling{{text: s}}
	add := func(t string) {
		if t != s && len(t) >= minKnown {
			out = append(out, spelling{text: t})
		}
	}
	for _, p := range append(wrapped(s), s) {
		for _, enc := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			for shift := range 3 {
				if t := aligned(enc, p, shift); len(t) >= minWindowed {
					out = append(out, spelling{text: t, around: base64Around})
				}
			}
		}
	}
	if len(s) <= maxMixed {
		for _, t := range byteByByte(s) {
			add(t)
		}
	}
	add(hex.EncodeToString([]byte(s)))
	add(strings.ToUpper(hex.EncodeToString([]byte(s))))
	if anchor, _ := mixedSpellingOf(s); len(anchor) >= minWindowed || run([]byte(s), urlSafe|dot) == len(s) {
		return out // found in any mix of escapes, or nothing in it is ever escaped
	}
	for _, t := range urlSpellings(s) {
		add(t)
	}
	for _, t := range jsonSpellings(s) {
		add(t)
	}
	for _, t := range xmlSpellings(s) {
		add(t)
	}
	add(strings.ReplaceAll(s, "'", `'\''`))
	add(strings.ReplaceAll(s, "'", `'"'"'`))
	add(backslashed(s))
	return out
}

// base64Around are the characters of both alphabets of base64 (RFC 4648).
const base64Around = base64c | equals | urlSafe

const (
	unwrapped = 54 // bytes whose base64 is never wrapped: 72 characters
	piece     = 24 // bytes of which a whole piece is on each line of wrapped base64
	maxPieces = 512
)

// wrapped are pieces of a long value, for base64 is mostly wrapped in lines
// of 64 or 76 characters.
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

// aligned returns the base64 of s where shift bytes come before it: the characters
// that depend on s alone.
func aligned(enc *base64.Encoding, s string, shift int) string {
	t := enc.EncodeToString([]byte("\x00\x00"[:shift] + s))
	from := (shift*8 + 5) / 6
	to := (shift + len(s)) * 8 / 6
	if from >= to {
		return ""
	}
	return t[from:to]
}

// What encoders of URLs leave as it is, beside letters and digits.
const (
	keptQuery     = "-_.~"
	keptPath      = "-_.~$&+:=@"
	keptComponent = "-_.~!*'()"
	keptURI       = "-_.~!*'();/?:@&=+$,#"
)

func urlSpellings(s string) []string {
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

// urlEscape returns s with all but letters, digits and kept as %XX.
func urlEscape(s, kept string) string {
	const hexes = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		if is(c, alnum) || strings.IndexByte(kept, c) >= 0 {
			b.WriteByte(c)
			continue
		}
		b.Write([]byte{'%', hexes[c>>4], hexes[c&15]})
	}
	return b.String()
}

// maxRarer is the number of known values up to which each is looked for in rarer
// spellings, too, and maxStacked that up to which it is in all of them: with more,
// they would make the search slow.
const (
	maxRarer   = 32
	maxStacked = 8
)

// rarerSpellings lists the ways in which s is written that are less usual: with
// signs between the digits of hex, in UTF-16, base32 or quoted-printable, backwards,
// and in two codes, one within the other, where that is too short to be decoded. If
// not all are asked for, base64 in another code is listed at the first alignment only,
// and base32 in small letters and base64 of UTF-16 in ASCII are not.
func rarerSpellings(s string, all bool) []spelling {
	out := []spelling{{text: backwards(s)}, {text: interleaved(s, "\x00")}}
	h := hex.EncodeToString([]byte(s))
	for _, sep := range [...]string{":", " ", "-", ", 0x", ",0x"} {
		out = append(out, spelling{text: separated(h, sep)})
		if len(sep) == 1 {
			out = append(out, spelling{text: separated(strings.ToUpper(h), sep)})
		}
	}
	for shift := range 5 {
		if t := aligned32(s, shift); len(t) >= minWindowed {
			out = append(out, spelling{text: t, around: upper | digit | equals})
			if all {
				out = append(out, spelling{text: strings.ToLower(t), around: lower | digit | equals})
			}
		}
	}
	if q := quotedPrintable(s); q != s || strings.Contains(s, " ") {
		out = append(out, spelling{text: q}, spelling{text: strings.ReplaceAll(q, " ", "=20")})
	}
	each, some := octal(s)
	for _, t := range append(byteByByte(s), each) {
		out = append(out, spelling{text: backwards(t)})
	}
	out = append(out, spelling{text: each}, spelling{text: some})
	if all || !isASCII(s) {
		out = append(out, utf16Of(s)...)
	}
	if all { // od -c, and what typewriters and man print bold and underlined
		out = append(out, spelling{text: interleaved(s, "   ")}, spelling{text: struck(s, "")}, spelling{text: struck(s, "_")})
	}
	shifts := 1
	if all {
		shifts = 3
	}
	for _, t := range stackedSpellings(s, shifts) {
		switch {
		case len(t) < minWindowed:
		case run([]byte(t), runByte) < len(t):
			out = append(out, spelling{text: t})
		case len(t) < minKnownRun:
			out = append(out, spelling{text: t, around: base64Around})
		}
	}
	return out
}

// stackedSpellings lists the ways in which s is written in two codes, one within the
// other, wherever it is in a text: of base64 those characters that depend on s alone,
// at shifts of its three alignments.
func stackedSpellings(s string, shifts int) []string {
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
		if hex.EncodedLen(len(t)) < minKnownRun {
			h := hex.EncodeToString([]byte(t))
			out = append(out, h, strings.ToUpper(h))
		}
		if base64.RawStdEncoding.EncodedLen(len(t)) >= minKnownRun || t == s {
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

// utf16Of lists the spellings of s in UTF-16, where it is not all ASCII, and in hex and
// base64 of that.
func utf16Of(s string) []spelling {
	var little, big []byte
	for _, c := range utf16.Encode([]rune(s)) {
		little = binary.LittleEndian.AppendUint16(little, c)
		big = binary.BigEndian.AppendUint16(big, c)
	}
	var out []spelling
	for _, t := range [...]string{string(little), string(big)} {
		if !isASCII(s) {
			out = append(out, spelling{text: t})
		} else {
			t = strings.Trim(t, "\x00") // the zeros around say nothing, and in hex begin as numbers do
		}
		if h := hex.EncodeToString([]byte(t)); len(h) < minKnownRun || !isASCII(s) {
			out = append(out, spelling{text: h}, spelling{text: strings.ToUpper(h)})
		}
		for _, enc := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			for shift := range 3 {
				if t := aligned(enc, t, shift); len(t) < minKnownRun || !isASCII(s) {
					out = append(out, spelling{text: t, around: base64Around})
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

// struck returns s with each byte printed over by, or over itself where by is empty.
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

// aligned32 returns the base32 of s where shift bytes come before it: the characters
// that depend on s alone. encoding/base32 would make its tables at each start.
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

// byteByByte lists the spellings of s in which every byte is an escape.
func byteByByte(s string) []string {
	const lower, upper = "0123456789abcdef", "0123456789ABCDEF"
	var out []string
	for _, f := range [...]struct{ before, digits, after string }{
		{"%", upper, ""}, {"%", lower, ""}, {`\x`, lower, ""}, {`\u00`, lower, ""}, {`\u00`, upper, ""}, {"&#x", lower, ";"}, {"&#x", upper, ";"},
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

// isASCII reports whether s is.
func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// runeByRune lists the spellings of s, which is not all ASCII, in which every
// character, or each that is not ASCII, is written as its number.
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
			b[i+1], b[i+2] = fold(b[i+1]), fold(b[i+2])
		}
	}
	return string(b)
}

func jsonSpellings(s string) []string {
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

func xmlSpellings(s string) []string {
	var out []string
	for _, quotes := range [...][2]string{{"&quot;", "&apos;"}, {"&quot;", "&#39;"}, {"&#34;", "&#39;"}, {"&quot;", "&#x27;"}, {`"`, "'"}} {
		r := strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, quotes[0], "'", quotes[1])
		out = append(out, r.Replace(s))
	}
	return out
}

// backslashed returns s as printf %q of shells writes it: a backslash before each
// sign.
func backslashed(s string) string {
	var b strings.Builder
	for i := range len(s) {
		if c := s[i]; c < 0x80 && !is(c, word|dash|dot|plus|colon) && c != '=' && c != '@' && c != '%' {
			b.WriteByte('\\')
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
