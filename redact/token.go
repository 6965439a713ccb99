package redact

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/syntax"
	"github.com/envwrap/envwrap/redact/internal/value"
)

// A family is the tokens of one service.
type family struct {
	rule   string // name in counts
	doc    string // where the service describes them, or seenInUse
	tokens []token
}

// seenInUse is in place of a document where none was found that shows the format.
const seenInUse = "format seen in use"

// A token is a kind of secret with a fixed prefix.
type token struct {
	prefix   string
	class    ascii.Class // of the bytes that follow
	min, max int         // how many follow; more than max is something else, 0 is no limit
	need     byte        // one of those that must be among them, 0 is none
	sample   string      // what may follow, made up
}

// shortPrefix is the length up to which a prefix is no proof by itself: what
// follows must not look like words.
const shortPrefix = 5

// judgedToken is how much of a token is looked at to judge it.
const judgedToken = 128

// match returns the length of the token of the family at pos, whose prefix is there; 0 is
// none.
func (t *token) match(v *view, f *family, pos int) int {
	i := pos + len(t.prefix)
	n := t.run(&v.Line, i)
	next, more := f.next(v.Text[i:v.Hi], t.min, n)
	if more {
		n = next // another one follows, with nothing between
	}
	for n > t.min && ascii.Is(v.Text[i+n-1], ascii.Dot|ascii.Dash) {
		n-- // the end of a sentence
	}
	if n < t.min || t.max > 0 && n > t.max && !t.extended(v.Text[i:i+n]) {
		return 0
	}
	if i+n < v.Hi && ascii.Is(v.Text[i+n], ascii.Alnum) && t.max == n && !more &&
		!t.extended(v.Text[i:i+n+ascii.Run(v.Text[i+n:min(v.Hi, i+n+maxExtra+1)], ascii.Alnum)]) {
		return 0
	}
	b := v.Text[i : i+n]
	if t.need != 0 && !ascii.Contains(b, t.need) || t.withinBase64(v.Text[max(v.Lo, pos-longBase64):pos]) {
		return 0
	}
	b = b[:min(n, judgedToken)]
	tr := value.TraitsOf(b)
	if tr.Distinct < min(5, t.min/3) || value.Sample(b) {
		return 0
	}
	if len(t.prefix) <= shortPrefix && tr.Digits < 3 && tr.Changes*2 < tr.Len && !t.coded() && value.Wordy(b) {
		return 0
	}
	return len(t.prefix) + n
}

// withinBase64 reports whether the token, by a prefix that is not longer than chance makes
// it in base64, begins after a slash or plus in a long text in base64, which b ends.
func (t *token) withinBase64(b []byte) bool {
	return len(t.prefix) < len("AKIA") && len(b) == longBase64 && ascii.Is(b[len(b)-1], ascii.Plus) && ascii.Run([]byte(t.prefix), ascii.Alnum) == len(t.prefix) &&
		ascii.RunBack(b, ascii.Alnum|ascii.Plus) == len(b)
}

// longBase64 is the length of such a text before the token: a path is shorter.
const longBase64 = 96

// next returns where in b, from least on and up to the byte at most, another token of
// the family begins, if one does.
func (f *family) next(b []byte, least, most int) (i int, ok bool) {
	if most < least {
		return 0, false
	}
	most = min(most, least+maxGap)
	i = most + 1
	for k := range f.tokens {
		t := &f.tokens[k]
		n := bytes.Index(b[least:min(len(b), most+len(t.prefix))], []byte(t.prefix))
		if len(t.prefix) >= minGlued && n >= 0 && least+n < i && t.quick(b, least+n+len(t.prefix)) {
			i, ok = least+n, true
		}
	}
	return i, ok
}

// maxGap is how far after the least length of a token another is looked for.
const maxGap = 256

// minGlued is the least length of a prefix that is known right after another token.
const minGlued = 3

