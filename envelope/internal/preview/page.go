package preview

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/envwrap/envwrap/internal/shared/jsontext"
)

const (
	// PageMost is the most bytes that a query for the next part of a document prints.
	PageMost = 16 << 10
	// QueryMost is the most bytes of an expression, so that it stays a part of one line.
	QueryMost = 120
)

// Query returns what "envwrap artifact query" takes, options and a quoted expression in the
// jq language, to print the part of a well-formed JSON document around the offset at: the
// elements of an array from the one at that offset, the members of an object, or a part of a
// long string, of at most PageMost bytes. doc is the document, or its beginning; a part that
// goes on after that is not printed. Query returns "" if no short expression prints the part.
func Query(doc []byte, at int64) string {
	p := pager{doc: doc, at: at}
	expr := p.value(jsontext.SkipSpace(doc, 0), "")
	if expr == "" || len(expr) > QueryMost || strings.ContainsAny(expr, "'\x7f") {
		return ""
	}
	if p.raw {
		return "-r '" + expr + "'"
	}
	return "'" + expr + "'"
}

// A pager finds the expression of a page.
type pager struct {
	doc []byte
	at  int64
	raw bool // the result is a string
}

// A child is an element or a member of a container.
type child struct {
	name     []byte // of a member
	from, to int    // of the value
	index    int
	ended    bool // within the document's known part
}

// value returns the expression for the page in the value at pos, whose path is known.
func (p *pager) value(pos int, path string) string {
	if pos >= len(p.doc) {
		return ""
	}
	switch p.doc[pos] {
	case '{':
		return p.container(p.members(pos), path)
	case '[':
		return p.container(p.elements(pos), path)
	case '"':
		return p.text(pos, path)
	}
	return ""
}

func (p *pager) container(children []child, path string) string {
	first := slices.IndexFunc(children, func(c child) bool { return int64(c.to) > p.at })
	if first < 0 {
		return ""
	}
	c := children[first]
	if size := p.size(c); size > PageMost {
		return p.value(c.from, join(path, c))
	}
	frame := len("\n")
	if c.name != nil {
		frame += len(`{"":}`)
	}
	room, last := PageMost, first
	for ; last < len(children); last++ {
		size := p.size(children[last]) + frame
		if size > room {
			break
		}
		room -= size
	}
	switch {
	case last <= first+1:
		return join(path, c)
	case c.name == nil:
		return fmt.Sprintf("%s[%d:%d][]", orDocument(path), c.index, last)
	}
	return p.memberPage(children, first, last, path)
}

// memberPage returns the expression for some members of an object: by their names if these
// are short, else by their places, which jq counts in the order of the names.
func (p *pager) memberPage(children []child, first, last int, path string) string {
	prefix := ""
	if path != "" {
		prefix = path + " | "
	}
	byName := func(a, b child) int { return bytes.Compare(a.name, b.name) }
	if slices.IsSortedFunc(children, byName) && children[len(children)-1].ended && last-first > 4 {
		return fmt.Sprintf("%sto_entries[%d:%d][] | {(.key): .value}", prefix, first, last)
	}
	expr := prefix + "{"
	for i, c := range children[first:last] {
		word := string(c.name)
		if !isWord(word) {
			word = string(jsontext.AppendString(nil, word))
		}
		if i > 0 && len(expr)+len(word)+2 > QueryMost {
			break
		}
		if i > 0 {
			expr += ","
		}
		expr += word
	}
	return expr + "}"
}

// size returns the bytes of a child as jq prints it; more than a page if its end is not known.
func (p *pager) size(c child) int {
	if !c.ended || c.to-c.from > 32*PageMost {
		return PageMost + 1
	}
	return len(c.name) + len(jsontext.AppendCompact(nil, p.doc[c.from:c.to]))
}

// text returns the expression for a part of the string at pos.
func (p *pager) text(pos int, path string) string {
	begin := pos + 1
	to := p.skip(begin, p.at)
	end := p.skip(to, int64(to)+PageMost-1)
	count := func(from, to int) int {
		in := slices.Concat([]byte{'"'}, p.doc[from:min(to, len(p.doc))], []byte{'"'})
		return len([]rune(string(jsontext.Unquote(in))))
	}
	before := count(begin, to)
	p.raw = true
	return fmt.Sprintf("%s[%d:%d]", orDocument(path), before, before+count(to, end))
}

// skip returns the offset of the character, or escape, of a string that is at most at an
// offset, from one of another; the end of the string if that comes before.
func (p *pager) skip(pos int, at int64) int {
	for pos < len(p.doc) && p.doc[pos] != '"' {
		_, size := utf8.DecodeRune(p.doc[pos:])
		if p.doc[pos] == '\\' {
			size = 2
			if pos+1 < len(p.doc) && p.doc[pos+1] == 'u' {
				size = len(`\u0000`)
			}
		}
		if int64(pos+size) > at {
			break
		}
		pos += size
	}
	return min(pos, len(p.doc))
}

func (p *pager) members(pos int) []child {
	var list []child
	for pos = jsontext.SkipSpace(p.doc, pos+1); pos < len(p.doc) && p.doc[pos] == '"'; {
		end := jsontext.Skip(p.doc, pos)
		if end == len(p.doc) {
			break
		}
		name := jsontext.Unquote(p.doc[pos:end])
		pos = jsontext.SkipSpace(p.doc, jsontext.SkipSpace(p.doc, end)+1)
		list = append(list, p.child(name, pos, len(list)))
		pos = p.next(list[len(list)-1].to)
	}
	return list
}

func (p *pager) elements(pos int) []child {
	var list []child
	for pos = jsontext.SkipSpace(p.doc, pos+1); pos < len(p.doc) && p.doc[pos] != ']'; {
		list = append(list, p.child(nil, pos, len(list)))
		pos = p.next(list[len(list)-1].to)
	}
	return list
}

func (p *pager) child(name []byte, pos, index int) child {
	to := jsontext.Skip(p.doc, pos)
	return child{name: name, from: pos, to: to, index: index, ended: to < len(p.doc)}
}

// next returns the position after the comma that follows a value.
func (p *pager) next(pos int) int {
	pos = jsontext.SkipSpace(p.doc, pos)
	if pos < len(p.doc) && p.doc[pos] == ',' {
		pos = jsontext.SkipSpace(p.doc, pos+1)
	}
	return pos
}

// join returns the path of a child.
func join(path string, c child) string {
	switch name := string(c.name); {
	case c.name == nil:
		return fmt.Sprintf("%s[%d]", orDocument(path), c.index)
	case isWord(name):
		return path + "." + name
	default:
		return orDocument(path) + "[" + string(jsontext.AppendString(nil, name)) + "]"
	}
}

// orDocument returns a path to put in front of brackets, "." for the document.
func orDocument(path string) string {
	if path == "" {
		return "."
	}
	return path
}

// isWord reports whether jq takes a name without quotes.
func isWord(name string) bool {
	return name != "" && !isDigit(name[0]) && strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == ""
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
