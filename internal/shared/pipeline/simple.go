package pipeline

import "strings"

// simple reads a simple command: assignments, words and redirections.
func (p *parser) simple() (s Stage) {
	known, begin := true, p.pos
	for !p.failed {
		p.skipSpace()
		if p.redirection(&s) {
			continue
		}
		if len(s.Argv) == 0 && known && p.assignment() {
			continue
		}
		if !p.word(&s) {
			break
		}
		if len(s.Argv) == 1 {
			name := s.Argv[0]
			if contains(unread, name.Text) {
				p.fail()
			}
			p.exits = p.exits || name.Text == "exit" || !name.Literal
			known = name.Literal
		}
		if p.peek(0) == '(' { // a function, an array, or a pattern of extglob
			p.fail()
		}
	}
	if p.pos == begin || p.forked == 0 && s.alters() {
		p.fail()
	}
	if !known || p.failed {
		s.Argv = nil
	}
	return s
}

// assignment consumes NAME=value, NAME+=value and NAME=(...).
func (p *parser) assignment() bool {
	end := p.pos
	for end < len(p.text) && isName(p.text[end], end == p.pos) {
		end++
	}
	if end == p.pos {
		return false
	}
	rest := strings.TrimPrefix(p.text[end:], "+")
	if !strings.HasPrefix(rest, "=") {
		return false
	}
	p.pos = len(p.text) - len(rest) + 1
	var s Stage
	if !p.take("(") {
		p.word(&s)
		return true
	}
	for p.skipBlank(); !p.failed && !p.take(")"); p.skipBlank() {
		if !p.word(&s) {
			p.fail()
		}
	}
	return true
}

// redirections are the operators, longer ones first.
var redirections = [...]string{"&>>", "&>", "<<<", "<<-", "<<", "<>", "<&", ">>", ">&", ">|", "<", ">"}

// redirection consumes a redirection with its target.
func (p *parser) redirection(s *Stage) bool {
	digits := p.pos
	for digits < len(p.text) && '0' <= p.text[digits] && p.text[digits] <= '9' {
		digits++
	}
	number := p.text[p.pos:digits]
	for _, op := range redirections {
		rest := p.text[digits:]
		if !strings.HasPrefix(rest, op) || number != "" && op[0] == '&' {
			continue
		}
		if strings.HasPrefix(rest, "<(") || strings.HasPrefix(rest, ">(") {
			return false // a process substitution is a word
		}
		p.pos = digits + len(op)
		p.skipSpace()
		var target Stage
		if !p.word(&target) {
			p.fail()
			return true
		}
		if op[0] == '<' && (number == "" || strings.Trim(number, "0") == "") {
			s.Input = true
		}
		if op == "<<" || op == "<<-" {
			p.docs = append(p.docs, document{end: target.Argv[0].Text, indent: op == "<<-"})
			if !target.Argv[0].Literal {
				p.fail()
			}
		}
		return true
	}
	return false
}

// unread are the words in a command's place that Read does not follow.
const unread = "case select coproc function then else elif fi do done esac } in"

// altering are the builtins that make the rest of the text mean what Read cannot
// know, where they are executed by the shell itself and not by a subshell.
const altering = "trap alias unalias eval source . return enable"

// alters reports whether a command changes what the rest of the text means. The
// activate script of a virtual environment of Python sets variables, and defines
// functions of its own names.
func (s *Stage) alters() bool {
	name := s.Name()
	sources := name == "source" || name == "."
	if sources && len(s.Argv) == 2 && s.Argv[1].Literal && strings.HasSuffix(s.Argv[1].Text, "/bin/activate") {
		return false
	}
	return contains(altering, name)
}
