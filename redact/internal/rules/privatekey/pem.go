// Package privatekey finds private keys: blocks of PEM, OpenSSH, OpenPGP and PuTTY on one
// line or on several, and keys in base64 without their first line.
package privatekey

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/match"
	"github.com/envwrap/envwrap/redact/internal/syntax"
	"github.com/envwrap/envwrap/redact/internal/value"
)

const (
	maxKeyLines = 512
	maxPrefix   = 256 // the longest prefix that each line of a log may have
	minCore     = 32  // the least length of a line of a key without quotes among lines with them
	minRow      = 20  // the least length of a row of base64 in a key on one line
	minRows     = 32  // of all rows, where they are shorter
)

// Find marks a private key block (RFC 7468, and those of OpenSSH and OpenPGP) that begins
// at pos. One that ends on the line is masked whole; else the line is masked from there,
// and the lines that follow are left out.
func Find(v *match.View, pos int) {
	line := v.Text[pos:v.Hi]
	head := headerLen(line)
	if head == 0 {
		return
	}
	if i := nextEnd(v, pos+head); i >= 0 && !bytes.ContainsAny(withoutHeaders(v.Text[pos+head:i]), "{}[]():") {
		end := i - pos
		end += ascii.Run(line[end:], ascii.Upper|ascii.Digit) + 1
		if n := bytes.Index(line[end:], []byte("----")); n >= 0 {
			end += n + ascii.Run(line[end+n:], ascii.Dash)
		}
		if hasKey(line[head : i-pos]) {
			v.Add(pos, pos+end, match.RuleKey)
		}
		return
	}
	end := head + keyLen(line[head:])
	if n := len(line[head:]) - len(withoutHeaders(line[head:])); n > 0 && end < head+n {
		end = head + n + keyLen(line[head+n:])
	}
	rest := bytes.Trim(line[end:], " \t\"',+\\;`|)")
	if len(rest) > 0 && end-head < 32 {
		return // named in passing
	}
	if len(rest) > 0 {
		v.Add(pos, pos+end, match.RuleKey)
		return
	}
	keyFollows(v, pos, pos+end)
	if (v.Next.Key.Quoted || pos > v.Lo && syntax.IsQuote(v.Text[pos-1]) && end == head) && len(bytes.Trim(line[head:end], `\rn`)) == 0 {
		v.Next.Key.First = true // its first line may be all there is, as in a program
		return
	}
	v.Add(pos, pos+end, match.RuleKey)
}

// hasKey reports whether b, the text between the first and the last line of a key on one
// line, has rows of base64. A document has dots or words there.
func hasKey(b []byte) bool {
	rows := 0
	for i := 0; i < len(b); {
		n := ascii.Run(b[i:], ascii.Base64|ascii.Equals)
		t := value.TraitsOf(b[i : i+n])
		if n >= minRow && t.Distinct > 6 {
			return true
		}
		if t.Digits > 0 || t.Lowers > 0 && t.Uppers > 1 {
			rows += n
		}
		i += n + 1
	}
	return rows >= minRows
}

// nextEnd returns the offset of the next "END " at or after i, -1 if none exists.
func nextEnd(v *match.View, i int) int {
	e := &v.KeyEnd
	if e.From <= i && (e.At >= i || e.At < 0) && e.From > 0 {
		return e.At
	}
	e.From, e.At = i, bytes.Index(v.Text[i:v.Hi], []byte("END "))
	if e.At >= 0 {
		e.At += i
	}
	return e.At
}

// withoutHeaders returns b, the text after the first line of a key on the same line,
// without the headers of an encrypted key (RFC 1421, section 4.6).
func withoutHeaders(b []byte) []byte {
	for _, h := range [...]string{"Proc-Type: 4,ENCRYPTED", "DEK-Info: "} {
		if i := bytes.Index(b[:min(len(b), 128)], []byte(h)); i >= 0 {
			b = b[i+len(h):]
			b = b[ascii.Run(b, ascii.Upper|ascii.Digit|ascii.Dash|ascii.Comma):]
		}
	}
	return b
}

