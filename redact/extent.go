package redact

import (
	"bytes"
	"strings"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/names"
	"github.com/envwrap/envwrap/redact/internal/syntax"
	"github.com/envwrap/envwrap/redact/internal/value"
)

// parted returns the end of a value that ends at i, or of what a bar parts from it,
// where that is a long secret itself: id|secret.
func (v *view) parted(i int) int {
	if i >= v.Hi || v.Text[i] != '|' {
		return i
	}
	n := ascii.Run(v.Text[i+1:min(v.Hi, i+1+value.MaxJudged)], ascii.Base64|ascii.URLSafe|ascii.Equals)
	if n < minParted || !value.TraitsOf(v.Text[i+1:i+1+n]).Random(minParted) {
		return i
	}
	return i + 1 + n
}

// minParted is the least length of such a secret: commands are shorter.
const minParted = 20

// lineEnd returns the end of the value of f, or of the line where a setting is all of
// it and what follows a sign that would end the value elsewhere looks like more of it.
func (v *view) lineEnd(f *field) int {
	i := f.value.End
	rest := syntax.TrimRight(v.Text[i:v.Hi])
	if n := len(rest); n > 0 && i+n-f.value.Start <= maxNoisy && (f.op == syntax.OpAssign || f.op == syntax.OpColon) && v.Leads(f.Start) && noisy(v.Text[f.value.Start:i+n]) {
		return i + n
	}
	if len(rest) > 2 && rest[0] == ',' && f.op == syntax.OpColon && f.strength == names.Password && v.Leads(f.Start) && ascii.Run(rest, ascii.Word|ascii.Dash|ascii.Dot|ascii.Comma) == len(rest) {
		return i + len(rest) // several, of YAML: what follows a mask would not parse
	}
	if len(rest) < 3 || f.op != syntax.OpAssign && f.op != syntax.OpColon || strings.IndexByte("}])|;&", rest[0]) < 0 || !v.Leads(f.Start) {
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
	if t := value.TraitsOf(rest); t.Digits == 0 || t.Changes < 2 || value.Wordy(rest) {
		return i
	}
	return i + len(rest)
}

// trimmed returns s without spaces at its ends, where there are none within.
func (v *view) trimmed(s syntax.Span) syntax.Span {
	b := bytes.Trim(v.Text[s.Start:s.End], " ")
	if len(b) == s.End-s.Start || ascii.Contains(b, ' ') || len(b) == 0 {
		return s
	}
	start := s.Start + bytes.Index(v.Text[s.Start:s.End], b)
	return syntax.Span{Start: start, End: start + len(b)}
}

// tangled looks at a value without quotes that has brackets in it: where they do
// not match each other it is no expression, but a password that has some.
func (v *view) tangled(f *field) {
	most := v.Text[f.value.Start:min(v.Hi, f.value.Start+value.MaxJudged)]
	if f.strength < names.Telling || !ascii.Contains(most, ')') && !ascii.Contains(most, ']') && !ascii.Contains(most, '}') {
		return // most have none, and this is looked at for each name in a long value
	}
	end := f.value.Start
	for end < v.Hi && end-f.value.Start < value.MaxJudged && !ascii.Is(v.Text[end], ascii.Blank) && v.Text[end] != '\r' && !syntax.IsQuote(v.Text[end]) {
		end++
	}
	b := v.Text[f.value.Start:end]
	if len(b) >= 12 && b[0] != '/' && crossed(b) && value.TraitsOf(b).Random(12) {
		v.add(f.value.Start, end, ruleAssignment)
	}
}

// noisy reports whether b, without quotes and all that a line has after a name and a
// sign, is letters, digits and signs by chance: brackets that do not match, or odd signs
// between what are no words.
func noisy(b []byte) bool {
	t := value.TraitsOf(b)
	if t.Len < minNoisy || t.Digits == 0 || t.Lowers < value.Several || t.Uppers < value.Several || t.Changes < value.ManyChanges || t.Signs*9 < t.Len || t.Signs*2 > t.Len ||
		t.Spaces > 0 || t.Foreign > 0 || !ascii.Is(b[0], ascii.Alnum) || bytes.ContainsAny(b, "\"'`\\,;") || strings.IndexByte("([{", b[t.Len-1]) >= 0 ||
		ascii.Contains(b, '.') && value.Code(b) || value.Wordy(b) || value.Templates(b) > 0 || value.Mentions(b) {
		return false
	}
	return t.Odd >= value.Several || !balanced(b)
}

const (
	minNoisy = 12 // the least length of such a value
	maxNoisy = 96 // the greatest
)

// balanced reports whether each bracket in b is closed, and by one of its kind.
func balanced(b []byte) bool {
	return !crossed(b) && bytes.Count(b, []byte("(")) == bytes.Count(b, []byte(")")) &&
		bytes.Count(b, []byte("[")) == bytes.Count(b, []byte("]")) && bytes.Count(b, []byte("{")) == bytes.Count(b, []byte("}"))
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

// signsWithin returns the end of a password without quotes that seems to be s, or
// further on where the sign after it is of it, too. An ampersand is not in a query,
// password=x&name=y, nor in a command, password=x && y, nor as the start of an entity;
// another sign is where what is on both sides of it looks made by chance. The
// password's name is at start.
func (v *view) signsWithin(start int, s syntax.Span) int {
	i := s.End
	if start > v.Lo && (v.Text[start-1] == '?' || v.Text[start-1] == '&' || ascii.Is(v.Text[start-1], ascii.HexDigit)) {
		return i
	}
	for from := s.Start; i+1 < v.Hi && joins(v.Text[i]); {
		rest := v.Text[i+1 : v.Hi]
		if v.Text[i] != '&' {
			n := 0
			for n < len(rest) && !syntax.EndsValue(rest[n]) {
				n++
			}
			if !unworded(v.Text[from:i]) || !unworded(rest[:n]) {
				return i
			}
			from, i = i+1, i+1+n
			continue
		}
		n := ascii.Run(rest, ascii.Word|ascii.Dash)
		if n == len(rest) && n > 0 {
			return v.Hi
		}
		if syntax.EndsValue(rest[0]) || n < len(rest) && (rest[n] == '=' || rest[n] == ';') {
			return i
		}
		for i++; i < v.Hi && !syntax.EndsValue(v.Text[i]); i++ {
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
