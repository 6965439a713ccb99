package encodings

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/envwrap/envwrap/redact/internal/ascii"
)

const (
	MaxMixed  = 256 // bytes of the longest value that is searched for in mixed encodings
	minAnchor = 5   // the least run of letters and digits
	mixedPart = 12  // bytes that one byte of a value is written with, at the most
	mixedWork = 4   // steps for each byte of a value
)

// A Mixed finds a value some of whose bytes are written as escapes, in any mix: its
// longest run of letters and digits, which is never escaped, is searched for, and the
// bytes around that are compared one after another.
type Mixed struct {
	before, after string // parts of the value before and after the run
}

// MixedOf returns the run of s that is searched for, and the Mixed that finds s around it.
// The run is empty if there is no point in that.
func MixedOf(s string) (anchor string, l *Mixed) {
	if len(s) > MaxMixed || ascii.Run([]byte(s), ascii.Alnum) == len(s) {
		return "", nil
	}
	best, at := 0, 0
	for i := 0; i < len(s); {
		n := ascii.Run([]byte(s[i:]), ascii.Alnum)
		if n > best {
			best, at = n, i
		}
		i += max(n, 1)
	}
	if best < minAnchor {
		return "", nil
	}
	return s[at : at+best], &Mixed{s[:at], s[at+best:]}
}

// Span returns the bounds of the value around b[start:end], which is its run.
func (l *Mixed) Span(b []byte, start, end int) (from, to int, ok bool) {
	n := encodedLen(b[end:], l.after)
	if n < 0 {
		return 0, 0, false
	}
	to = end + n
	for from = start - len(l.before); ; from-- {
		if from < 0 || start-from > mixedPart*len(l.before) || from < start && b[from] == '\n' {
			return 0, 0, false
		}
		if from < start && b[from] != l.before[0] && strings.IndexByte(`\%&+'"`, b[from]) < 0 {
			continue
		}
		if encodedLen(b[from:start], l.before) == start-from {
			return from, to, true
		}
	}
}

// encodedLen returns how many bytes at the start of b encode s, -1 where they encode
// something else.
func encodedLen(b []byte, s string) int {
	work := mixedWork * (len(s) + 1)
	return matchEncoded(b, s, &work)
}

func matchEncoded(b []byte, s string, work *int) int {
	done := 0
	for s != "" {
		for done < len(b) && s != "" && b[done] == s[0] && s[0] != '\n' && !beginsEscape(s[0]) {
			done++
			s = s[1:]
		}
		if s == "" {
			break
		}
		if *work--; *work < 0 || done >= len(b) {
			return -1
		}
		n, of := escaped(b[done:], s)
		raw := b[done] == s[0] && s[0] != '\n'
		switch {
		case n > 0 && raw: // one or the other
			if m := matchEncoded(b[done+n:], s[of:], work); m >= 0 {
				return done + n + m
			}
			n, of = 1, 1
		case raw:
			n, of = 1, 1
		case n == 0:
			return -1
		}
		done += n
		s = s[of:]
	}
	return done
}

// beginsEscape reports whether an escape may begin with c.
func beginsEscape(c byte) bool {
	switch c {
	case '\\', '%', '&', '+', '\'', '"':
		return true
	}
	return false
}

// escaped returns the length of the escape at the start of b and of the bytes at the start
// of s that it encodes: an escape of a string in a program, of JSON, of a URL, of XML, of
// a shell, SQL or CSV. It returns zeros if none exists.
func escaped(b []byte, s string) (n, of int) {
	switch b[0] {
	case '\\':
		return backslash(b, s)
	case '%':
		return urlEscaped(b, s)
	case '&':
		return entity(b, s)
	case '+':
		if s[0] == ' ' {
			return 1, 1
		}
	case '\'', '"':
		for _, q := range [...]string{`'\''`, `'"'"'`, `''`, `""`} {
			if s[0] == b[0] && len(b) >= len(q) && string(b[:len(q)]) == q && q[0] == s[0] {
				return len(q), 1
			}
		}
	}
	return 0, 0
}

// backslash reads an escape that begins with one or more backslashes.
func backslash(b []byte, s string) (n, of int) {
	for n < len(b) && n < maxBackslashes && b[n] == '\\' {
		n++
	}
	if n < len(b) {
		if m, of := letterEscape(b[n:], s); m > 0 {
			return n + m, of
		}
	}
	if s[0] == '\\' {
		return backslashesOf(n, s)
	}
	if n < len(b) && b[n] == s[0] && !ascii.Is(s[0], ascii.Alnum) && s[0] != '\n' {
		return n + 1, 1
	}
	return 0, 0
}

