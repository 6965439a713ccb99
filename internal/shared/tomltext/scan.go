package tomltext

import (
	"errors"
	"fmt"
	"strings"
)

// Limits of a text. A text of 1 MiB that meets them is decoded within 0.1 s and 40 MB.
const (
	// MaxLevels is the most levels of tables and arrays: each name of a key, between
	// dots or in braces, is one, and so is each array.
	MaxLevels = 32
	// MaxParts is the most keys, values in arrays and comments. A key counts once for
	// each name of it and of the tables that it is in.
	MaxParts = 20_000
	// MaxKey is the most bytes of a key with the tables that it is in.
	MaxKey = 512
)

// An Error says why a text cannot be decoded.
type Error struct {
	Line   int // from 1; 0 if unknown
	Reason string
}

// Error returns the line and the reason.
func (e *Error) Error() string {
	if e.Line == 0 {
		return e.Reason
	}
	return fmt.Sprintf("line %d: %s", e.Line, e.Reason)
}

// errSyntax is a fault that the decoder reports better: it is given the text up to the
// end of what was scanned.
var errSyntax = errors.New("this is not TOML")

// A scanner counts the levels and parts of a text. It follows TOML 1.0 and, as the
// decoder does, lets inline tables have line breaks, comments and a comma at the end.
type scanner struct {
	text  string
	pos   int // of the next byte
	parts int // counted so far; see MaxParts
	deep  int // the most levels so far
	table location
	lines map[string]int // of each name at the top level

	counted, line int // lines before counted
}

// A location describes the tables and arrays around keys.
type location struct {
	names  int // of keys
	levels int // names and arrays
	bytes  int // of the names, with dots
}

// scan returns errSyntax where the text is no TOML, or an *Error where it is above a
// limit.
func (s *scanner) scan() error {
	s.text = strings.TrimPrefix(s.text, "\ufeff")
	for {
		if err := s.blanks(); err != nil || s.pos == len(s.text) {
			return err
		}
		item := s.header
		if s.text[s.pos] != '[' {
			item = func() error { return s.pair(s.table) }
		}
		if err := item(); err != nil {
			return err
		}
		s.spaces()
		if !s.atLineEnd() && s.next() != '#' {
			return errSyntax
		}
	}
}

// seen returns how much of the text the decoder is given: all, or where the scan ended
// early a little more than was scanned, for the decoder's message.
func (s *scanner) seen() int {
	const beyond = 64
	if s.pos+beyond >= len(s.text) {
		return len(s.text)
	}
	return s.pos + beyond
}

// header scans [name.name] or [[name.name]].
func (s *scanner) header() error {
	s.pos++
	end := "]"
	if s.next() == '[' {
		s.pos++
		end = "]]"
	}
	to, err := s.names(location{})
	if err != nil {
		return err
	}
	if !strings.HasPrefix(s.text[s.pos:], end) {
		return errSyntax
	}
	s.pos += len(end)
	s.table = to
	return nil
}

// pair scans a key, which may be dotted, and its value.
func (s *scanner) pair(at location) error {
	at, err := s.names(at)
	if err != nil {
		return err
	}
	if s.next() != '=' {
		return errSyntax
	}
	s.pos++
	s.spaces()
	return s.value(at)
}

// names scans the names of a key or of a table, and counts them. It returns the place
// below them.
func (s *scanner) names(at location) (location, error) {
	for {
		s.spaces()
		from, top := s.pos, at.names == 0
		if err := s.name(); err != nil {
			return at, err
		}
		if top {
			s.note(from)
		}
		at.names++
		at.levels++
		at.bytes += s.pos - from + 1
		if at.bytes > MaxKey+1 {
			return at, s.fault("a key has more than %d bytes", MaxKey)
		}
		if err := s.descend(at); err != nil {
			return at, err
		}
		if s.spaces(); s.next() != '.' {
			return at, s.count(at.names)
		}
		s.pos++
	}
}

// name scans one name of a key.
func (s *scanner) name() error {
	switch from := s.pos; s.next() {
	case '"':
		return s.basic()
	case '\'':
		return s.literal()
	default:
		s.pos += len(s.text[from:]) - len(strings.TrimLeft(s.text[from:], bareKey))
		if s.pos == from {
			return errSyntax
		}
		return nil
	}
}

const (
	digits  = "0123456789"
	letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	bareKey = letters + digits + "_-"
	scalar  = bareKey + "+.: \t" // numbers, words, and dates, which may have a space
)

// note records the line of a name at the top level that begins at from.
func (s *scanner) note(from int) {
	name := s.text[from:s.pos]
	if name[0] == '"' || name[0] == '\'' {
		name = name[1 : len(name)-1]
	}
	if s.lines[name] == 0 {
		s.lines[name] = s.lineAt(from)
	}
}

