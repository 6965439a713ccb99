package syntax

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/ascii"
)

// A Quote is how a value is enclosed.
type Quote struct {
	Mark   byte // 0 if none exists
	Escape int  // backslashes before the mark
	Open   bool // it does not end on the line
	After  int  // offset after the closing mark
}

// Value returns the value that begins at i, and its quotes. It is empty if a string ends
// there.
func (l *Line) Value(i int) (Span, Quote) {
	j := i
	if j+1 < l.Hi && (l.Text[j] == '@' || ascii.Is(l.Text[j], ascii.Alpha)) && (l.Text[j+1] == '"' || l.Text[j+1] == '\'') {
		j++ // @"...", b'...'
	}
	n := 0
	for j+n < l.Hi && l.Text[j+n] == '\\' {
		n++
	}
	j += n
	if j < l.Hi && l.Text[j] == '"' && n%2 == 0 && l.QuotesBefore(j)%2 == 1 && !l.followsName(j) {
		return Span{Start: i, End: i}, Quote{} // it ends the string that we are in
	}
	if j < l.Hi && IsQuote(l.Text[j]) {
		q := Quote{Mark: l.Text[j], Escape: n}
		for j+2 < l.Hi && n == 0 && l.Text[j+1] == q.Mark && l.Text[j+2] == q.Mark {
			j += 2 // """
		}
		s := l.Quoted(j+1, &q)
		return l.nested(s, &q), q
	}
	if k := l.encodedQuote(j); k > 0 && l.Text[j] != '*' && l.Text[j] != '%' {
		return l.Unquoted(j + k), Quote{}
	}
	return l.Unquoted(i), Quote{}
}

// followsName reports whether the quote at i follows a name in quotes and a colon, "name":
// ", and a letter or digit follows it: it begins a value, however many quotes are before
// it, as in "{"name": "value"}".
func (l *Line) followsName(i int) bool {
	if i+1 >= l.Hi || !ascii.Is(l.Text[i+1], ascii.Alnum) {
		return false
	}
	i = l.Lo + len(bytes.TrimRight(l.Text[l.Lo:i], " "))
	if i < l.Lo+3 || l.Text[i-1] != ':' || l.Text[i-2] != '"' || !ascii.Is(l.Text[i-3], ascii.Word) {
		return false
	}
	n := ascii.RunBack(l.Text[l.Lo:i-2], ascii.Word|ascii.Dash)
	return i-2-n > l.Lo && l.Text[i-3-n] == '"'
}

// nested returns s without quotes of another kind that enclose all of it.
func (l *Line) nested(s Span, q *Quote) Span {
	if s.End-s.Start < 3 || q.Open {
		return s
	}
	a, b := l.Text[s.Start], l.Text[s.End-1]
	if a == b && IsQuote(a) {
		return Span{Start: s.Start + 1, End: s.End - 1}
	}
	if a == '\\' && IsQuote(l.Text[s.Start+1]) && b == l.Text[s.Start+1] && s.End-s.Start > 4 && l.Text[s.End-2] == '\\' {
		return Span{Start: s.Start + 2, End: s.End - 2}
	}
	return s
}

// IsQuote reports whether c opens and closes a string.
func IsQuote(c byte) bool { return c == '"' || c == '\'' || c == '`' }

// Quoted returns the value from i to the quote that closes it, to the end of the
// string in double quotes that it is in, or to the end of the line.
func (l *Line) Quoted(i int, q *Quote) Span {
	within := q.Mark != '"' && l.QuotesBefore(i)%2 == 1
	for j := i; j < l.Hi; j++ {
		c := l.Text[j]
		if c != q.Mark && (c != '"' || !within) {
			continue
		}
		n := ascii.Backslashes(l.Text[i:], j-i)
		switch {
		case c == q.Mark && n%(2*q.Escape+2) == q.Escape:
			q.After = j + 1
			return Span{Start: i, End: j - q.Escape}
		case c == q.Mark && n%(q.Escape+1) != q.Escape, c == '"' && within && n%2 == 0:
			q.Open, q.After = true, j
			return Span{Start: i, End: j}
		}
	}
	q.Open, q.After = true, l.Hi
	return Span{Start: i, End: l.Hi}
}

