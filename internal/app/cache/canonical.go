package cache

import (
	"encoding/base64"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// The canonical JSON of RFC 8785, for what a key is made of: strings, lists,
// objects and null. Nothing else is needed.

// A value spells itself.
type value interface{ appendTo(b []byte) []byte }

type (
	null   struct{}
	text   string
	list   []value
	object map[string]value // sorted when it is written
)

// texts returns a list of strings.
func texts(all []string) list {
	l := make(list, len(all))
	for i, s := range all {
		l[i] = text(s)
	}
	return l
}

func (null) appendTo(b []byte) []byte { return append(b, "null"...) }

func (l list) appendTo(b []byte) []byte {
	b = append(b, '[')
	for i, v := range l {
		if i > 0 {
			b = append(b, ',')
		}
		b = v.appendTo(b)
	}
	return append(b, ']')
}

// appendTo sorts by UTF-16 code units (section 3.2.3).
func (o object) appendTo(b []byte) []byte {
	names := make([]string, 0, len(o))
	for name := range o {
		names = append(names, name)
	}
	slices.SortFunc(names, byUTF16)
	b = append(b, '{')
	for i, name := range names {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(text(name).appendTo(b), ':')
		b = o[name].appendTo(b)
	}
	return append(b, '}')
}

// byUTF16 compares as section 3.2.3 asks for. Names that are no UTF-8 have no
// order there; their bytes give them one.
func byUTF16(x, y string) int {
	if n := slices.Compare(utf16.Encode([]rune(x)), utf16.Encode([]rune(y))); n != 0 {
		return n
	}
	return strings.Compare(x, y)
}

// appendTo escapes what has to be escaped and nothing else (section 3.2.2.2). A
// string that is no UTF-8 has no spelling in JSON; it is spelled as its base64
// after a character that no other string of ours begins with, U+FFFF.
func (t text) appendTo(b []byte) []byte {
	s := string(t)
	if !utf8.ValidString(s) || strings.HasPrefix(s, noText) {
		s = noText + base64.StdEncoding.EncodeToString([]byte(s))
	}
	b = append(b, '"')
	for i := range len(s) {
		b = appendEscaped(b, s[i])
	}
	return append(b, '"')
}

const noText = "\uffff"

func appendEscaped(b []byte, c byte) []byte {
	const hex = "0123456789abcdef"
	if i := strings.IndexByte("\b\t\n\f\r", c); i >= 0 {
		return append(b, '\\', "btnfr"[i])
	}
	switch {
	case c == '"' || c == '\\':
		return append(b, '\\', c)
	case c < ' ':
		return append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
	}
	return append(b, c)
}
