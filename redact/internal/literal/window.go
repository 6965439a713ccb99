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

// A pattern is the four bytes of a window, of which those beyond the literal's ends may be
// any.
type pattern struct {
	bytes [windowSize]byte
	known [windowSize]bool
	fold  bool
}

// patternOf returns the pattern of the window of l at off.
func patternOf(l *Literal, off int) pattern {
	w := pattern{fold: l.Fold}
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
}

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
