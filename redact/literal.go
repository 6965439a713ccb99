package redact

import "github.com/envwrap/envwrap/redact/internal/ascii"

// A literal is a fixed string that every match of some rule contains.
type literal struct {
	text string
	fold bool // in either case; text is in lower case
}

// A hit is a literal found in a text.
type hit struct {
	lit int
	pos int
}

// A record is a literal, the rule that it is of, and its windows: one for each parity.
type record struct {
	literal
	of      kind
	arg     uint16 // which rule of the kind
	windows [2]window
}

// A window is four bytes in or around a literal.
type window struct {
	off    int8 // of its first byte in the literal; -1 is before it
	bucket uint8
}

// A kind says what a literal is of.
type kind uint8

const (
	ofToken   kind = iota // the prefix of tokens
	ofName                // a keyword of names
	ofInfix               // the fixed part of an infix
	ofVendor              // the name of a vendor
	ofWebhook             // the host and path of a webhook
	ofProgram             // the name of a program, and a space
	ofMatcher             // what a matcher of its own begins with
	ofService             // the name of a service
)

// caseBit is what small and capital letters differ in.
const caseBit = 0x20

// A window4 is four bytes of a literal, or beyond its ends, where any will do.
type window4 struct {
	bytes [4]byte
	known [4]bool
	fold  bool
}

func windowOf(l literal, off int) window4 {
	w := window4{fold: l.fold}
	for k := range w.bytes {
		if i := off + k; i >= 0 && i < len(l.text) {
			w.bytes[k], w.known[k] = l.text[i], true
		}
	}
	return w
}

// other returns the bit in which byte k may differ, 0 where there is none.
func (w *window4) other(k int) byte {
	if w.fold && ascii.Is(w.bytes[k], ascii.Lower) {
		return caseBit
	}
	return 0
}

// at reports whether b begins with the literal.
func (l *literal) at(b []byte) bool {
	if len(b) < len(l.text) {
		return false
	}
	if l.fold {
		return ascii.HasFold(b, l.text)
	}
	return string(b[:len(l.text)]) == l.text
}

// withinWord reports whether b[i] is right after a letter that ends no escape, as no
// short prefix of a token is. It does not know of all such letters.
func withinWord(b []byte, i int) bool {
	return i > 1 && b[i-1] > 'f' && b[i-1] <= 'z' && b[i-1] != 'm' && b[i-2] != '\\'
}
