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

// condition reads an if command after its first word. At most one of its
// branches may end with a pipeline of several stages: else any could be the last.
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
