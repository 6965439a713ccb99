package syntax

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/ascii"
)

// maxType is the greatest length of the name of a type, and of the text in its brackets.
const maxType = 32

// typedValue returns the offset of the value in a typed declaration, after the name and
// its sign: var name string = "...", name: &'static str = "...", Dim name As String =
// "...".
func (l *Line) typedValue(i int) (int, bool) {
	if b := l.Text[i:l.Hi]; bytes.HasPrefix(b, []byte("(string) (len=")) { // of go-spew
		return i + bytes.IndexByte(b, '"'), ascii.Contains(b, '"')
	}
	if ascii.HasFold(l.Text[i:l.Hi], "as ") {
		i = l.SkipSpaces(i + len("as "))
	}
	i = l.Hi - len(bytes.TrimLeft(l.Text[i:l.Hi], "&*?"))
	if bytes.HasPrefix(l.Text[i:l.Hi], []byte("'static ")) {
		i += len("'static ")
	}
	n := ascii.Run(l.Text[i:min(l.Hi, i+maxType)], ascii.Word|ascii.Dot|ascii.Colon)
	if n == 0 || n > 24 {
		return 0, false
	}
	n += brackets(l.Text[i+n : l.Hi])
	j := l.SkipSpaces(i + n)
	// In PL/SQL, a column's type comes before the sign: name VARCHAR(20) := 'x'.
	if bytes.HasPrefix(l.Text[j:l.Hi], []byte(":= ")) && j > i+n && l.Text[j-2] == ')' {
		return l.SkipSpaces(j + len(":=")), true
	}
	if j+1 < l.Hi && l.Text[j] == '=' && l.Text[j+1] != '=' && l.Text[j+1] != '>' && j > i+n {
		return l.SkipSpaces(j + 1), true
	}
	return 0, false
}

// brackets returns the length of the brackets, or of the question mark, at the start of b,
// after the name of a type: string[], Option<String>, String?, varchar(9).
func brackets(b []byte) int {
	b = b[:min(len(b), maxType)]
	switch {
	case len(b) == 0:
		return 0
	case b[0] == '[':
		return bytes.IndexByte(b, ']') + 1
	case b[0] == '<':
		return bytes.IndexByte(b, '>') + 1
	case b[0] == '(':
		if n := ascii.Run(b[1:], ascii.Digit); n > 0 && n+1 < len(b) && b[n+1] == ')' {
			return n + 2 // the length of a column
		}
	case b[0] == '?':
		return 1
	}
	return 0
}

// property returns the offset of the value of a property of C#: name { get; set; } =
// "...".
func (l *Line) property(i int) (int, bool) {
	rest := l.Text[i:min(l.Hi, i+2*maxType)]
	n := bytes.IndexByte(rest, '}')
	if !bytes.HasPrefix(bytes.TrimLeft(rest[1:], " "), []byte("get")) {
		return 0, false
	}
	if j := l.SkipSpaces(i + n + 1); j < l.Hi && l.Text[j] == '=' {
		return l.SkipSpaces(j + 1), true
	}
	return 0, false
}

// tagged skips the anchor, &name, or the tag of a plain type, !!str, that YAML may have
// before a value at i.
func (l *Line) tagged(i int) int {
	j := i
	switch {
	case bytes.HasPrefix(l.Text[i:l.Hi], []byte("!!")):
		j += len("!!")
	case i < l.Hi && l.Text[i] == '&':
		j++
	default:
		return i
	}
	n := ascii.Run(l.Text[j:min(l.Hi, j+maxType)], ascii.Word|ascii.Dash)
	if k := l.SkipSpaces(j + n); n > 0 && k > j+n && k < l.Hi {
		return k
	}
	return i
}
