package query

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Filters returns a [Language]: the part of jq that most questions need. It has
// paths (.a.b, ."a b", .["a"], .[0], .[-1], .[2:5], .[], all with ?), pipes and
// commas, parentheses, strings, numbers, null, true and false, == and !=, and the
// functions keys, length, map and select. The results are those of jq.
func Filters(expr string, _ Values) (Program, error) {
	p := &parser{rest: expr}
	f, err := p.pipe()
	if err == nil && p.skip() != "" {
		err = p.unknown()
	}
	return program{f}, err
}

// maxNesting is how many brackets and functions an expression may nest.
const maxNesting = 1000

// A parser reads an expression from left to right.
type parser struct {
	rest    string
	nesting int
}

// skip skips blanks and returns what follows.
func (p *parser) skip() string {
	p.rest = strings.TrimLeft(p.rest, " \t\r\n")
	return p.rest
}

// take takes a mark if it is next.
func (p *parser) take(mark string) bool {
	rest, ok := strings.CutPrefix(p.skip(), mark)
	p.rest = rest
	return ok
}

func (p *parser) need(mark string) error {
	if p.take(mark) {
		return nil
	}
	return p.unknown()
}

// unknown returns the error that names what is next.
func (p *parser) unknown() error {
	next := p.skip()
	if next == "" {
		return fmt.Errorf("it ends too soon")
	}
	return fmt.Errorf("no simple filter has %q here", next[:min(len(next), 20)])
}

// word takes a name.
func (p *parser) word() string {
	n := 0
	for n < len(p.rest) {
		c := p.rest[n]
		if c != '_' && (c|0x20 < 'a' || c|0x20 > 'z') && (n == 0 || c < '0' || c > '9') {
			break
		}
		n++
	}
	word := p.rest[:n]
	p.rest = p.rest[n:]
	return word
}

// text takes a string without interpolation.
func (p *parser) text() (s string, err error) {
	for n := 1; n < len(p.rest); n++ {
		switch p.rest[n] {
		case '\\':
			n++
		case '"':
			if json.Unmarshal([]byte(p.rest[:n+1]), &s) != nil {
				return "", p.unknown()
			}
			p.rest = p.rest[n+1:]
			return s, nil
		}
	}
	return "", p.unknown()
}

// A number here has one spelling only, which is the one that jq prints.
func (p *parser) number() (json.Number, bool) {
	pattern := regexp.MustCompile(`^-?(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{0,9}[1-9])?`)
	s := pattern.FindString(p.skip())
	rest := p.rest[len(s):]
	if s == "" || s == "-0" || rest != "" && strings.ContainsRune(".eE0123456789", rune(rest[0])) {
		return "", false
	}
	p.rest = rest
	return json.Number(s), true
}

// pipe = commas { "|" commas }.
func (p *parser) pipe() (filter, error) {
	if p.nesting++; p.nesting > maxNesting {
		return nil, fmt.Errorf("more than %d levels", maxNesting)
	}
	defer func() { p.nesting-- }()
	return p.list((*parser).commas, "|", pipe)
}

// commas = comparison { "," comparison }.
func (p *parser) commas() (filter, error) { return p.list((*parser).comparison, ",", comma) }

// list reads parts with a mark between them.
func (p *parser) list(part func(*parser) (filter, error), mark string, join func(a, b filter) filter) (filter, error) {
	f, err := part(p)
	for err == nil && p.take(mark) {
		var next filter
		if next, err = part(p); err == nil {
			f = join(f, next)
		}
	}
	return f, err
}

// comparison = term [ ( "==" | "!=" ) term ].
func (p *parser) comparison() (filter, error) {
	f, err := p.term()
	if err != nil {
		return nil, err
	}
	equal := p.take("==")
	if !equal && !p.take("!=") {
		return f, nil
	}
	right, err := p.term()
	return comparison(f, right, !equal), err
}

// term = primary [ "?" ] { path [ "?" ] }.
func (p *parser) term() (filter, error) {
	f, err := p.primary()
	if err == nil && p.take("?") {
		f = optional(f)
	}
	for err == nil {
		next := p.skip()
		dot := strings.HasPrefix(next, ".")
		if !dot && !strings.HasPrefix(next, "[") {
			return f, nil
		}
		if dot && strings.HasPrefix(next, ".[") {
			p.rest = next[1:]
		}
		var part filter
		if part, err = p.path(); err == nil && p.take("?") {
			part = optional(part)
		}
		f = pipe(f, part)
	}
	return f, err
}

// path = "." ( name | string ) | "[" [ string | number | slice ] "]".
func (p *parser) path() (filter, error) {
	if p.take("[") {
		return p.bracket()
	}
	p.take(".")
	if strings.HasPrefix(p.rest, `"`) {
		name, err := p.text()
		return field(name), err
	}
	name := p.word()
	if name == "" {
		return nil, p.unknown()
	}
	return field(name), nil
}

// bracket reads what follows "[" in a path.
func (p *parser) bracket() (filter, error) {
	if p.take("]") {
		return elements, nil
	}
	if strings.HasPrefix(p.rest, `"`) {
		name, err := p.text()
		if err != nil {
			return nil, err
		}
		return field(name), p.need("]")
	}
	from, err := p.position()
	if err != nil {
		return nil, err
	}
	if !p.take(":") && from != nil {
		return index(*from), p.need("]")
	}
	to, err := p.position()
	if err != nil || from == nil && to == nil {
		return nil, p.unknown()
	}
	return slice(from, to), p.need("]")
}

// position takes a whole number, if one is next.
func (p *parser) position() (*int, error) {
	s, ok := p.number()
	if !ok {
		return nil, nil
	}
	n, err := strconv.Atoi(string(s))
	return &n, err
}

// primary returns a term without suffixes.
func (p *parser) primary() (filter, error) {
	next := p.skip()
	switch {
	case next == "", strings.HasPrefix(next, ".."):
		return nil, p.unknown()
	case next[0] == '.':
		if p.rest = next[1:]; strings.HasPrefix(p.rest, "[") {
			return p.path()
		}
		if p.rest == "" || p.rest[0] != '"' && p.word() == "" {
			return identity, nil
		}
		p.rest = next
		return p.path()
	case next[0] == '"':
		s, err := p.text()
		return literal(s), err
	case next[0] == '(':
		return p.argument()
	}
	if n, ok := p.number(); ok {
		return literal(n), nil
	}
	return p.call()
}

// call reads a constant or a function.
func (p *parser) call() (filter, error) {
	before := p.rest
	switch p.word() {
	case "null":
		return literal(nil), nil
	case "true":
		return literal(true), nil
	case "false":
		return literal(false), nil
	case "keys":
		return function(keys), nil
	case "length":
		return function(length), nil
	case "map":
		f, err := p.argument()
		return collected(pipe(elements, f)), err
	case "select":
		f, err := p.argument()
		return selected(f), err
	}
	p.rest = before
	return nil, p.unknown()
}

// argument = "(" pipe ")".
func (p *parser) argument() (filter, error) {
	if err := p.need("("); err != nil {
		return nil, err
	}
	f, err := p.pipe()
	if err != nil {
		return nil, err
	}
	return f, p.need(")")
}
