package check

import (
	"bytes"
	"strings"

	"github.com/envwrap/envwrap/envelope/internal/wire"
	"github.com/envwrap/envwrap/internal/shared/jsontext"
)

// Secrets returns a fault for each name and value in which a document differs from its
// masked form. Both must be well-formed; each is read once, however deep it is.
func Secrets(doc, masked []byte) []wire.Fault {
	d := maskDiff{doc: doc, masked: masked}
	d.separators()
	d.value()
	return d.faults
}

// A maskDiff walks through a document and its masked self side by side.
type maskDiff struct {
	doc, masked []byte
	i, j        int // where it is in each
	path        []jsontext.Step
	faults      []wire.Fault
}

func (d *maskDiff) report(text string) {
	d.faults = append(d.faults, wire.Fault{Pointer: jsontext.Pointer(d.path), Rule: "secret/clear", Text: text})
}

func (d *maskDiff) value() {
	if k := d.doc[d.i]; (k == '{' || k == '[') && d.masked[d.j] == k {
		d.nested(k)
		return
	}
	if a, b := d.skip(); !bytes.Equal(a, b) {
		d.report("a secret is in the clear")
	}
}

// skip passes the values here and returns them.
func (d *maskDiff) skip() (a, b []byte) {
	i, j := d.i, d.j
	d.i, d.j = jsontext.Skip(d.doc, i), jsontext.Skip(d.masked, j)
	return d.doc[i:d.i], d.masked[j:d.j]
}

// nested walks through the arrays or objects here, as far as both go.
func (d *maskDiff) nested(open byte) {
	i, j := d.i, d.j
	d.i, d.j = i+1, j+1
	for index := 0; ; index++ {
		d.separators()
		a, b := isClosing(d.doc[d.i]), isClosing(d.masked[d.j])
		switch {
		case a && b:
			d.i, d.j = d.i+1, d.j+1
			return
		case a || b:
			d.i, d.j = i, j
			d.skip()
			return
		case open == '[':
			d.path = append(d.path, jsontext.Step{Index: index})
			d.value()
			d.path = d.path[:len(d.path)-1]
		default:
			d.member()
		}
	}
}

// member walks through the members here. A value whose name is a secret has
// no pointer that could be shown.
func (d *maskDiff) member() {
	a, b := d.skip()
	name, other := jsontext.Unquote(a), jsontext.Unquote(b)
	d.separators()
	if !bytes.Equal(name, other) {
		d.report("a secret is in the clear in a name")
		d.skip()
		return
	}
	d.path = append(d.path, jsontext.Step{Name: name, Index: -1})
	d.value()
	d.path = d.path[:len(d.path)-1]
}

// separators skips the characters between values.
func (d *maskDiff) separators() {
	d.i, d.j = skipSeparators(d.doc, d.i), skipSeparators(d.masked, d.j)
}

func skipSeparators(src []byte, pos int) int {
	for pos < len(src) && strings.IndexByte(" \t\r\n,:", src[pos]) >= 0 {
		pos++
	}
	return pos
}

func isClosing(c byte) bool { return c == '}' || c == ']' }
