package envelope

import (
	"bytes"
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
	fault *Fault // what ended the scan
	at    int    // where fault is
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
	s.space()
	if s.pos == len(src) {
		s.fail("json/syntax", "there is no value")
	}
	if s.fault == nil && s.value() {
		s.space()
		if s.pos < len(src) {
			s.fail("json/trailing", "there is more behind the value")
		}
	}
	return s.fault, s.at
}

// scanners are those that wait for their next text.
var scanners = sync.Pool{New: func() any { return new(scanner) }}

// release gives s back, without a hold on the text it has read.
func (s *scanner) release() {
	clear(s.names[:cap(s.names)])
	clear(s.path[:cap(s.path)])
	*s = scanner{names: s.names[:0], path: s.path[:0]}
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
		_, ok := s.str()
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
	if !s.value() {
		return false
	}
	s.path = s.path[:len(s.path)-1]
	return true
}

// str reads the string at pos and returns it with its quotes.
func (s *scanner) str() ([]byte, bool) {
	start := s.pos
	for s.pos++; s.pos < len(s.src); s.pos++ {
		s.pos += plainLength(s.src[s.pos:])
		if s.pos == len(s.src) {
			break
		}
		switch c := s.src[s.pos]; {
		case c == '"':
			s.pos++
			quoted := s.src[start:s.pos]
			if !utf8.Valid(quoted) && !s.tell("json/utf8", "the string is not valid UTF-8") {
				return nil, false
			}
			return quoted, true
		case c == '\\':
			if !s.escape() {
				return nil, false
			}
		default:
			return nil, s.fail("json/syntax", fmt.Sprintf("the control character %#U stands bare in a string", rune(c)))
		}
	}
	return nil, s.fail("json/syntax", "the text ends inside a string")
}

// escape reads the escape at pos and leaves pos at its last byte.
func (s *scanner) escape() bool {
	s.pos++
	if s.pos == len(s.src) {
		return s.fail("json/syntax", "the text ends inside a string")
	}
	switch s.src[s.pos] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return true
	case 'u':
		return s.unicode()
	}
	return s.fail("json/syntax", "the escape is none of JSON's")
}

func (s *scanner) unicode() bool {
	r, ok := hex4(s.src[s.pos+1:])
	if !ok {
		return s.fail("json/syntax", `four hexadecimal digits must follow \u`)
	}
	s.pos += 4
	if r < 0xD800 || r > 0xDFFF {
		return true
	}
	if low := s.src[s.pos+1:]; r < 0xDC00 && bytes.HasPrefix(low, []byte(`\u`)) {
		if l, ok := hex4(low[2:]); ok && l >= 0xDC00 && l <= 0xDFFF {
			s.pos += 6
			return true
		}
	}
	return s.tell("json/surrogate", fmt.Sprintf(`\u%04x is half of a surrogate pair`, r))
}

func (s *scanner) number() bool {
	if s.src[s.pos] == '-' {
		s.pos++
	}
	switch {
	case s.pos < len(s.src) && s.src[s.pos] == '0':
		s.pos++
	case !s.digits():
		return s.unexpected("a digit")
	}
	if s.pos < len(s.src) && s.src[s.pos] == '.' {
		if s.pos++; !s.digits() {
			return s.unexpected("a digit")
		}
	}
	if s.pos < len(s.src) && s.src[s.pos]|0x20 == 'e' {
		s.pos++
		if s.pos < len(s.src) && (s.src[s.pos] == '+' || s.src[s.pos] == '-') {
			s.pos++
		}
		if !s.digits() {
			return s.unexpected("a digit")
		}
	}
	return true
}

// digits skips digits and reports whether there was one.
func (s *scanner) digits() bool {
	start := s.pos
	for s.pos < len(s.src) && isDigit(s.src[s.pos]) {
		s.pos++
	}
	return s.pos > start
}

func (s *scanner) literal(word string) bool {
	if !bytes.HasPrefix(s.src[s.pos:], []byte(word)) {
		return s.unexpected("a value")
	}
	s.pos += len(word)
	return true
}

func (s *scanner) unexpected(want string) bool {
	if s.pos >= len(s.src) {
		return s.fail("json/syntax", "the text ends where "+want+" should be")
	}
	r, _ := utf8.DecodeRune(s.src[s.pos:])
	return s.fail("json/syntax", fmt.Sprintf("%q stands where %s should be", r, want))
}

// A nameSet knows the names of one object: a few by looking through them, many
// by a map.
type nameSet[T string | []byte] struct {
	from int // the object's first name in the list of all names
	many map[string]struct{}
}

const fewNames = 16

// add puts name into the set and reports whether it was there before.
func (n *nameSet[T]) add(names *[]T, name T) (repeated bool) {
	if n.many != nil {
		_, repeated = n.many[string(name)]
		n.many[string(name)] = struct{}{}
		return repeated
	}
	own := (*names)[n.from:]
	for _, other := range own {
		if string(other) == string(name) {
			return true
		}
	}
	*names = append(*names, name)
	if len(own) == fewNames {
		n.many = make(map[string]struct{}, 4*fewNames)
		for _, name := range (*names)[n.from:] {
			n.many[string(name)] = struct{}{}
		}
	}
	return false
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\r' || c == '\t' }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// hex4 reads four hexadecimal digits.
func hex4(b []byte) (r rune, ok bool) {
	if len(b) < 4 {
		return 0, false
	}
	for _, c := range b[:4] {
		switch {
		case isDigit(c):
			r = r<<4 | rune(c-'0')
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			r = r<<4 | rune(c|0x20-'a'+10)
		default:
			return 0, false
		}
	}
	return r, true
}