// value scans the value of a key, or one in an array.
func (s *scanner) value(at location) error {
	rest := s.text[s.pos:]
	switch s.next() {
	case '[':
		return s.array(at)
	case '{':
		return s.inline(at)
	case '"':
		if strings.HasPrefix(rest, `"""`) {
			return s.multiline('"')
		}
		return s.basic()
	case '\'':
		if strings.HasPrefix(rest, `'''`) {
			return s.multiline('\'')
		}
		return s.literal()
	}
	n := len(rest) - len(strings.TrimLeft(rest, scalar))
	s.pos += n
	if n == 0 {
		return errSyntax
	}
	return nil
}

// array scans [value, value].
func (s *scanner) array(at location) error {
	at.levels++
	if err := s.descend(at); err != nil {
		return err
	}
	if err := s.count(at.names); err != nil {
		return err
	}
	return s.list(']', func() error {
		if err := s.count(1); err != nil {
			return err
		}
		return s.value(at)
	})
}

// inline scans {key = value, key = value}.
func (s *scanner) inline(at location) error {
	if err := s.count(at.names); err != nil {
		return err
	}
	return s.list('}', func() error { return s.pair(at) })
}

// list scans the text between two brackets: items with commas, blanks and comments.
func (s *scanner) list(end byte, item func() error) error {
	s.pos++
	for {
		if err := s.blanks(); err != nil {
			return err
		}
		if s.next() == end {
			s.pos++
			return nil
		}
		if err := item(); err != nil {
			return err
		}
		if err := s.blanks(); err != nil {
			return err
		}
		switch s.next() {
		case ',':
			s.pos++
		case end:
		default:
			return errSyntax
		}
	}
}

// basic scans a string in double quotes.
func (s *scanner) basic() error {
	for s.pos++; ; s.pos++ {
		i := strings.IndexAny(s.text[s.pos:], "\"\\\n")
		if i < 0 {
			s.pos = len(s.text)
			return errSyntax
		}
		switch s.pos += i; s.text[s.pos] {
		case '"':
			s.pos++
			return nil
		case '\\':
			s.pos++
		default:
			return errSyntax
		}
		if s.pos >= len(s.text) {
			return errSyntax
		}
	}
}

// literal scans a string in single quotes.
func (s *scanner) literal() error {
	rest := s.text[s.pos+1:]
	i := strings.IndexAny(rest, "'\n")
	if i < 0 || rest[i] == '\n' {
		return errSyntax
	}
	s.pos += i + 2
	return nil
}

// multiline scans a string of several lines, in three quotes. It ends with a run of three
// quotes or more; the decoder refuses more than five.
func (s *scanner) multiline(quote byte) error {
	stop := string(quote)
	if quote == '"' {
		stop += `\`
	}
	for s.pos += 3; ; {
		i := strings.IndexAny(s.text[s.pos:], stop)
		if i < 0 {
			s.pos = len(s.text)
			return errSyntax
		}
		if s.pos += i; s.text[s.pos] == '\\' {
			s.pos = min(s.pos+2, len(s.text))
			continue
		}
		rest := s.text[s.pos:]
		run := len(rest) - len(strings.TrimLeft(rest, string(quote)))
		if s.pos += run; run >= 3 {
			return nil
		}
	}
}

// blanks skips spaces, line ends and comments, which are counted.
func (s *scanner) blanks() error {
	for {
		s.spaces()
		switch {
		case s.pos == len(s.text):
			return nil
		case s.next() == '#':
			if err := s.count(1); err != nil {
				return err
			}
			if i := strings.IndexByte(s.text[s.pos:], '\n'); i >= 0 {
				s.pos += i
			} else {
				s.pos = len(s.text)
			}
		case !s.atLineEnd():
			return nil
		case s.next() == '\r':
			s.pos += 2
		default:
			s.pos++
		}
	}
}

func (s *scanner) spaces() {
	for s.next() == ' ' || s.next() == '\t' {
		s.pos++
	}
}

// atLineEnd reports whether a line, or the text, ends here.
func (s *scanner) atLineEnd() bool {
	rest := s.text[s.pos:]
	return rest == "" || rest[0] == '\n' || strings.HasPrefix(rest, "\r\n")
}

// next returns the next byte, 0 at the end.
func (s *scanner) next() byte {
	if s.pos == len(s.text) {
		return 0
	}
	return s.text[s.pos]
}

// count adds n parts.
func (s *scanner) count(n int) error {
	if s.parts += max(n, 1); s.parts > MaxParts {
		return s.fault("there are more than %d keys and values", MaxParts)
	}
	return nil
}

// descend checks the levels of a place.
func (s *scanner) descend(at location) error {
	s.deep = max(s.deep, at.levels)
	if at.levels > MaxLevels {
		return s.fault("there are more than %d levels of tables and arrays", MaxLevels)
	}
	return nil
}

func (s *scanner) fault(format string, args ...any) error {
	return &Error{s.lineAt(s.pos), fmt.Sprintf(format, args...)}
}

// lineAt returns the number of the line, from 1, that has a position, which is not
// before that of the last call.
func (s *scanner) lineAt(pos int) int {
	s.line += strings.Count(s.text[s.counted:pos], "\n")
	s.counted = pos
	return s.line + 1
}
