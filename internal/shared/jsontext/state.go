package jsontext

import (
	"fmt"
	"sync"
	"unicode/utf8"
)

// A Fault is something wrong with a JSON text.
type Fault struct {
	Pointer string // JSON Pointer (RFC 6901) to the value; "" in a text that arrives in pieces
	Rule    string // json/syntax, json/trailing, json/depth, json/duplicate, json/utf8 or json/surrogate
	Text    string
	Offset  int64 // in bytes, where the fault was found
}

// A Reader checks a JSON text: one value, or values on lines of their own
// (NDJSON). The options are set before the first byte.
//
// A syntax error ends the reading. Repeated names, bytes that are not UTF-8 and
// unpaired surrogates, which the grammar allows and parsers treat differently, end it
// unless Warn returns true.
//
// The zero Reader reads a text that is written in pieces, of which it keeps only hashes
// of names. It does not check UTF-8.
type Reader struct {
	MaxDepth   int  // deepest nesting of arrays and objects; 0 means no limit
	Containers bool // only arrays and objects may be at top level
	Single     bool // a second value is a fault
	Empty      bool // no value is not a fault

	Warn func(Fault) bool            // reports whether to continue after a fault; nil never does
	Text func(r *Reader, str []byte) // called for each string of a whole document that is a value, with its quotes
	Keep bool                        // set Top to the members of a whole document that is an object

	Top    Object // see Keep
	Path   []Step // in a whole document, the path to the value being read
	Values int64  // complete values at top level
	Items  int64  // elements of the first value if that is an array
	Array  bool   // the first value is an array
	Broken bool   // a value continues on another line
	fault  *Fault // what ended the reading

	src     []byte // the whole document; nil for a text in pieces
	valid   bool   // src is UTF-8
	state   state
	base    int64 // offset of the piece in hand
	stack   []byte
	newline bool   // since the last value at top level
	from    int    // where in the piece the string in hand begins; its quote if it is a whole document's
	top     int    // where the value of an outermost member begins
	isName  bool   // the string in hand is a name
	name    []byte // the part of a name that was in earlier pieces
	token   int64  // offset of the literal or escape in hand
	first   byte   // of the literal in hand
	word    string // the rest of it
	hex     rune   // digits of a \u escape so far
	digits  int    // how many
	high    rune   // the first half of a surrogate pair, if that came last
	highAt  int64
	names   names
}

var readers = sync.Pool{New: func() any { return new(Reader) }}

// Fault returns the fault that ended the reading, or nil.
func (r *Reader) Fault() *Fault { return r.fault }

// One reports whether the text, which must be closed, is one value.
func (r *Reader) One() bool { return r.state == atTop && r.Values == 1 }

// Lines reports whether the text, which must be closed, has each value on a line of its
// own.
func (r *Reader) Lines() bool { return r.state == atTop && r.Values > 0 && !r.Broken }

// Offset returns how many bytes have been read.
func (r *Reader) Offset() int64 { return r.base }

// Pointer returns the JSON Pointer to the value being read.
func (r *Reader) Pointer() string { return Pointer(r.Path) }

// fail ends the reading. It returns the end of any piece.
func (r *Reader) fail(at int64, rule, format string, args ...any) int {
	const end = int(^uint(0) >> 1)
	if r.high != 0 && !r.warnHalf(r.high) {
		return end
	}
	r.fault = &Fault{r.Pointer(), rule, fmt.Sprintf(format, args...), at}
	r.state = ended
	return end
}

// warn reports what the grammar allows, and whether to go on.
func (r *Reader) warn(at int64, rule, text string) bool {
	f := Fault{r.Pointer(), rule, text, at}
	if r.Warn != nil && r.Warn(f) {
		return true
	}
	r.fault, r.state = &f, ended
	return false
}

// expected says what the next byte has to begin.
func (r *Reader) expected() string {
	switch r.state {
	case atFirstName, atName:
		return "a name in double quotes"
	case atColon:
		return `":"`
	case atNext:
		if r.stack[len(r.stack)-1] == '{' {
			return `"," or "}"`
		}
		return `"," or "]"`
	case inMinus, inPoint, inExponent, inSign:
		return "a digit"
	}
	return "a value"
}

// unexpected ends the reading at what the grammar does not allow: the beginning
// of rest, or the end of the text.
func (r *Reader) unexpected(at int64, rest []byte) int {
	if r.src != nil && r.state == atNext && r.stack[len(r.stack)-1] == '[' {
		r.Path = r.Path[:len(r.Path)-1]
	}
	if len(rest) == 0 {
		return r.fail(at, "json/syntax", "the text ends where %s should be", r.expected())
	}
	c, _ := utf8.DecodeRune(rest)
	if r.src == nil { // of a character in pieces the first byte
		c = rune(rest[0])
	}
	return r.fail(at, "json/syntax", "%q is where %s should be", c, r.expected())
}

// warnHalf reports half of a surrogate pair, and whether to go on.
func (r *Reader) warnHalf(half rune) bool {
	r.high = 0
	return r.warn(r.highAt, "json/surrogate", fmt.Sprintf(`\u%04x is half of a surrogate pair`, half))
}
