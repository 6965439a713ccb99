package pipeline

import "strings"

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
