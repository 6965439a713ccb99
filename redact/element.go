package redact

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/ascii"
)

const cdata = "<![CDATA["

// maxTag is the greatest length of the tag of an element.
const maxTag = 40

// nextElement finds the text of the element after that which ends at i, on this
// line or on the next: <key>name</key><string>value</string>.
func (v *view) nextElement(i int) (int, operator) {
	n := bytes.IndexByte(v.text[i:min(v.hi, i+maxTag)], '>')
	if n < 0 {
		return 0, opNone
	}
	op := opTag
	var buf [maxTag]byte
	switch tag := ascii.AppendLower(buf[:0], v.text[i:i+n+1]); {
	case bytes.HasSuffix(tag, []byte("key>")), bytes.HasSuffix(tag, []byte("name>")):
	case string(tag) == "</td>", string(tag) == "</th>", string(tag) == "</dt>":
		op = opComma // the next cell is as often what the documents say of the name
	default:
		return 0, opNone
	}
	header := v.text[i+n-1] == 'h'
	i = v.spaces(i + n + 1)
	if i >= v.hi {
		return i, op
	}
	if header && ascii.HasFold(v.text[i:v.hi], "<th") {
		return 0, opNone // the name of another column
	}
	if j := v.openTag(i); j > i {
		return j, op
	}
	return 0, opNone
}

// openTag skips the tag that opens an element at i, or what opens its data, if there is one.
func (v *view) openTag(i int) int {
	if bytes.HasPrefix(v.text[i:v.hi], []byte(cdata)) {
		return i + len(cdata)
	}
	if i+1 >= v.hi || v.text[i] != '<' || !ascii.Is(v.text[i+1], ascii.Alpha) {
		return i
	}
	n := bytes.IndexByte(v.text[i:min(v.hi, i+maxTag)], '>')
	if n < 0 {
		return i
	}
	return i + n + 1
}

// valueTag skips the tag that opens an element at i for the value of the one around it.
func (v *view) valueTag(i int) int {
	if ascii.HasFold(v.text[i:v.hi], "<value>") {
		return i + len("<value>")
	}
	return i
}

// attributes finds the value of an XML element whose name is or has the name
// before i: value="..." or what is after the tag.
func (v *view) attributes(i int) (int, bool) {
	for j := i; j < v.hi && j-i < 100; j++ {
		switch v.text[j] {
		case '>':
			return v.valueTag(v.spaces(j + 1)), true
		case '<', '{', '(', ',':
			return 0, false
		case 'v', 'c':
			for _, w := range [...]string{"value=", "content="} {
				if ascii.HasFold(v.text[j:v.hi], w) && (v.text[j-1] == ' ' || v.text[j-1] == ':') {
					return j + len(w), true
				}
			}
		}
	}
	return 0, false
}

// prefixedTag reports whether the name at start is that of an element after the
// name of its space: <ns:name.
func (v *view) prefixedTag(start int) bool {
	if start == v.lo || v.text[start-1] != ':' {
		return false
	}
	n := ascii.RunBack(v.text[max(v.lo, start-maxType):start-1], ascii.Word|ascii.Dash)
	return n > 0 && start-2-n >= v.lo && v.text[start-2-n] == '<'
}

// closedTag reports whether the closing tag of an element, or the end of its data, follows its text.
func (v *view) closedTag(f *field) bool {
	rest, data := bytes.CutPrefix(v.text[f.value.end:v.hi], []byte("]]>"))
	return data && len(trimRight(rest)) == 0 || bytes.HasPrefix(rest, []byte("</")) || bytes.HasPrefix(rest, []byte("&lt;/")) || ascii.HasFold(rest, `\u003c/`)
}
