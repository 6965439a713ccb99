package syntax

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/ascii"
)

const cdata = "<![CDATA["

// MaxTag is the greatest length of the tag of an element.
const MaxTag = 40

// nextElement returns the offset of the text of the element after that which ends at i, on
// this line or on the next: <key>name</key><string>value</string>.
func (l *Line) nextElement(i int) (int, Operator) {
	n := bytes.IndexByte(l.Text[i:min(l.Hi, i+MaxTag)], '>')
	if n < 0 {
		return 0, OpNone
	}
	op := OpTag
	var buf [MaxTag]byte
	switch tag := ascii.AppendLower(buf[:0], l.Text[i:i+n+1]); {
	case bytes.HasSuffix(tag, []byte("key>")), bytes.HasSuffix(tag, []byte("name>")):
	case string(tag) == "</td>", string(tag) == "</th>", string(tag) == "</dt>":
		op = OpComma // the next cell is as often a description of the name
	default:
		return 0, OpNone
	}
	header := l.Text[i+n-1] == 'h'
	i = l.SkipSpaces(i + n + 1)
	if i >= l.Hi {
		return i, op
	}
	if header && ascii.HasFold(l.Text[i:l.Hi], "<th") {
		return 0, OpNone // the name of another column
	}
	if j := l.SkipOpenTag(i); j > i {
		return j, op
	}
	return 0, OpNone
}

// SkipOpenTag skips the tag that opens an element, or the beginning of its data, at i.
func (l *Line) SkipOpenTag(i int) int {
	if bytes.HasPrefix(l.Text[i:l.Hi], []byte(cdata)) {
		return i + len(cdata)
	}
	if i+1 >= l.Hi || l.Text[i] != '<' || !ascii.Is(l.Text[i+1], ascii.Alpha) {
		return i
	}
	n := bytes.IndexByte(l.Text[i:min(l.Hi, i+MaxTag)], '>')
	if n < 0 {
		return i
	}
	return i + n + 1
}

// valueTag skips the tag at i that opens an element for the value of the one around it.
func (l *Line) valueTag(i int) int {
	if ascii.HasFold(l.Text[i:l.Hi], "<value>") {
		return i + len("<value>")
	}
	return i
}

// namesElement reports whether the name is all of an attribute that says what the text of
// its element is: <property name="password">. The id of a place in a page, the address
// that a link goes to and a title do not, nor does the name of an anchor.
func (n Name) namesElement() bool {
	b := bytes.TrimRight(n.Text[max(n.Lo, n.Start-MaxTag):n.Start], `\"'`)
	if len(b) == 0 || b[len(b)-1] != '=' {
		return false
	}
	b = b[:len(b)-1]
	attribute := len(b) - ascii.RunBack(b, ascii.Alpha)
	tag := bytes.LastIndexByte(b, '<')
	for _, w := range [...]string{"name", "key", "property", "field", "attribute", "param"} {
		if ascii.HasFold(b[attribute:], w) {
			return tag < 0 || !ascii.HasFold(b[tag:], "<a ")
		}
	}
	return false
}

// attributes returns the offset of the value of an XML element whose name precedes i, or
// that has the name in an attribute before i: the attribute value="..." or, if named is
// set, the text after the tag.
func (l *Line) attributes(i int, named bool) (int, bool) {
	for j := i; j < l.Hi && j-i < 100; j++ {
		switch l.Text[j] {
		case '>':
			return l.valueTag(l.SkipSpaces(j + 1)), named
		case '<', '{', '(', ',':
			return 0, false
		case 'v', 'c':
			for _, w := range [...]string{"value=", "content="} {
				if ascii.HasFold(l.Text[j:l.Hi], w) && (l.Text[j-1] == ' ' || l.Text[j-1] == ':') {
					return j + len(w), true
				}
			}
		}
	}
	return 0, false
}

// ClosesElement reports whether the closing tag of an element, or the end of its data, is
// at i, if need be after a quote.
func (l *Line) ClosesElement(i int) bool {
	i += l.encodedQuote(i)
	rest, data := bytes.CutPrefix(l.Text[i:l.Hi], []byte("]]>"))
	return data && len(TrimRight(rest)) == 0 || bytes.HasPrefix(rest, []byte("</")) || bytes.HasPrefix(rest, []byte("&lt;/")) || ascii.HasFold(rest, `\u003c/`)
}