// extended reports whether b, which is longer than a token may be, has one and a word
// right after it.
func (t *token) extended(b []byte) bool {
	if c := t.prefix[len(t.prefix)-1]; t.min != t.max && t.class != ascii.Alnum || len(t.prefix) < minGlued || c != '_' && c != '-' || len(b) > t.max+maxExtra {
		return false
	}
	r := value.TraitsOf(b[:t.max])
	return r.Random(t.max) && (r.Digits > 3 || r.Restless() || r.Changes*3 > r.Len)
}

// maxExtra is the longest word that may be right after a token.
const maxExtra = 8

// coded reports whether t is of one length and of capital letters and digits
// alone, after four of them, as no word is.
func (t *token) coded() bool {
	return len(t.prefix) >= 4 && t.min == t.max && t.class == ascii.Upper|ascii.Digit && ascii.Run([]byte(t.prefix), ascii.Upper|ascii.Digit) == len(t.prefix)
}

// pastToken is how far after the longest token a run is followed: what ends a
// sentence may be there.
const pastToken = 64

// run returns how many bytes at i may be of t, or a few more.
func (t *token) run(l *syntax.Line, i int) int {
	if t.max > 0 {
		return ascii.Run(l.Text[i:min(l.Hi, i+t.max+pastToken)], t.class)
	}
	return l.Run(i, t.class)
}

// boundary reports whether a token may begin at i: not within a word.
func (v *view) boundary(i int) bool {
	if i == v.Lo {
		return !v.cutLeft
	}
	c := v.Text[i-1]
	if !ascii.Is(c, ascii.Word) {
		return true
	}
	if ascii.Backslashes(v.Text[v.Lo:], i-1-v.Lo)%2 == 1 {
		return ascii.Is(c, ascii.Lower) // the letter of an escape, such as \n
	}
	return c == 'm' && escapedCode(v.Text[v.Lo:i]) || escapedByte(v.Text[v.Lo:i])
}

// escapedByte reports whether b ends in a character that is written as the
// digits of its code: \u0022, \x22 or %22.
func escapedByte(b []byte) bool {
	n, digits := len(b), 2
	switch {
	case n > 2 && b[n-3] == '%', n > 3 && b[n-4] == '\\' && b[n-3] == 'x', n > 4 && string(b[n-5:n-2]) == "%25":
	case n > 5 && b[n-6] == '\\' && b[n-5] == 'u':
		digits = 4
	default:
		return false
	}
	return ascii.Run(b[n-digits:], ascii.HexDigit) == digits
}

// escapedCode reports whether b ends in a colour code whose escape character
// is itself escaped, as in JSON.
func escapedCode(b []byte) bool {
	i := len(b) - 1
	for i > 0 && (ascii.Is(b[i-1], ascii.Digit) || b[i-1] == ';') {
		i--
	}
	return i >= 5 && b[i-1] == '[' && (ascii.HasFold(b[i-5:], "u001b") || ascii.HasFold(b[i-4:], "x1b") || ascii.HasFold(b[i-4:], "033"))
}

// quick reports whether one of the tokens may be at b[pos:].
func (p prefixed) quick(b []byte, pos int) bool {
	if _, t := p[0].get(); pos > 0 && len(t.prefix) >= minWithin && ascii.Is(b[pos-1], ascii.Under|ascii.Digit) {
		return t.quick(b, pos+len(t.prefix))
	}
	if pos > 0 && ascii.Is(b[pos-1], ascii.Word) && !ascii.Is(b[pos-1], ascii.Lower) && !escapedByte(b[:pos]) {
		return false
	}
	if pos > 1 && ascii.Is(b[pos-1], ascii.Lower) && b[pos-1] != 'm' && b[pos-2] != '\\' && !escapedByte(b[:pos]) {
		return false
	}
	for _, r := range p {
		if _, t := r.get(); t.quick(b, pos+len(t.prefix)) {
			return true
		}
	}
	return false
}