// kindsHash returns a hash of the kinds of characters of b, so that those of the times of
// two lines of a log are equal.
func kindsHash(b []byte) uint32 {
	h := uint32(2166136261)
	for _, c := range b {
		switch {
		case ascii.Is(c, ascii.Digit):
			c = '0'
		case ascii.Is(c, ascii.Alpha):
			c = 'a'
		}
		h = (h ^ uint32(c)) * 16777619
	}
	return h
}

// keyFollows notes that the key whose first part is v.Text[start:end] goes on after the
// line.
func keyFollows(v *match.View, start, end int) {
	if v.CutRight {
		return
	}
	v.Next.Key = match.KeyBlock{Lines: maxKeyLines}
	if n := start - v.Lo; n < maxPrefix {
		v.Next.Key.Column, v.Next.Key.Prefix = uint16(n), kindsHash(v.Text[v.Lo:start])
		v.Next.Key.Logged = n > 0 && v.Text[start-1] == ' ' && ascii.Is(v.Text[v.Lo], ascii.Alpha)
	}
	if start > v.Lo && syntax.IsQuote(v.Text[start-1]) {
		v.Next.Key.Quoted = ascii.Contains(v.Text[end:v.Hi], v.Text[start-1])
	} else if end < v.Hi && syntax.IsQuote(v.Text[end]) {
		v.Next.Key.Quoted = ascii.Contains(v.Text[v.Lo:start], v.Text[end])
	}
}

// headerLen returns the length of the "-----BEGIN ... PRIVATE KEY-----" at the start of b,
// 0 if none exists.
func headerLen(b []byte) int {
	n := ascii.Run(b, ascii.Dash|ascii.Blank)
	if !bytes.HasPrefix(b[n:], []byte("BEGIN ")) {
		return 0
	}
	n += len("BEGIN ")
	if s := "OpenVPN Static key V1-----"; bytes.HasPrefix(b[n:], []byte(s)) {
		return n + len(s)
	}
	m := ascii.Run(b[n:min(len(b), n+64)], ascii.Upper|ascii.Digit|ascii.Blank)
	if !bytes.Contains(b[n:n+m], []byte("PRIVATE KEY")) || !bytes.HasPrefix(b[n+m:], []byte("----")) {
		return 0
	}
	return n + m + ascii.Run(b[n+m:], ascii.Dash)
}

// keyLen returns the length of the text of a key at the start of b, with its line ends as
// escapes.
func keyLen(b []byte) int {
	n := 0
	for n < len(b) && (ascii.Is(b[n], ascii.Base64|ascii.Equals|ascii.Blank) || b[n] == '\\') {
		n++
	}
	n -= ascii.RunBack(b[:n], ascii.Blank)
	return n
}

// FindNumber finds the lines of a number that is a part of a private key, as OpenSSL prints
// it: bytes in hexadecimal, with colons between them. Its name is at pos.
func FindNumber(v *match.View, pos int) {
	if n := bytes.IndexByte(v.Text[pos:v.Hi], ':') + 1; v.Margin() == pos && len(syntax.TrimRight(v.Text[pos+n:v.Hi])) == 0 && !v.CutRight {
		v.Next.Key = match.KeyBlock{Lines: maxKeyLines, First: true, Hex: true}
	}
}

// FindPutty finds the lines of a private key in PuTTY's own format; pos is that
// of "Private-Lines:", which is followed by their number.
func FindPutty(v *match.View, pos int) {
	n := 0
	for _, c := range v.Text[v.SkipSpaces(pos+len("Private-Lines:")):v.Hi] {
		if !ascii.Is(c, ascii.Digit) || n > maxKeyLines {
			break
		}
		n = n*10 + int(c-'0')
	}
	if !v.QuoteSeen {
		v.QuoteSeen, v.HasQuote = true, ascii.Contains(v.Text[v.Lo:v.Hi], '"')
	}
	if n > 0 && !v.CutRight && !v.HasQuote {
		keyFollows(v, pos, v.Hi)
		v.Next.Key.Lines, v.Next.Key.First = min(n, maxKeyLines), true
	}
}

