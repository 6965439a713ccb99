package literal

import "github.com/envwrap/envwrap/redact/internal/ascii"

// An entry is a literal and its windows: one for each parity.
type entry struct {
	Literal
	windows [2]window
}

// A window is four bytes in or around a literal.
type window struct {
	off    int8 // of its first byte in the literal; -1 is before it
	bucket uint8
}

const (
	windowSize = 4 // in bytes
	pairBytes  = 2
)

// caseBit is the bit that differs between small and capital letters.
const caseBit = 0x20

// A pattern is the four bytes of a window, of which one before the literal may be any, and
// one after it is of a class.
type pattern struct {
	bytes [windowSize]byte
	known [windowSize]bool
	fold  bool
	next  ascii.Class // 0 is any
}

// patternOf returns the pattern of the window of l at off.
func patternOf(l *Literal, off int) pattern {
	w := pattern{fold: l.Fold, next: l.next(0)}
	for k := range w.bytes {
		if i := off + k; i >= 0 && i < len(l.Text) {
			w.bytes[k], w.known[k] = l.Text[i], true
		}
	}
	return w
}

// other returns the bit in which byte k may differ, 0 if it may not.
func (w *pattern) other(k int) byte {
	if w.fold && ascii.Is(w.bytes[k], ascii.Lower) {
		return caseBit
	}
	return 0
}

// A Literal is a fixed string to be found.
type Literal struct {
	Text string
	// Fold finds it in small and capital letters; Text is in small ones then.
	Fold bool
	// Start leaves out a literal right after a letter that shows that it is within a word.
	Start bool
	// ID is the caller's name for the literal.
	ID uint16
	// Next leaves out a literal if one of the Nexts bytes after it is not of this class, as
	// far as the text has them. At most two are examined.
	Next  ascii.Class
	Nexts uint8
}

// next returns the class of the byte i after the literal, 0 if it may be any.
func (l *Literal) next(i int) ascii.Class {
	if i >= int(l.Nexts) {
		return 0
	}
	return l.Next
}

// goesOn reports whether the bytes of b, which follow the literal, are of its class.
func (l *Literal) goesOn(b []byte) bool {
	for i := range min(len(b), int(l.Nexts), maxNexts) {
		if !ascii.Is(b[i], l.Next) {
			return false
		}
	}
	return true
}

// maxNexts is how many bytes after a literal are examined.
const maxNexts = 2

// At reports whether b begins with the literal.
func (l *Literal) At(b []byte) bool {
	if len(b) < len(l.Text) {
		return false
	}
	if l.Fold {
		return ascii.HasFold(b, l.Text)
	}
	return string(b[:len(l.Text)]) == l.Text
}

// withinWord reports whether b[i] is right after a letter that ends no escape and is no
// option of one letter. It does not know of all such letters.
func withinWord(b []byte, i int) bool {
	return i > 1 && b[i-1] > 'f' && b[i-1] <= 'z' && b[i-1] != 'm' && b[i-2] != '\\' && b[i-2] != '-'
}
