package pipeline

import "strings"

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
