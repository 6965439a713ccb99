package pipeline

import "strings"

// Read returns the pipeline that is the last command of text, a program for
// bash. It reports false where the last command is none of two or more stages,
// is negated or in the background, or where the text holds anything that Read
// does not follow to the end: then nothing may be said about its stages. The last
// command of { }, of if and of for over words is that of what they execute last.
//
// The grammar is that of the Bash Reference Manual 5.3, sections 3.1 and 3.2.
// Not followed are case, select, coproc, function definitions, arithmetic
// commands, and, outside of a subshell, aliases, traps, eval and sourced files. Time and space are linear
// in the length of text.
func Read(text string) (Pipeline, bool) {
	p := &parser{text: text}
	last := p.list("").decisive()
	p.skipBlank()
	if p.failed || len(p.docs) > 0 || p.pos < len(p.text) || len(last.stages) < 2 || last.negated || last.background {
		return Pipeline{}, false
	}
	same := p.counts[len(last.stages)] > 1
	return Pipeline{
		Stages:  last.stages,
		Alone:   !same,
		Certain: !same || !p.exits && !last.alternative,
	}, true
}

// A command is the last pipeline of a list.
type command struct {
	stages      []Stage
	negated     bool // with !
	background  bool // with &
	alternative bool // it is in a list that has a ||, or may be skipped
	inner       *command
}

// decisive returns the pipeline whose end is that of c, where c is a group whose
// last command is known: bash sets PIPESTATUS within it as outside.
func (c command) decisive() command {
	for c.inner != nil && len(c.stages) == 1 && !c.negated && !c.background {
		alternative := c.alternative
		c = *c.inner
		c.alternative = c.alternative || alternative
	}
	return c
}

// A parser reads a text from left to right. The first thing that it does not
// follow sets failed and moves it to the end.
type parser struct {
	text   string
	pos    int
	depth  int
	failed bool
	exits  bool        // exit is called somewhere
	forked int         // how many subshells the position is in
	counts map[int]int // pipelines by their number of stages
	docs   []document  // here-documents whose text begins at the next newline
}

// A document is a here-document that was announced.
type document struct {
	end    string
	indent bool // <<- strips leading tabs
}

// maxDepth bounds how deep commands are nested.
const maxDepth = 64

func (p *parser) fail() {
	p.failed = true
	p.pos = len(p.text)
}

// peek returns the byte at offset n, or 0 past the end.
func (p *parser) peek(n int) byte {
	if p.pos+n < len(p.text) {
		return p.text[p.pos+n]
	}
	return 0
}

func (p *parser) has(prefix string) bool { return strings.HasPrefix(p.text[p.pos:], prefix) }

// take consumes prefix and reports whether it was there.
func (p *parser) take(prefix string) bool {
	if !p.has(prefix) {
		return false
	}
	p.pos += len(prefix)
	return true
}

// skipSpace consumes blanks, line continuations and a comment.
func (p *parser) skipSpace() {
	for p.pos < len(p.text) {
		switch {
		case p.peek(0) == ' ' || p.peek(0) == '\t':
			p.pos++
		case p.has("\\\n"):
			p.pos += 2
		case p.peek(0) == '#':
			end := strings.IndexByte(p.text[p.pos:], '\n')
			if end < 0 {
				end = len(p.text) - p.pos
			}
			p.pos += end
		default:
			return
		}
	}
}

// skipBlank consumes blanks and newlines.
func (p *parser) skipBlank() {
	for {
		p.skipSpace()
		if p.peek(0) != '\n' {
			return
		}
		p.newline()
	}
}

// newline consumes a newline and the here-documents that follow it.
func (p *parser) newline() {
	p.pos++
	for _, d := range p.docs {
		for {
			if p.pos >= len(p.text) {
				p.fail() // bash warns, and guesses
				return
			}
			line, _, _ := strings.Cut(p.text[p.pos:], "\n")
			p.pos = min(p.pos+len(line)+1, len(p.text))
			if d.indent {
				line = strings.TrimLeft(line, "\t")
			}
			if line == d.end {
				break
			}
		}
	}
	p.docs = nil
}

// list reads commands up to one of the words in ends (separated by blanks), to
// ")" where ends is that, or to the end of the text where ends is "". It
// consumes what it ended at, and returns the list's last pipeline.
func (p *parser) list(ends string) (last command) {
	if p.depth++; p.depth > maxDepth {
		p.fail()
	}
	defer func() { p.depth-- }()
	for {
		p.skipBlank()
		if p.pos >= len(p.text) {
			if ends != "" {
				p.fail()
			}
			return last
		}
		if ends == ")" && p.take(")") || ends != ")" && p.takeReserved(ends) {
			return last
		}
		last = p.andOr()
		if p.failed {
			return last
		}
		p.skipSpace()
		switch {
		case p.has(";;") || p.has(";&"):
			p.fail()
		case p.take(";"):
		case p.take("&"):
			last.background = true
		case p.peek(0) == '\n' || p.pos >= len(p.text) || p.peek(0) == ')':
		default:
			p.fail()
		}
		if p.peek(0) == ')' && ends != ")" {
			p.fail()
		}
	}
}

