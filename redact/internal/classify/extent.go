package classify

import (
	"bytes"
	"strings"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/names"
	"github.com/envwrap/envwrap/redact/internal/syntax"
	"github.com/envwrap/envwrap/redact/internal/value"
)

// Read sets the value to the one at i, as far as it goes after such a name and operator.
func (f *Field) Read(i int) {
	f.Value, f.Quote = f.Line.Value(i)
	switch {
	case f.Strength == names.Password && f.Op == syntax.OpAssign && f.braced(i):
		return
	case f.Quote.Mark != 0 && !f.Quote.Open && f.Strength >= names.Strong:
		f.Value = f.trimmed()
	case f.Strength == names.Password && f.Quote.Mark == 0 && f.Op != syntax.OpPath && (f.Op != syntax.OpAssign || f.Text[f.End] != '%'):
		if f.TakeSigns(f.Start); f.Op == syntax.OpComma && f.beforeBar() {
			cell, _, _ := bytes.Cut(f.Text[f.Value.Start:f.Value.End], []byte{'|'})
			f.Value.End = f.Value.Start + len(cell)
		}
	case f.Op == syntax.OpPath:
		f.Value.End = i + ascii.Run(f.Text[i:f.Value.End], ascii.URLSafe|ascii.Equals)
	case f.Op == syntax.OpAssign && f.Text[f.End] == '%': // of a query that was escaped
		f.Value = f.escaped(i)
	}
	if end := f.Value.End; f.Strength == names.Password && f.Quote.Mark == 0 && f.Op == syntax.OpAssign && f.joined() && end+1 < f.Hi && f.Text[end] == '\\' && strings.IndexByte(`:=!#\`, f.Text[end+1]) >= 0 && f.Leads(f.Start) {
		if rest := syntax.TrimRight(f.Text[end:f.Hi]); !ascii.Contains(rest, ' ') {
			f.Value.End = end + len(rest) // with the escapes of a file of properties
		}
	}
	if f.Strength >= names.Strong && f.Quote.Mark == 0 {
		f.Value.End = f.afterBar(f.Value.End)
		f.Value.End = f.lineEnd()
	}
}

// braced reports whether the value at i is a random one in braces, as ODBC writes one that
// may have semicolons in it, Pwd={x;y}, and sets the value to it.
func (f *Field) braced(i int) bool {
	if i >= f.Hi || f.Text[i] != '{' {
		return false
	}
	n := bytes.IndexByte(f.Text[i:min(f.Hi, i+value.MaxExamined)], '}')
	if n < 0 || i+n+1 < f.Hi && f.Text[i+n+1] != ';' && !syntax.IsQuote(f.Text[i+n+1]) {
		return false
	}
	t := value.TraitsOf(f.Text[i+1 : i+n])
	if !t.Random(value.MinToken) && (t.Len < value.MinPassword || t.Digits == 0 || !f.connectionString()) {
		return false
	}
	f.Value, f.Quote = syntax.Span{Start: i + 1, End: i + n}, syntax.Quote{}
	return true
}

// escaped returns the value at i of a name in a query that was escaped, up to its next
// ampersand or quote.
func (f *Field) escaped(i int) syntax.Span {
	end := f.Value.End
	if bytes.HasPrefix(f.Text[i:end], []byte("%22")) {
		i += len("%22")
	}
	for _, s := range [...]string{"%26", "%22"} {
		if n := bytes.Index(f.Text[i:end], []byte(s)); n >= 0 {
			end = i + n
		}
	}
	return syntax.Span{Start: i, End: end}
}

// afterBar returns the end of a value that ends at i, or of a long secret that a bar
// separates from it: id|secret.
func (f *Field) afterBar(i int) int {
	if i >= f.Hi || f.Text[i] != '|' {
		return i
	}
	n := ascii.Run(f.Text[i+1:min(f.Hi, i+1+value.MaxExamined)], ascii.Base64|ascii.URLSafe|ascii.Equals)
	if n < minAfterBar || !value.TraitsOf(f.Text[i+1:i+1+n]).Random(minAfterBar) {
		return i
	}
	return i + 1 + n
}

// minAfterBar is the least length of a secret after a bar: commands are shorter.
const minAfterBar = 20

// lineEnd returns the end of the value, or the end of the line if a setting is all of it
// and the text after a sign that would end the value elsewhere looks like more of it.
func (f *Field) lineEnd() int {
	i := f.Value.End
	rest := syntax.TrimRight(f.Text[i:f.Hi])
	if n := len(rest); n > 0 && i+n-f.Value.Start <= maxMixedSigns && (f.Op == syntax.OpAssign || f.Op == syntax.OpColon) && f.Leads(f.Start) && mixedSigns(f.Text[f.Value.Start:i+n]) {
		return i + n
	}
	if len(rest) > 2 && rest[0] == ',' && f.Op == syntax.OpColon && f.Strength == names.Password && f.Leads(f.Start) && ascii.Run(rest, ascii.Word|ascii.Dash|ascii.Dot|ascii.Comma) == len(rest) {
		return i + len(rest) // several, of YAML: the text after a mask would not parse
	}
	if len(rest) > value.MinToken && rest[0] == ',' && f.joined() && bytes.HasSuffix(f.Bytes(), []byte("_KEYS")) && f.Leads(f.Start) && ascii.Run(rest, ascii.Base64|ascii.URLSafe|ascii.Equals|ascii.Comma) == len(rest) {
		return i + len(rest) // several keys of an application
	}
	if len(rest) < 3 || f.Op != syntax.OpAssign && f.Op != syntax.OpColon || strings.IndexByte("}])|;&", rest[0]) < 0 || !f.Leads(f.Start) {
		return i
	}
	for j, c := range rest {
		switch {
		case ascii.Is(c, ascii.Blank|ascii.Comma), syntax.IsQuote(c), c == '\\':
			return i
		case c == '=' || c == ':':
			if n := ascii.RunBack(rest[:j], ascii.Word|ascii.Dash); n > 0 && n < j && (rest[j-n-1] == ';' || rest[j-n-1] == '&') {
				return i // another field
			}
		}
	}
	if f.Op == syntax.OpColon && f.Strength == names.Password && strings.IndexByte("])}", rest[0]) >= 0 && ascii.Is(rest[1], ascii.Alnum) && f.Value.Start == f.End+len(": ") {
		return i + len(rest) // a scalar of YAML
	}
	if t := value.TraitsOf(rest); t.Digits == 0 || t.Changes < 2 || value.Wordy(rest) {
		return i
	}
	return i + len(rest)
}

// trimmed returns the value without spaces at its ends, if it has none within.
func (f *Field) trimmed() syntax.Span {
	s := f.Value
	b := bytes.Trim(f.Text[s.Start:s.End], " ")
	if len(b) == s.End-s.Start || ascii.Contains(b, ' ') || len(b) == 0 {
		return s
	}
	start := s.Start + bytes.Index(f.Text[s.Start:s.End], b)
	return syntax.Span{Start: start, End: start + len(b)}
}

// UnbalancedEnd returns the end of a value without quotes whose brackets do not match: it
// is no expression, but a password that has some. It returns 0 for other values.
func (f *Field) UnbalancedEnd() int {
	if i := f.Value.End; i == f.Hi || i == f.Value.Start || ascii.Is(f.Text[i], ascii.Blank) || syntax.IsQuote(f.Text[i]) {
		return 0 // a bracket would end it
	}
	most := f.Text[f.Value.Start:min(f.Hi, f.Value.Start+value.MaxExamined)]
	if f.Strength < names.Strong || !mayCross(most) {
		return 0 // as most are, and this is looked at for each name in a long value
	}
	end := f.Value.Start
	for end < f.Hi && end-f.Value.Start < value.MaxExamined && !ascii.Is(f.Text[end], ascii.Blank) && f.Text[end] != '\r' && !syntax.IsQuote(f.Text[end]) {
		end++
	}
	b := f.Text[f.Value.Start:end]
	if len(b) >= 12 && b[0] != '/' && crossed(b) && value.TraitsOf(b).Random(12) {
		return end
	}
	return 0
}

// mixedSigns reports whether b, without quotes and all of a line after a name and a sign,
// is random letters, digits and signs: its brackets do not match, or it has odd signs and
// no words between them.
func mixedSigns(b []byte) bool {
	t := value.TraitsOf(b)
	if t.Len < minMixedSigns || t.Digits == 0 || t.Lowers < value.Several || t.Uppers < value.Several || t.Changes < value.ManyChanges || t.Signs*9 < t.Len || t.Signs*2 > t.Len ||
		t.Spaces > 0 || t.Foreign > 0 || !ascii.Is(b[0], ascii.Alnum) || bytes.ContainsAny(b, "\"'`\\,;") || strings.IndexByte("([{", b[t.Len-1]) >= 0 ||
		value.Wordy(b) || value.Templates(b) > 0 || value.Mentions(b) {
		return false
	}
	return t.Odd >= value.Several || !balanced(b)
}

const (
	minMixedSigns = 12 // the least length of such a value
	maxMixedSigns = 96 // the greatest
)

// balanced reports whether each bracket in b is closed by one of its kind.
func balanced(b []byte) bool {
	return !crossed(b) && bytes.Count(b, []byte("(")) == bytes.Count(b, []byte(")")) &&
		bytes.Count(b, []byte("[")) == bytes.Count(b, []byte("]")) && bytes.Count(b, []byte("{")) == bytes.Count(b, []byte("}"))
}

// mayCross reports whether b has brackets of two kinds, of which one may be crossed.
func mayCross(b []byte) bool {
	round, square, curly := ascii.Contains(b, ')'), ascii.Contains(b, ']'), ascii.Contains(b, '}')
	return (square || curly) && ascii.Contains(b, '(') || (round || curly) && ascii.Contains(b, '[') || (round || square) && ascii.Contains(b, '{')
}

// crossed reports whether a bracket in b closes one of another kind.
func crossed(b []byte) bool {
	var open [16]byte
	n := 0
	for _, c := range b {
		switch c {
		case '(', '[', '{':
			if n == len(open) {
				return false
			}
			open[n] = c
			n++
		case ')', ']', '}':
			// In ASCII, a bracket is one or two before the one that closes it.
			if n > 0 && c-open[n-1] > 2 {
				return true
			}
			n = max(0, n-1)
		}
	}
	return false
}

// TakeSigns moves the end of a password without quotes past the sign after it, if that
// belongs to it. An ampersand does, but not in a query, password=x&name=y, nor in a
// command, password=x && y, nor at the start of an entity; another sign does if the text
// on both sides of it looks random. The password's name, or the password, is at start.
func (f *Field) TakeSigns(start int) { f.Value.End = f.endWithSigns(start) }

func (f *Field) endWithSigns(start int) int {
	i := f.Value.End
	if start > f.Lo && (f.Text[start-1] == '?' || f.Text[start-1] == '&' || ascii.Is(f.Text[start-1], ascii.HexDigit)) {
		return i
	}
	from, known := f.Value.Start, false // whether the part of the value from there on has no words is known
	for range maxSigns {
		if i+1 >= f.Hi || i-f.Value.Start >= value.MaxExamined || !mayJoin(f.Text[i]) {
			return i
		}
		rest := f.Text[i+1 : f.Hi]
		if f.Text[i] != '&' {
			n := 0
			for n < len(rest) && !syntax.EndsValue(rest[n]) {
				n++
			}
			if !known && !noWords(f.Text[from:i]) || !noWords(rest[:n]) {
				return i
			}
			list := start < f.Value.Start && f.Op == syntax.OpComma && f.Text[i] == ',' && !f.beforeBar()
			if from, i, known = i+1, i+1+n, true; list {
				return i // which plainlyNot refuses, however long it is
			}
			continue
		}
		n := ascii.Run(rest, ascii.Word|ascii.Dash)
		if n == len(rest) && n > 0 {
			return f.Hi
		}
		if syntax.EndsValue(rest[0]) || rest[0] == '#' || n < len(rest) && (rest[n] == '=' || rest[n] == ';') {
			return i
		}
		known = false
		for i++; i < f.Hi && !syntax.EndsValue(f.Text[i]); i++ {
		}
	}
	return i
}

// maxSigns is how many signs that end most values may be within a password.
const maxSigns = 8

// mayJoin reports whether c, which ends most values, may be within a password.
func mayJoin(c byte) bool {
	return c == '&' || c == ',' || c == ';' || c == '<' || c == '>' || c == '|'
}

// noWords reports whether b is neither a name, as of a command, nor words, nor has a sign
// between a name and a value.
func noWords(b []byte) bool {
	var k ascii.Class // of all bytes that count
	for _, c := range b[:min(len(b), value.MaxExamined)] {
		k |= ascii.ClassOf(c)
	}
	odd := k&ascii.Upper != 0 || len(b) > 0 && ascii.Is(b[0], ascii.Digit)
	return odd && k&(ascii.Equals|ascii.Colon) == 0 && (k&ascii.Digit != 0 || k&ascii.Lower != 0 && !value.Wordy(b)) &&
		(len(b) <= value.MaxExamined || !ascii.Contains(b, '=') && !ascii.Contains(b, ':'))
}