// Unquoted returns the value without quotes that begins at i.
func (l *Line) Unquoted(i int) Span {
	j := i
	if i >= l.plainFrom && i < l.plainTo {
		j = l.plainTo // within one that was looked at
	} else {
		for j < l.Hi && !EndsValue(l.Text[j]) {
			j++
		}
		l.plainFrom, l.plainTo = i, j
	}
	return Span{Start: i, End: j - ascii.RunBack(l.Text[i:j], ascii.Dot|ascii.Colon)}
}

// EndsValue reports whether a value without quotes ends before c.
func EndsValue(c byte) bool { return c < ' ' || valueEnds[c] }

// valueEnds are the bytes before which such a value ends, but for control characters.
var valueEnds = [256]bool{
	' ': true, '"': true, '\'': true, '`': true, ',': true, ';': true, '&': true, ')': true, ']': true, '}': true,
	'<': true, '>': true, '|': true, '\\': true, '(': true, '[': true, '{': true, 0x7f: true,
}

// escapedColour returns the length of a colour code of a terminal at i, of which JSON
// escaped the first byte and the backslash is before i; 0 if none exists.
func (l *Line) escapedColour(i int) int {
	const sign = "u001b["
	b := l.Text[i:l.Hi]
	if !ascii.HasFold(b, sign) {
		return 0
	}
	rest := bytes.TrimLeft(b[len(sign):], "0123456789;")
	if len(rest) == 0 || rest[0] != 'm' {
		return 0
	}
	return len(b) - len(rest) + 1
}

// encodedQuote returns the length of the mark at i by which HTML, URLs or JSON write a
// quote or a colour, or Markdown makes text bold; 0 if none exists.
func (l *Line) encodedQuote(i int) int {
	b := l.Text[i:l.Hi]
	if len(b) == 0 {
		return 0
	}
	mark := ""
	switch b[0] {
	case '*':
		mark = "**"
	case '&':
		for _, mark = range [...]string{"&#x27;", "&#39;", "&#34;", "&quot;"} {
			if bytes.HasPrefix(b, []byte(mark)) {
				break
			}
		}
	case '%':
		mark = "%22"
	case 'u':
		if i == l.Lo || l.Text[i-1] != '\\' {
			return 0
		}
		if n := l.escapedColour(i); n > 0 {
			return n
		}
		mark = "u0022"
	default:
		return 0
	}
	if !bytes.HasPrefix(b, []byte(mark)) {
		return 0
	}
	return len(mark)
}

// SkipClosing skips the quotes and brackets that close after a name.
func (l *Line) SkipClosing(i int) int {
	if i < l.Hi && l.Text[i] == '[' {
		n := ascii.Run(l.Text[i+1:l.Hi], ascii.Digit)
		if i+n+1 < l.Hi && l.Text[i+n+1] == ']' {
			return i + n + 2
		}
	}
	for i < l.Hi {
		switch l.Text[i] {
		case '\\', '"', '\'', '`', ']':
			i++
		default:
			n := l.encodedQuote(i)
			if n == 0 {
				return i
			}
			i += n
		}
	}
	return i
}

// bracketed returns the offset of the string that is all of a pair of brackets at i:
// ("x"), {"x"}. Elsewhere it returns i.
func (l *Line) bracketed(i int) int {
	for _, s := range [...]string{`<<"`, `return "`, `return '`, `Some("`, `Optional("`, `Just "`} {
		if bytes.HasPrefix(l.Text[i:l.Hi], []byte(s)) {
			return i + len(s) - 1 // a string of Erlang, or of a case, or one that need not be there
		}
	}
	if i >= l.Hi || l.Text[i] != '(' && l.Text[i] != '{' {
		return i
	}
	j := l.SkipSpaces(i + 1)
	if j >= l.Hi || !IsQuote(l.Text[j]) {
		return i
	}
	_, q := l.Value(j)
	if k := l.SkipSpaces(q.After); q.Mark == 0 || q.Open || k >= l.Hi || l.Text[k] != ')' && l.Text[k] != '}' {
		return i
	}
	return j
}

// InUnquoted reports whether i is within the value without quotes that Unquoted returned
// last.
func (l *Line) InUnquoted(i int) bool { return i >= l.plainFrom && i < l.plainTo }

// QuotesBefore counts the double quotes of the line before i that are not escaped.
func (l *Line) QuotesBefore(i int) int { return l.marks.before(l.Text[l.Lo:l.Hi], i-l.Lo) }