// takeReserved consumes one of the reserved words in ends and reports whether
// one was there.
func (p *parser) takeReserved(ends string) bool {
	word := p.bare()
	for end := range strings.FieldsSeq(ends) {
		if word == end {
			p.pos += len(word)
			return true
		}
	}
	return false
}

// bare returns the unquoted word at the position without consuming it.
func (p *parser) bare() string {
	rest := p.text[p.pos:]
	if end := strings.IndexAny(rest, " \t\n;&|()<>'\"\\$`"); end >= 0 {
		if strings.IndexByte("'\"\\$`", rest[end]) >= 0 {
			return ""
		}
		return rest[:end]
	}
	return rest
}

// andOr reads pipelines joined by && and ||, and returns the last.
func (p *parser) andOr() command {
	alternative := false
	for {
		c := p.pipeline()
		p.skipSpace()
		switch {
		case p.failed:
			return c
		case p.take("&&"):
		case p.take("||"):
			alternative = true
		default:
			c.alternative = alternative
			return c
		}
		p.skipBlank()
	}
}

func (p *parser) pipeline() (c command) {
	p.skipSpace()
	for {
		if p.bare() == "!" {
			p.pos++
			c.negated = !c.negated
		} else if p.bare() == "time" {
			p.pos += len("time")
			p.skipSpace()
			if p.bare() == "-p" {
				p.pos += len("-p")
			}
		} else {
			break
		}
		p.skipSpace()
	}
	for {
		var s Stage
		s, c.inner = p.stage()
		c.stages = append(c.stages, s)
		p.skipSpace()
		if p.failed || p.has("||") || !p.take("|") {
			break
		}
		p.take("&")
		p.skipBlank()
	}
	if p.counts == nil {
		p.counts = map[int]int{}
	}
	p.counts[len(c.stages)]++
	return c
}

// stage reads one command with its redirections. inner is the last pipeline of a
// compound command that this shell executes itself, nil where it is not known.
func (p *parser) stage() (s Stage, inner *command) {
	inner, ok := p.compound()
	if !ok {
		return p.simple(), nil
	}
	for !p.failed { // only redirections may follow
		p.skipSpace()
		if !p.redirection(&s) {
			break
		}
	}
	return s, inner
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

// compound consumes a compound command, and reports whether there was one.
func (p *parser) compound() (inner *command, ok bool) {
	switch word := p.bare(); {
	case p.has("(("):
		p.fail()
	case p.take("("):
		p.subshell()
	case word == "{":
		p.pos++
		last := p.list("}")
		inner = &last
	case word == "if":
		p.pos += len(word)
		inner = p.condition()
	case word == "while" || word == "until":
		p.pos += len(word)
		p.list("do")
		p.list("done")
	case word == "for":
		p.pos += len(word)
		inner = p.loop()
	case word == "[[":
		p.pos += len(word)
		p.test()
	default:
		return nil, false
	}
	return inner, true
}

// subshell reads the commands of another shell to the closing parenthesis. What
// they end with is not this shell's, so they are not counted.
func (p *parser) subshell() {
	counts, exits := p.counts, p.exits
	p.counts = nil
	p.forked++
	p.list(")")
	p.forked--
	p.counts, p.exits = counts, exits
}

// condition reads an if command after its first word. Of its branches one at the
// most may end with a pipeline of several stages: else any could be the last.
func (p *parser) condition() (inner *command) {
	p.list("then")
	several := 0
	for end := ""; !p.failed && end != "fi"; {
		start := p.pos
		ends := "elif else fi"
		if end == "else" {
			ends = "fi"
		}
		last := p.list(ends)
		if len(last.decisive().stages) > 1 {
			last.alternative = true
			inner = &last
			several++
		}
		branch := strings.TrimRight(p.text[start:p.pos], " \t\n")
		switch {
		case strings.HasSuffix(branch, "elif"):
			p.list("then")
		case strings.HasSuffix(branch, "else"):
			end = "else"
		default:
			end = "fi"
		}
	}
	if several != 1 {
		return nil
	}
	return inner
}

// loop reads a for command after its first word.
func (p *parser) loop() *command {
	var s Stage
	for !p.failed {
		p.skipSpace()
		if c := p.peek(0); c == ';' || c == '\n' {
			break
		}
		if p.pos >= len(p.text) || !p.word(&s) {
			p.fail()
		}
	}
	p.take(";")
	p.skipBlank()
	if !p.failed && !p.takeReserved("do") {
		p.fail()
	}
	last := p.list("done")
	last.alternative = true
	return &last
}

// test reads a [[ command after its first word. Its operators are none of the
// shell's.
func (p *parser) test() {
	for !p.failed {
		p.skipBlank()
		if p.bare() == "]]" {
			p.pos += len("]]")
			return
		}
		if p.pos >= len(p.text) {
			p.fail()
		}
		if strings.IndexByte("()<>&|;", p.peek(0)) >= 0 {
			p.pos++
			continue
		}
		var s Stage
		if !p.word(&s) {
			p.fail()
		}
	}
}

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
	if p.take("(") {
		for !p.failed {
			p.skipBlank()
			if p.take(")") {
				return true
			}
			if !p.word(&s) {
				p.fail()
			}
		}
		return true
	}
	p.word(&s)
	return true
}

func isName(c byte, first bool) bool {
	return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || !first && '0' <= c && c <= '9'
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