// letterEscape reads the rest of an escape by a letter, after its backslashes: u0026, x26,
// n.
func letterEscape(b []byte, s string) (n, of int) {
	if len(b) > 3 && b[1] == '{' && (b[0] == 'x' || b[0] == 'u') { // of Perl, JavaScript, Rust
		end := bytes.IndexByte(b[:min(len(b), mixedPart)], '}')
		r, size := utf8.DecodeRuneInString(s)
		if code, err := strconv.ParseUint(string(b[2:max(2, end)]), 16, 32); err == nil && rune(code) == r {
			return end + 1, size
		}
		return 0, 0
	}
	switch c := b[0]; c {
	case 'u':
		return unicodeEscape(b, s)
	case 'x', 'X':
		if len(b) >= 3 && hexByte(b[1:3]) == int(s[0]) {
			return 3, 1
		}
	case 'n', 't', 'r', 'b', 'f':
		if s[0] == "\n\t\r\b\f"[strings.IndexByte("ntrbf", c)] {
			return 1, 1
		}
	}
	return 0, 0
}

// maxBackslashes is how many backslashes are read as one escape: those of one that was
// escaped four times.
const maxBackslashes = 16

// backslashesOf returns how many of n backslashes encode the k backslashes at the start of
// s. Each level of escaping doubles them, and adds one for the character after them.
func backslashesOf(n int, s string) (of, k int) {
	k = len(s) - len(strings.TrimLeft(s, `\`))
	for each := 2; each*k <= n; each *= 2 {
		if rest := n - each*k; rest == 0 || rest == each-1 {
			return each * k, k
		}
	}
	return 0, 0
}

// unicodeEscape reads u and four digits, and a second such escape if the two are of one
// character.
func unicodeEscape(b []byte, s string) (n, of int) {
	r, size := utf8.DecodeRuneInString(s)
	code, ok := hexRune(b)
	if !ok || r == utf8.RuneError {
		return 0, 0
	}
	if code == '&' && len(b) > 5 { // of XML, within JSON
		if n, of := entity(append([]byte("&"), b[5:min(len(b), 5+mixedPart)]...), s); n > 0 {
			return n + 4, of
		}
	}
	if code == r {
		return 5, size
	}
	if code < 0xd800 || code > 0xdbff {
		return 0, 0
	}
	i := len(b) - len(bytes.TrimLeft(b[5:], `\`))
	low, ok := hexRune(b[i:])
	if ok && (code-0xd800)<<10+(low-0xdc00)+0x10000 == r {
		return i + 5, size
	}
	return 0, 0
}

// hexRune returns the number after the u at the start of b.
func hexRune(b []byte) (rune, bool) {
	if len(b) < 5 || b[0] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(b[1:5]), 16, 16)
	return rune(n), err == nil
}

// hexByte returns the value of two hex digits, -1 for other characters.
func hexByte(b []byte) int {
	n, err := strconv.ParseUint(string(b), 16, 8)
	if err != nil {
		return -1
	}
	return int(n)
}

// urlEscaped reads an escape of a URL, also one that was escaped again.
func urlEscaped(b []byte, s string) (n, of int) {
	n = 1
	for bytes.HasPrefix(b[n:], []byte("25")) && (s[0] != '%' || bytes.HasPrefix(b[n+2:], []byte("25"))) {
		n += 2
	}
	if len(b) < n+2 {
		return 0, 0
	}
	if c := hexByte(b[n : n+2]); c == int(s[0]) || c == '+' && s[0] == ' ' {
		return n + 2, 1
	}
	return 0, 0
}

// entity reads a reference of XML or HTML.
func entity(b []byte, s string) (n, of int) {
	end := bytes.IndexByte(b[:min(len(b), mixedPart)], ';')
	if end < 3 {
		return 0, 0
	}
	r, size := utf8.DecodeRuneInString(s)
	name := string(b[1:end])
	if digits, ok := strings.CutPrefix(name, "#"); ok {
		base := 10
		if ascii.Fold(digits[0]) == 'x' {
			digits, base = digits[1:], 16
		}
		if code, err := strconv.ParseUint(digits, base, 32); err == nil && rune(code) == r {
			return end + 1, size
		}
		return 0, 0
	}
	for _, e := range [...]struct{ name, is string }{{"amp", "&"}, {"lt", "<"}, {"gt", ">"}, {"quot", `"`}, {"apos", "'"}} {
		if name == e.name && s[:1] == e.is {
			return end + 1, 1
		}
	}
	return 0, 0
}
