package redact

import (
	"bytes"
	"strings"

	"github.com/envwrap/envwrap/redact/internal/ascii"
)

// maxType is the greatest length of the name of a type, and of what is in its
// brackets.
const maxType = 32

// typedValue finds the value after a type: var name string = "...", name: &'static
// str = "...", Dim name As String = "...".
func (v *view) typedValue(i int) (int, bool) {
	if ascii.HasFold(v.text[i:v.hi], "as ") {
		i = v.spaces(i + len("as "))
	}
	for i < v.hi && strings.IndexByte("&*?", v.text[i]) >= 0 {
		i++
	}
	if bytes.HasPrefix(v.text[i:v.hi], []byte("'static ")) {
		i += len("'static ")
	}
	n := ascii.Run(v.text[i:min(v.hi, i+maxType)], ascii.Word|ascii.Dot|ascii.Colon)
	if n == 0 || n > 24 {
		return 0, false
	}
	n += v.brackets(i + n)
	j := v.spaces(i + n)
	// In PL/SQL, a column's type comes before the sign: name VARCHAR(20) := 'x'.
	if bytes.HasPrefix(v.text[j:v.hi], []byte(":= ")) && j > i+n && v.text[j-2] == ')' {
		return v.spaces(j + len(":=")), true
	}
	if j+1 < v.hi && v.text[j] == '=' && v.text[j+1] != '=' && v.text[j+1] != '>' && j > i+n {
		return v.spaces(j + 1), true
	}
	return 0, false
}

// brackets returns the length of what is in brackets at i after the name of a type.
func (v *view) brackets(i int) int {
	if i >= v.hi {
		return 0
	}
	end := byte(']')
	switch v.text[i] {
	case '[':
	case '<':
		end = '>'
	case '(':
		if n := ascii.Run(v.text[i+1:min(v.hi, i+maxType)], ascii.Digit); n > 0 && i+n+1 < v.hi && v.text[i+n+1] == ')' {
			return n + 2 // the length of a column
		}
		return 0
	case '?':
		return 1
	default:
		return 0
	}
	return bytes.IndexByte(v.text[i:min(v.hi, i+maxType)], end) + 1
}

// property finds the value of a property of C#: name { get; set; } = "...".
func (v *view) property(i int) (int, bool) {
	rest := v.text[i:min(v.hi, i+2*maxType)]
	n := bytes.IndexByte(rest, '}')
	if !bytes.HasPrefix(bytes.TrimLeft(rest[1:], " "), []byte("get")) {
		return 0, false
	}
	if j := v.spaces(i + n + 1); j < v.hi && v.text[j] == '=' {
		return v.spaces(j + 1), true
	}
	return 0, false
}

// tagged skips what YAML may have before a value at i: an anchor, &name, or the
// tag of a plain type, !!str.
func (v *view) tagged(i int) int {
	j := i
	switch {
	case bytes.HasPrefix(v.text[i:v.hi], []byte("!!")):
		j += len("!!")
	case i < v.hi && v.text[i] == '&':
		j++
	default:
		return i
	}
	n := ascii.Run(v.text[j:min(v.hi, j+maxType)], ascii.Word|ascii.Dash)
	if k := v.spaces(j + n); n > 0 && k > j+n && k < v.hi {
		return k
	}
	return i
}
