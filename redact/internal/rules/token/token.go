// Package token knows the tokens of services by their prefixes and by what follows
// them.
package token

import (
	"bytes"
	"strings"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/match"
	"github.com/envwrap/envwrap/redact/internal/syntax"
	"github.com/envwrap/envwrap/redact/internal/value"
)

// A Family is the tokens of one service.
type Family struct {
	Rule   string // name in counts
	Doc    string // address of the service's description, or "format seen in use"
	Tokens []Token
}

// A Token is a kind of secret with a fixed prefix.
type Token struct {
	Prefix   string
	Class    ascii.Class // of the bytes that follow
	Min, Max int         // how many follow; with more than Max it is something else, 0 is no limit
	Need     byte        // that must be among them, if it is not 0
	Sample   string      // made up, of the bytes that follow
}

// A Group is the tokens that have a prefix in common.
type Group struct {
	Prefix string
	tokens []ref
}

// A ref is the position of a token in Families.
type ref struct {
	family uint16
	token  uint8
}

// shortPrefix is the length up to which a prefix is no proof by itself: the rest must not
// look like words.
const shortPrefix = 5

// minWordLetters is how many different letters words have that are run together after a
// prefix: cfn-dataset-outputcolumnnameoverride.
const minWordLetters = 8

// maxExamined is how many bytes of a token are examined.
const maxExamined = 128

// Match returns the length of the token of the family f at pos, where its prefix is; 0 if
// none exists.
func (t *Token) Match(l *syntax.Line, f *Family, pos int) int {
	i := pos + len(t.Prefix)
	n := t.run(l, i)
	next, more := f.next(l.Text[i:l.Hi], t.Min, n)
	if more {
		n = next // another one follows, with nothing between
	}
	for n > t.Min && ascii.Is(l.Text[i+n-1], ascii.Dot|ascii.Dash) {
		n-- // the end of a sentence
	}
	if len(t.Prefix) < shortPrefix && pos > l.Lo && l.Text[pos-1] == '-' && t.Prefix[len(t.Prefix)-1] == '-' {
		return 0 // of words with dashes between
	}
	if n < t.Min || t.Max > 0 && n > t.Max && !t.extended(l.Text[i:i+n]) {
		return 0
	}
	if i+n < l.Hi && ascii.Is(l.Text[i+n], ascii.Alnum) && t.Max == n && !more &&
		!t.extended(l.Text[i:i+n+ascii.Run(l.Text[i+n:min(l.Hi, i+n+maxExtra+1)], ascii.Alnum)]) {
		return 0
	}
	b := l.Text[i : i+n]
	if t.Need != 0 && !ascii.Contains(b, t.Need) || t.withinBase64(l.Text[max(l.Lo, pos-longBase64):pos]) {
		return 0
	}
	b = b[:min(n, maxExamined)]
	tr := value.TraitsOf(b)
	if tr.Distinct < min(5, t.Min/3) || strings.HasSuffix(t.Prefix, "AA") && bytes.Count(b, []byte{'A'})*3 > len(b) || value.Sample(b) {
		return 0
	}
	if tr.Lowers == n && tr.Distinct > minWordLetters && value.Wordy(b) || t.Prefix[len(t.Prefix)-1] == '_' && (len(t.Prefix) < shortPrefix || tr.Lowers+tr.Digits+tr.Dashes == n) && value.Worded(b) {
		return 0 // words run together, or a name: secret_scanning_scan_history
	}
	if len(t.Prefix) <= shortPrefix && tr.Digits < 3 && tr.Changes*2 < tr.Len && !t.upperCode() && value.Wordy(b) {
		return 0
	}
	return len(t.Prefix) + n
}

// withinBase64 reports whether the token begins after a slash or plus in a long text in
// base64, which b ends, in which chance makes a prefix so short.
func (t *Token) withinBase64(b []byte) bool {
	zeros := strings.Count(t.Prefix, "A") == len(t.Prefix)
	if zeros && len(b) >= longBase64/4 && ascii.RunBack(b, ascii.Base64) >= longBase64/4 {
		return true
	}
	if len(b) < longBase64 || ascii.RunBack(b, ascii.Base64) < len(b) || bytes.Count(b, []byte{'/'}) > longBase64/16 {
		return false
	}
	return zeros || (len(t.Prefix) < len("EAAC") || len(t.Prefix) == len("EAAC") && t.Max == 0) && ascii.Is(b[len(b)-1], ascii.Plus) && ascii.Run([]byte(t.Prefix), ascii.Alnum) == len(t.Prefix)
}

// longBase64 is the length of a text in base64 before a token: a path is shorter.
const longBase64 = 96