// FindInKey masks a line of a key, or leaves it out, and reports whether it is one. A line
// of something else ends the key.
func FindInKey(v *match.View, k match.KeyBlock) (inside bool) {
	line := bytes.TrimRight(v.Text[v.Lo:v.Hi], "\r\n")
	k.Lines--
	v.Next.Key = k
	if i := bytes.Index(line, []byte("-END ")); i >= 0 {
		end := len(line)
		rest := i + len("-END ")
		if n := bytes.Index(line[rest:], []byte("----")); n >= 0 {
			end = rest + n + ascii.Run(line[rest+n:], ascii.Dash)
		}
		v.Next.Key = match.KeyBlock{}
		if !k.Quoted {
			maskPart(v, i-ascii.RunBack(line[:i], ascii.Dash), end, line)
		}
		return true
	}
	core, prefixed := coreOf(line), false
	if n := int(k.Column); n > 0 && len(line) >= n && kindsHash(line[:n]) == k.Prefix {
		core, prefixed = coreOf(line[n:]), true
	} else if n > 0 && len(line) == n-1 && kindsHash(append(line[:n-1:n-1], ' ')) == k.Prefix {
		core = nil // an empty line, without the space at its end
	}
	switch {
	case k.Quoted && k.First && len(core) > 0 && len(core) < minCore && !ascii.Contains(core, ':'):
	case k.Quoted && !bytes.ContainsAny(line, "\"'`") && (len(core) < minCore || !isKeyText(core)):
	case k.Hex && (ascii.Run(core, ascii.HexDigit|ascii.Colon) < len(core) || len(core) < len("00") || len(core) > len("00") && core[2] != ':'):
	case len(core) == 0:
		return true
	case k.Logged && (k.Broken && !prefixed || len(core) < minCore && (len(core)%4 > 0 || ascii.Run(core[1:], ascii.Lower) == len(core)-1)): // of another program
	case k.Hex, isKeyText(core):
		i := bytes.LastIndex(line, core)
		maskPart(v, i, i+len(core), line)
		return true
	}
	if v.Next.Key = (match.KeyBlock{}); k.Logged && !k.Quoted {
		k.Lines, k.Broken = min(k.Lines, maxBroken), true
		v.Next.Key = k
	}
	return false
}

// maxBroken is how many lines of a key may follow one of another program.
const maxBroken = 64

// coreOf returns a line of a key without the signs that a program, a log or a person puts
// around it.
func coreOf(line []byte) []byte {
	core := bytes.Trim(line, " \t\"',;+\\`>#|*()[]")
	core = bytes.TrimSuffix(bytes.TrimSuffix(core, []byte(`\n`)), []byte(`\r`))
	if i := bytes.LastIndexAny(core, " \t"); i >= 0 && len(core)-i-1 >= 32 && !bytes.Contains(core, []byte(": ")) {
		core = core[i+1:] // after the time of a log
	}
	if t := bytes.TrimRight(core, "."); len(t) >= minCore {
		core = t // the rest of the key is left out
	}
	return core
}

// isKeyText reports whether core is base64, or a header within a key such as "DEK-Info:
// ...".
func isKeyText(core []byte) bool {
	if ascii.Run(core, ascii.Base64|ascii.Equals) == len(core) {
		return true
	}
	n := ascii.Run(core, ascii.Alpha|ascii.Dash)
	return n > 2 && n+1 < len(core) && core[n] == ':' && core[n+1] == ' ' && ascii.Is(core[0], ascii.Upper) &&
		(ascii.Contains(core[:n], '-') || string(core[:n]) == "Version" || string(core[:n]) == "Comment" || string(core[:n]) == "Hash")
}

// maskPart masks line[from:to], or leaves the line out if it has nothing else.
func maskPart(v *match.View, from, to int, line []byte) {
	rest := len(bytes.TrimSpace(line[:from])) + len(bytes.TrimSpace(line[to:]))
	switch {
	case v.Next.Key.First:
		v.Next.Key.First = false
		v.Add(v.Lo+from, v.Lo+to, match.RuleKey)
	case rest == 0 && !v.Next.Key.Quoted:
		v.Drop = true
	default:
		v.Add(v.Lo+from, v.Lo+to, "")
	}
}
