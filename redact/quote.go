package redact

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/ascii"
)

// A quote is how a value is enclosed.
type quote struct {
	mark   byte // 0 where there is none
	escape int  // backslashes before the mark
	open   bool // it does not end on the line
	after  int  // where what follows the closing mark begins
}

// value finds the value that begins at i. It is empty where a string ends
// there.
func (v *view) value(i int) (span, quote) {
	j := i
	if j+1 < v.hi && (v.text[j] == '@' || ascii.Is(v.text[j], ascii.Alpha)) && (v.text[j+1] == '"' || v.text[j+1] == '\'') {
		j++ // @"...", b'...'
	}
	n := 0
	for j+n < v.hi && v.text[j+n] == '\\' {
		n++
	}
	j += n
	if j < v.hi && v.text[j] == '"' && n%2 == 0 && v.quotes(j)%2 == 1 && !v.followsName(j) {
		return span{start: i, end: i}, quote{} // it ends the string that we are in
	}
	if j < v.hi && isQuote(v.text[j]) {
		q := quote{mark: v.text[j], escape: n}
		for j+2 < v.hi && n == 0 && v.text[j+1] == q.mark && v.text[j+2] == q.mark {
			j += 2 // """
		}
		s := v.quoted(j+1, &q)
		return v.nested(s, &q), q
	}
	if k := v.spelledMark(j); k > 0 && v.text[j] != '*' && v.text[j] != '%' {
		return v.plain(j + k), quote{}
	}
	return v.plain(i), quote{}
}

// followsName reports whether the quote at i follows a name in quotes and a
// colon, "name": ", and a letter or digit follows it: it begins a value, however
// many quotes there are before, as in "{"name": "value"}".
func (v *view) followsName(i int) bool {
	if i+1 >= v.hi || !ascii.Is(v.text[i+1], ascii.Alnum) {
		return false
	}
	for i > v.lo && v.text[i-1] == ' ' {
		i--
	}
	if i < v.lo+3 || v.text[i-1] != ':' || v.text[i-2] != '"' || !ascii.Is(v.text[i-3], ascii.Word) {
		return false
	}
	n := ascii.RunBack(v.text[v.lo:i-2], ascii.Word|ascii.Dash)
	return i-2-n > v.lo && v.text[i-3-n] == '"'
}

// nested returns s without quotes of another kind that enclose all of it.
func (v *view) nested(s span, q *quote) span {
	if s.end-s.start < 3 || q.open {
		return s
	}
	a, b := v.text[s.start], v.text[s.end-1]
	if a == b && isQuote(a) {
		return span{start: s.start + 1, end: s.end - 1}
	}
	if a == '\\' && isQuote(v.text[s.start+1]) && b == v.text[s.start+1] && s.end-s.start > 4 && v.text[s.end-2] == '\\' {
		return span{start: s.start + 2, end: s.end - 2}
	}
	return s
}

func isQuote(c byte) bool { return c == '"' || c == '\'' || c == '`' }

// quoted returns the value from i to the quote that closes it, to the end of the
// string in double quotes that it is in, or to the end of the line.
func (v *view) quoted(i int, q *quote) span {
	within := q.mark != '"' && v.quotes(i)%2 == 1
	for j := i; j < v.hi; j++ {
		c := v.text[j]
		if c != q.mark && (c != '"' || !within) {
			continue
		}
		n := ascii.Backslashes(v.text[i:], j-i)
		switch {
		case c == q.mark && n%(2*q.escape+2) == q.escape:
			q.after = j + 1
			return span{start: i, end: j - q.escape}
		case c == q.mark && n%(q.escape+1) != q.escape, c == '"' && within && n%2 == 0:
			q.open, q.after = true, j
			return span{start: i, end: j}
		}
	}
	q.open, q.after = true, v.hi
	return span{start: i, end: v.hi}
}

// plain returns the value without quotes that begins at i.
func (v *view) plain(i int) span {
	j := i
	if i >= v.plainFrom && i < v.plainTo {
		j = v.plainTo // within one that was looked at
	} else {
		for j < v.hi && !stops(v.text[j]) {
			j++
		}
		v.plainFrom, v.plainTo = i, j
	}
	for j > i && (v.text[j-1] == '.' || v.text[j-1] == ':') {
		j--
	}
	return span{start: i, end: j}
}

func stops(c byte) bool {
	switch c {
	case ' ', '\t', '\r', '\n', '"', '\'', '`', ',', ';', '&', ')', ']', '}', '<', '>', '|', '\\', '(', '[', '{':
		return true
	}
	return c < ' '
}

// spelledMark returns the length of the mark at i that a quote is written as in HTML,
// URLs and JSON, or of one that makes text bold in Markdown; 0 is none.
func (v *view) spelledMark(i int) int {
	b := v.text[i:v.hi]
	if len(b) == 0 {
		return 0
	}
	mark := ""
	switch b[0] {
	case '*':
		mark = "**"
	case '&':
		mark = "&quot;"
	case '%':
		mark = "%22"
	case 'u':
		if i == v.lo || v.text[i-1] != '\\' {
			return 0
		}
		mark = "u0022"
	}
	if !bytes.HasPrefix(b, []byte(mark)) {
		return 0
	}
	return len(mark)
}

// closing skips the quotes and brackets that close after a name.
func (v *view) closing(i int) int {
	if i < v.hi && v.text[i] == '[' {
		n := ascii.Run(v.text[i+1:v.hi], ascii.Digit)
		if i+n+1 < v.hi && v.text[i+n+1] == ']' {
			return i + n + 2
		}
	}
	for i < v.hi {
		switch v.text[i] {
		case '\\', '"', '\'', '`', ']':
			i++
		default:
			n := v.spelledMark(i)
			if n == 0 {
				return i
			}
			i += n
		}
	}
	return i
}

// bracketed is where the string begins that is all of a pair of brackets at i: ("x"),
// {"x"}. Elsewhere it is i.
func (v *view) bracketed(i int) int {
	for _, s := range [...]string{`<<"`, `return "`, `return '`} {
		if bytes.HasPrefix(v.text[i:v.hi], []byte(s)) {
			return i + len(s) - 1 // a string of Erlang, or of a case
		}
	}
	if i >= v.hi || v.text[i] != '(' && v.text[i] != '{' {
		return i
	}
	j := v.spaces(i + 1)
	if j >= v.hi || !isQuote(v.text[j]) {
		return i
	}
	_, q := v.value(j)
	if k := v.spaces(q.after); q.mark == 0 || q.open || k >= v.hi || v.text[k] != ')' && v.text[k] != '}' {
		return i
	}
	return j
}
