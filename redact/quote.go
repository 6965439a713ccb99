package redact

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/value"
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

// signsWithin returns the end of a password without quotes that seems to be s, or
// further on where the sign after it is of it, too. An ampersand is not in a query,
// password=x&name=y, nor in a command, password=x && y, nor as the start of an entity;
// another sign is where what is on both sides of it looks made by chance. The
// password's name is at start.
func (v *view) signsWithin(start int, s span) int {
	i := s.end
	if start > v.lo && (v.text[start-1] == '?' || v.text[start-1] == '&' || ascii.Is(v.text[start-1], ascii.HexDigit)) {
		return i
	}
	for from := s.start; i+1 < v.hi && joins(v.text[i]); {
		rest := v.text[i+1 : v.hi]
		if v.text[i] != '&' {
			n := 0
			for n < len(rest) && !stops(rest[n]) {
				n++
			}
			if !unworded(v.text[from:i]) || !unworded(rest[:n]) {
				return i
			}
			from, i = i+1, i+1+n
			continue
		}
		n := ascii.Run(rest, ascii.Word|ascii.Dash)
		if n == len(rest) && n > 0 {
			return v.hi
		}
		if stops(rest[0]) || n < len(rest) && (rest[n] == '=' || rest[n] == ';') {
			return i
		}
		for i++; i < v.hi && !stops(v.text[i]); i++ {
		}
	}
	return i
}

// joins reports whether c, which ends most values, may be within a password.
func joins(c byte) bool { return c == '&' || c == ',' || c == ';' || c == '<' || c == '>' || c == '|' }

// unworded reports whether b is neither a name, as of a command, nor words, nor has a sign
// between a name and a value.
func unworded(b []byte) bool {
	t := value.TraitsOf(b)
	odd := t.Uppers > 0 || t.Len > 0 && ascii.Is(b[0], ascii.Digit)
	return odd && (t.Digits > 0 || t.Lowers > 0 && !value.Wordy(b)) && !ascii.Contains(b, '=') && !ascii.Contains(b, ':')
}

func stops(c byte) bool {
	switch c {
	case ' ', '\t', '\r', '\n', '"', '\'', '`', ',', ';', '&', ')', ']', '}', '<', '>', '|', '\\', '(', '[', '{':
		return true
	}
	return c < ' '
}

// quoteMarks are how many double quotes there are before some offsets in a
// line, so that no text makes us count again and again.
type quoteMarks struct {
	steps    []int // before each multiple of markStep
	at, last int   // before the offset that was asked for last
}

const markStep = 256

func (m *quoteMarks) reset() { m.steps, m.at, m.last = append(m.steps[:0], 0), 0, 0 }

// quotes counts the double quotes of the line, but for escaped ones, before i.
func (v *view) quotes(i int) int {
	line, m := v.text[v.lo:v.hi], v.marks
	i = min(i-v.lo, len(line))
	for len(m.steps) <= i/markStep {
		n := len(m.steps)
		m.steps = append(m.steps, m.steps[n-1]+quotesIn(line, (n-1)*markStep, n*markStep))
	}
	if from := i / markStep * markStep; m.at < from || m.at > i {
		m.at, m.last = from, m.steps[i/markStep]
	}
	m.last += quotesIn(line, m.at, i)
	m.at = i
	return m.last
}

// quotesIn counts the double quotes in b[i:end], but for escaped ones.
func quotesIn(b []byte, i, end int) int {
	n := 0
	for i < end {
		k := bytes.IndexByte(b[i:end], '"')
		if k < 0 {
			break
		}
		if ascii.Backslashes(b, i+k)%2 == 0 {
			n++
		}
		i += k + 1
	}
	return n
}
