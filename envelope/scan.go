package envelope

import (
	"fmt"
	"sync"
	"unicode/utf8"
)

// A scanner reads one JSON text strictly, as RFC 8259 has it, and finds what
// its grammar lets through and readers disagree on: repeated names, bytes that
// are no UTF-8, halves of surrogate pairs.
//
// What breaks the grammar ends the scan. The rest is handed to soft, which says
// whether to go on.
type scanner struct {
	src   []byte
	pos   int
	max   int // deepest nesting of arrays and objects
	depth int
	path  []step
	names [][]byte // of the members seen so far, of all open objects
	soft  func(Fault) bool
	fault *Fault              // what ended the scan
	at    int                 // where fault is
	utf8  bool                // all of src is UTF-8
	text  func(quoted []byte) // gets each string that is a value; nil is none
	keep  bool                // the members of the outermost object are wanted
	top   rawFields
}

// A step is one level of the way to a value: a member's name or an index.
type step struct {
	name  []byte
	index int // -1 for a member
}

// scan reads src, one JSON text with white space around it. The result is
// where it broke and why, or nil.
func scan(src []byte, depth int, soft func(Fault) bool) (*Fault, int) {
	s := scanners.Get().(*scanner)
	defer s.release()
	s.src, s.max, s.soft = src, depth, soft
	s.document()
	return s.fault, s.at
}

// scanTexts calls text for each string in a well-formed document that is a
// value, with the scanner there. However deep they are, the document is read
// once.
func scanTexts(src []byte, text func(s *scanner, quoted []byte)) {
	s := scanners.Get().(*scanner)
	defer s.release()
	s.src, s.max, s.soft = src, documentDepth, func(Fault) bool { return true }
	s.text = func(quoted []byte) { text(s, quoted) }
	s.document()
}

// document scans all of src.
func (s *scanner) document() {
	s.utf8 = utf8.Valid(s.src)
	s.space()
	if s.pos == len(s.src) {
		s.fail("json/syntax", "there is no value")
	}
	if s.fault == nil && s.value() {
		s.space()
		if s.pos < len(s.src) {
			s.fail("json/trailing", "there is more behind the value")
		}
	}
}

// scanners are those that wait for their next text.
var scanners = sync.Pool{New: func() any { return new(scanner) }}

// release gives s back, without a hold on the text it has read.
func (s *scanner) release() {
	clear(s.names[:cap(s.names)])
	clear(s.path[:cap(s.path)])
	clear(s.top[:cap(s.top)])
	*s = scanner{names: s.names[:0], path: s.path[:0], top: s.top[:0]}
	scanners.Put(s)
}

// fail ends the scan. It always returns false.
func (s *scanner) fail(rule, text string) bool {
	if s.fault == nil {
		s.at = s.pos
		s.fault = &Fault{s.pointer(), rule, text + inByte(s.pos)}
	}
	return false
}

// inByte is the end of a fault's text that says where in the document it is.
func inByte(pos int) string { return fmt.Sprintf(" (byte %d)", pos) }

// tell reports a soft fault at the current path and whether to go on.
func (s *scanner) tell(rule, text string) bool {
	f := Fault{s.pointer(), rule, text}
	if s.soft(f) {
		return true
	}
	s.at, s.fault = s.pos, &f
	return false
}

func (s *scanner) pointer() string { return pointerTo(s.path) }

// pointerTo spells a path as a JSON Pointer (RFC 6901).
func pointerTo(path []step) string {
	var b []byte
	for _, p := range path {
		b = append(b, '/')
		if p.index >= 0 {
			b = fmt.Append(b, p.index)
		} else {
			b = appendPointer(b, p.name)
		}
	}
	return string(b)
}

func (s *scanner) space() {
	for s.pos < len(s.src) && isSpace(s.src[s.pos]) {
		s.pos++
	}
}

// next skips white space and returns the byte there, 0 at the end.
func (s *scanner) next() byte {
	s.space()
	if s.pos == len(s.src) {
		return 0
	}
	return s.src[s.pos]
}

func (s *scanner) value() bool {
	switch c := s.next(); {
	case c == '{':
		ok := s.open() && s.object()
		s.depth--
		return ok
	case c == '[':
		ok := s.open() && s.array()
		s.depth--
		return ok
	case c == '"':
		quoted, ok := s.str()
		if ok && s.text != nil {
			s.text(quoted)
		}
		return ok
	case c == '-' || isDigit(c):
		return s.number()
	case c == 't':
		return s.literal("true")
	case c == 'f':
		return s.literal("false")
	case c == 'n':
		return s.literal("null")
	case s.pos == len(s.src):
		return s.fail("json/syntax", "the text ends where a value should be")
	}
	return s.unexpected("a value")
}

// open enters an array or object.
func (s *scanner) open() bool {
	s.depth++
	if s.depth > s.max {
		return s.fail("json/depth", fmt.Sprintf("nested deeper than %d levels", s.max))
	}
	s.pos++
	return true
}

func (s *scanner) array() bool {
	if s.next() == ']' {
		s.pos++
		return true
	}
	s.path = append(s.path, step{})
	here := len(s.path) - 1
	for {
		if !s.value() {
			return false
		}
		switch s.next() {
		case ',':
			s.pos++
			s.path[here].index++
		case ']':
			s.pos++
			s.path = s.path[:here]
			return true
		default:
			s.path = s.path[:here]
			return s.unexpected(`"," or "]"`)
		}
	}
}

func (s *scanner) object() bool {
	if s.next() == '}' {
		s.pos++
		return true
	}
	seen := nameSet[[]byte]{from: len(s.names)}
	for {
		if !s.member(&seen) {
			return false
		}
		switch s.next() {
		case ',':
			s.pos++
		case '}':
			s.pos++
			s.names = s.names[:seen.from]
			return true
		default:
			return s.unexpected(`"," or "}"`)
		}
	}
}

func (s *scanner) member(seen *nameSet[[]byte]) bool {
	if s.next() != '"' {
		return s.unexpected("a name in double quotes")
	}
	quoted, ok := s.str()
	if !ok {
		return false
	}
	name := unquoted(quoted)
	s.path = append(s.path, step{name, -1})
	if seen.add(&s.names, name) && !s.tell("json/duplicate", fmt.Sprintf("the name %q is there already", name)) {
		return false
	}
	if s.next() != ':' {
		return s.unexpected(`":"`)
	}
	s.pos++
	s.space()
	start := s.pos
	if !s.value() {
		return false
	}
	if s.keep && s.depth == 1 {
		s.top = append(s.top, rawField{name, s.src[start:s.pos:s.pos]})
	}
	s.path = s.path[:len(s.path)-1]
	return true
}

func (s *scanner) unexpected(want string) bool {
	if s.pos >= len(s.src) {
		return s.fail("json/syntax", "the text ends where "+want+" should be")
	}
	r, _ := utf8.DecodeRune(s.src[s.pos:])
	return s.fail("json/syntax", fmt.Sprintf("%q stands where %s should be", r, want))
}