// next returns the offset in b, from least up to most, of another token of the family, and
// whether there is one. Of each kind only the first prefix counts.
func (f *Family) next(b []byte, least, most int) (i int, ok bool) {
	if most < least {
		return 0, false
	}
	var begin [2]uint64 // the first bytes of the prefixes
	for k := range f.Tokens {
		c := f.Tokens[k].Prefix[0]
		begin[c>>6&1] |= 1 << (c & 63)
	}
	var seen SeenRuns
	var passed uint64 // kinds of which a prefix was found
	for i = least; i <= min(most, least+maxGap, len(b)-1); i++ {
		if c := b[i]; c >= 0x80 || begin[c>>6]>>(c&63)&1 == 0 {
			continue
		}
		for k := range f.Tokens {
			t := &f.Tokens[k]
			if t.Prefix[0] != b[i] || len(t.Prefix) < minAdjacent || passed>>k&1 != 0 || !bytes.HasPrefix(b[i:], []byte(t.Prefix)) {
				continue
			}
			if passed |= 1 << k; t.Quick(b, i+len(t.Prefix), &seen) {
				return i, true
			}
		}
	}
	return most + 1, false
}

// maxGap is how far after the least length of a token another is searched for.
const maxGap = 256

// minAdjacent is the least length of a prefix that is found right after another token.
const minAdjacent = 3

// extended reports whether b, which is longer than a token may be, is one with a word
// right after it.
func (t *Token) extended(b []byte) bool {
	if c := t.Prefix[len(t.Prefix)-1]; t.Min != t.Max && t.Class != ascii.Alnum || len(t.Prefix) < minAdjacent || c != '_' && c != '-' || len(b) > t.Max+maxExtra {
		return false
	}
	r := value.TraitsOf(b[:t.Max])
	return r.Random(t.Max) && (r.Digits > 3 || r.Restless() || r.Changes*3 > r.Len)
}

// maxExtra is the longest word that may be right after a token.
const maxExtra = 8

// upperCode reports whether t is of one length and of capital letters and digits alone,
// with four of them before it, as no word is.
func (t *Token) upperCode() bool {
	return len(t.Prefix) >= 4 && t.Min == t.Max && t.Class == ascii.Upper|ascii.Digit && ascii.Run([]byte(t.Prefix), ascii.Upper|ascii.Digit) == len(t.Prefix)
}

// pastToken is how far after the longest token a run is followed: the end of a sentence
// may be there.
const pastToken = 64

// run returns how many bytes at i may be of t, or a few more.
func (t *Token) run(l *syntax.Line, i int) int {
	if t.Max > 0 {
		return ascii.Run(l.Text[i:min(l.Hi, i+t.Max+pastToken)], t.Class)
	}
	return l.Run(i, t.Class)
}

// Adjacent returns the length of the tokens of the family at pos, right after another one.
// Each of a row is looked at once, although the row is followed from each of them. What
// follows as many as a row has is taken for more of them as far as its bytes may be of a
// token.
func (f *Family) Adjacent(v *match.View, pos int) int {
	r := &v.Tokens
	if r.Of != f || !r.Cut(pos) {
		*r = match.TokenRow{Of: f, Start: pos}
	}
	end := r.End()
next:
	for end < v.Hi && r.Len < len(r.Ends) {
		for i := range f.Tokens {
			t := &f.Tokens[i]
			if v.Text[end] != t.Prefix[0] || len(t.Prefix) < minAdjacent || !bytes.HasPrefix(v.Text[end:v.Hi], []byte(t.Prefix)) {
				continue
			}
			if n := t.Match(&v.Line, f, end); n > 0 {
				end += n
				r.Ends[r.Len], r.Classes[r.Len] = end, t.Class
				r.Len++
				continue next
			}
		}
		return end - pos
	}
	if end < v.Hi {
		k := ascii.Word | ascii.Dash
		for _, of := range r.Classes {
			k |= of
		}
		end += v.Run(end, k)
	}
	return end - pos
}

// Quick reports whether the bytes at b[i:], after the prefix, may be a token, as far as
// its least length. It examines all of them, lest another line decide whether this one has
// a token.
func (t *Token) Quick(b []byte, i int, seen *SeenRuns) bool {
	end := i + max(t.Min, 1)
	return end <= len(b) && ascii.Is(b[end-1], t.Class) && seen.reaches(b, i, end, t.Class)
}

// withinWord reports whether b[pos] is within a word. It may take the end of one for a colour.
func withinWord(b []byte, pos int) bool {
	if pos == 0 || !ascii.Is(b[pos-1], ascii.Word) {
		return false
	}
	if ascii.Is(b[pos-1], ascii.Lower) && (pos == 1 || b[pos-1] == 'm' || b[pos-2] == '\\' || b[pos-2] == '-') {
		return false
	}
	return !syntax.EscapedByte(b[:pos]) && !syntax.EscapedCode(b[:pos])
}

// SeenRuns are parts of a text that have only characters of a class, by the signs in the
// class. They save looking at them for each prefix among them.
type SeenRuns [4]struct {
	class    ascii.Class
	from, to int
}

// reaches reports whether b[i:end] has only characters of class k.
func (s *SeenRuns) reaches(b []byte, i, end int, k ascii.Class) bool {
	r := &s[k/ascii.Under%4]
	if r.class != k || i < r.from || i > r.to {
		r.class, r.from, r.to = k, i, i
	}
	if end > r.to {
		r.to += ascii.LongRun(b[r.to:end], k)
	}
	return end <= r.to
}

// Address reports whether the prefix is the host and path before a key, which is not part
// of the secret.
func (t *Token) Address() bool {
	return t.Prefix[len(t.Prefix)-1] == '/' && strings.Contains(t.Prefix, ".")
}
