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
