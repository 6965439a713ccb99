package envelope

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

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
			if !s.utf8 && !utf8.Valid(quoted) && !s.tell("json/utf8", "the string is not valid UTF-8") {
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
