// Package hook rewrites the command lines that agents are about to run, so that
// they run under envwrap.
//
// It understands little of the shell on purpose: a line that it does not
// understand as a whole stays as it is.
package hook

import "strings"

// A word of a line: where it begins and what it says without its quotes.
type word struct {
	at   int
	text string
	// plain says that no part was quoted, so that it may be a word of the shell.
	plain bool
}

// A simple is a simple command (POSIX, Shell Command Language 2.9.1), without
// redirections other than 2>&1.
type simple []word

// split takes a line apart that is nothing but simple commands with && between
// them. It reports false for everything else: pipelines, lists, redirections,
// here-documents, substitutions, compound commands, comments, several lines.
func split(line string) ([]simple, bool) {
	if strings.ContainsAny(line, "\x00\ufffd") { // what was no text would not come out as it was
		return nil, false
	}
	s := scanner{line: line}
	list := []simple{nil}
	for {
		w, kind := s.next()
		last := len(list) - 1
		switch kind {
		case aWord:
			list[last] = append(list[last], w)
		case anAnd:
			list = append(list, nil)
		case theEnd:
			return list, len(list[last]) > 0
		default:
			return nil, false
		}
		if kind == anAnd && len(list[last]) == 0 {
			return nil, false
		}
	}
}

type kind int

const (
	notUnderstood kind = iota
	aWord
	anAnd
	theEnd
)

type scanner struct {
	line string
	at   int
}

// next reads the next word or operator. A line may end with blanks and
// newlines.
func (s *scanner) next() (word, kind) {
	s.at += len(s.line[s.at:]) - len(strings.TrimLeft(s.line[s.at:], " \t"))
	rest := s.line[s.at:]
	switch {
	case strings.Trim(rest, " \t\n") == "":
		return word{}, theEnd
	case strings.HasPrefix(rest, "&&"):
		s.at += 2
		return word{}, anAnd
	case strings.HasPrefix(rest, "2>&1") && (len(rest) == 4 || strings.IndexByte(" \t\n", rest[4]) >= 0):
		s.at += 4
		return word{at: s.at - 4, text: "2>&1"}, aWord
	case rest[0] == '#', rest[0] == '\n':
		return word{}, notUnderstood
	}
	return s.word()
}

// word reads a word to its end, through its quotes.
func (s *scanner) word() (word, kind) {
	w := word{at: s.at, plain: true}
	var text strings.Builder
	for s.at < len(s.line) {
		c := s.line[s.at]
		switch c {
		case ' ', '\t', '\n', '&':
			w.text = text.String()
			if c == '&' && !strings.HasPrefix(s.line[s.at:], "&&") {
				return w, notUnderstood
			}
			return w, aWord
		case '|', ';', '<', '>', '(', ')', '`':
			return w, notUnderstood
		case '\'', '"':
			quoted, ok := s.quoted(c)
			if !ok {
				return w, notUnderstood
			}
			w.plain = false
			text.WriteString(quoted)
			continue
		case '\\':
			if s.at+1 == len(s.line) || s.line[s.at+1] == '\n' {
				return w, notUnderstood
			}
			w.plain = false
			s.at++
			c = s.line[s.at]
		}
		text.WriteByte(c)
		s.at++
	}
	w.text = text.String()
	return w, aWord
}

// quoted reads a quoted part, from its first quote. A substitution in it is not
// understood; nor is a quote that does not end.
func (s *scanner) quoted(quote byte) (string, bool) {
	var text strings.Builder
	for i := s.at + 1; i < len(s.line); i++ {
		switch c := s.line[i]; {
		case c == quote:
			s.at = i + 1
			return text.String(), true
		case quote == '"' && (c == '`' || strings.HasPrefix(s.line[i:], "$(")):
			return "", false
		case quote == '"' && c == '\\' && i+1 < len(s.line):
			i++
			text.WriteByte(s.line[i])
		default:
			text.WriteByte(c)
		}
	}
	return "", false
}
