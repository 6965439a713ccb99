package pipeline

import "strings"

// word reads one word, appends it to the stage's arguments and reports whether
// there was one.
func (p *parser) word(s *Stage) bool {
	w := Word{Literal: true, Quoted: p.peek(0) == '"' || p.peek(0) == '\''}
	var text strings.Builder
	start := p.pos
	for p.pos < len(p.text) {
		c := p.peek(0)
		switch {
		case p.has("\\\n"):
			p.pos += 2
			continue
		case p.has("<(") || p.has(">("):
			p.pos += 2
			from := p.pos
			p.substitution()
			text.WriteString(p.text[from-2 : p.pos])
			w.Literal = false
			continue
		case strings.IndexByte(" \t\n;&|()<>", c) >= 0:
			return p.endWord(s, w, &text, start)
		}
		switch c {
		case '\\':
			if p.pos+1 < len(p.text) {
				text.WriteByte(p.peek(1))
			}
			p.pos = min(p.pos+2, len(p.text))
		case '\'':
			end := strings.IndexByte(p.text[p.pos+1:], '\'')
			if end < 0 {
				p.fail()
				return false
			}
			text.WriteString(p.text[p.pos+1 : p.pos+1+end])
			p.pos += end + 2
		case '"':
			p.quoted(&w, &text)
		case '$', '`':
			p.expansion(&w, &text, false)
		default:
			if strings.IndexByte("*?[{~", c) >= 0 && !(c == '[' && p.pos == start) {
				w.Literal = false
			}
			text.WriteByte(c)
			p.pos++
		}
	}
	return p.endWord(s, w, &text, start)
}

func (p *parser) endWord(s *Stage, w Word, text *strings.Builder, start int) bool {
	if p.pos == start || p.failed {
		return false
	}
	w.Text = text.String()
	s.Argv = append(s.Argv, w)
	return true
}

// quoted reads a double-quoted part.
func (p *parser) quoted(w *Word, text *strings.Builder) {
	p.pos++
	for p.pos < len(p.text) {
		switch c := p.peek(0); c {
		case '"':
			p.pos++
			return
		case '\\':
			next := p.peek(1)
			if next != '\n' {
				if strings.IndexByte("$`\"\\", next) < 0 {
					text.WriteByte('\\')
				}
				text.WriteByte(next)
			}
			p.pos = min(p.pos+2, len(p.text))
		case '$', '`':
			p.expansion(w, text, true)
		default:
			text.WriteByte(c)
			p.pos++
		}
	}
	p.fail()
}

// expansion reads what begins with $ or a backquote.
func (p *parser) expansion(w *Word, text *strings.Builder, inQuotes bool) {
	from := p.pos
	switch {
	case p.take("`"):
		for p.peek(0) != '`' {
			if p.peek(0) == '\\' {
				p.pos++
			}
			if p.pos++; p.pos >= len(p.text) {
				p.fail()
				return
			}
		}
		p.pos++
	case p.has("$(("):
		p.arithmetic()
	case p.take("$("):
		p.substitution()
	case p.take("${"):
		p.parameter()
	case !inQuotes && p.has("$'"):
		p.ansi(w, text)
		return
	case !inQuotes && p.has("$\""):
		p.pos++
		p.quoted(w, text)
		return
	default:
		p.pos++
		next := p.peek(0)
		if !isName(next, false) && (next == 0 || strings.IndexByte("@*#?-$!", next) < 0) { // a dollar sign by itself
			text.WriteByte('$')
			return
		}
		p.pos++ // more of a name reads as text does
	}
	w.Literal = false
	text.WriteString(p.text[from:p.pos])
}

// substitution reads a command substitution to its closing parenthesis.
func (p *parser) substitution() {
	docs := p.docs
	p.docs = nil
	p.subshell()
	if len(p.docs) > 0 {
		p.fail()
	}
	p.docs = docs
}

// arithmetic reads $((...)).
func (p *parser) arithmetic() {
	p.pos++ // the dollar sign
	open := 0
	for p.pos < len(p.text) {
		switch p.peek(0) {
		case '(':
			open++
		case ')':
			open--
		case '\'', '"', '\\', '`':
			p.fail()
			return
		}
		p.pos++
		if open == 0 {
			return
		}
	}
	p.fail()
}

// parameter reads ${...} after its brace.
func (p *parser) parameter() {
	for p.pos < len(p.text) {
		switch p.peek(0) {
		case '}':
			p.pos++
			return
		case '\'', '"', '\\', '`', '{', '$', '(':
			p.fail() // nested quotes and expansions follow rules of their own
			return
		}
		p.pos++
	}
	p.fail()
}

// ansi reads $'...'.
func (p *parser) ansi(w *Word, text *strings.Builder) {
	p.pos += 2
	for p.pos < len(p.text) {
		c := p.peek(0)
		p.pos++
		switch c {
		case '\'':
			return
		case '\\':
			w.Literal = false
			text.WriteByte(c)
			c = p.peek(0)
			p.pos++
		}
		text.WriteByte(c)
	}
	p.fail()
}

func isName(c byte, first bool) bool {
	return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || !first && '0' <= c && c <= '9'
}
