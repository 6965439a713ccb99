package token

import (
	"math"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/match"
	"github.com/envwrap/envwrap/redact/internal/syntax"
)

func (r ref) get() (*Family, *Token) {
	f := &Families[r.family]
	return f, &f.Tokens[r.token]
}

// MinWithin is the least length of a prefix that is found within a word, too.
const MinWithin = 8

// Class returns the characters that may follow the prefix.
func (g *Group) Class() ascii.Class {
	_, t := g.tokens[0].get()
	return t.Class
}

// Follow returns the class of the bytes that follow the first skip ones after the prefix, and
// how many there are at least: Quick reports false if one is not of the class.
func (g *Group) Follow(skip int) (k ascii.Class, least int) {
	least = math.MaxUint8
	for _, r := range g.tokens {
		_, t := r.get()
		k |= t.Class
		least = min(least, max(t.Min, 1)-skip)
	}
	return k, max(least, 0)
}

// Find marks the longest token at pos.
func (g *Group) Find(v *match.View, pos int) {
	if !v.Boundary(pos) && (len(g.Prefix) < MinWithin || pos == v.Lo || !ascii.Is(v.Text[pos-1], ascii.Under|ascii.Digit)) {
		return
	}
	f, _ := g.tokens[0].get()
	if n := len(v.Spans); n > 0 && v.Spans[n-1].Rule == f.Rule && v.Spans[n-1].Start+manyTokens <= pos && pos < v.Spans[n-1].End {
		return // Adjacent has followed those of the family
	}
	n, rule := 0, ""
	for _, r := range g.tokens {
		f, t := r.get()
		if m := t.Match(&v.Line, f, pos); m > n {
			n, rule = m+f.Adjacent(v, pos+m), f.Rule
		}
	}
	if n == 0 || inPath(&v.Line, pos, pos+n) || n < maxTruncated && v.Truncated(pos+n) {
		return
	}
	start := pos
	if _, first := g.tokens[0].get(); first.Address() {
		start += len(g.Prefix)
	}
	v.Add(start, pos+n, rule)
	if size := pairOf(rule); size > 0 {
		v.Next.Paired = match.PairedKey{Size: size, Lines: maxPairLines}
		FindPaired(v, v.Next.Paired, pos+n)
	}
}

// manyTokens is the length of a row of tokens that were found as one.
const manyTokens = 1 << 10

// maxTruncated is the length from which on a token is masked although it was cut: enough
// of it may be left.
const maxTruncated = 160

// inPath reports whether l.Text[start:end] is a part of the name of a file or of a page,
// with a digest in it: favicon.ico-<digest>.png, /API-<digest>/, /key-<digest>.css.
func inPath(l *syntax.Line, start, end int) bool {
	if start == l.Lo {
		return false
	}
	if ascii.RunBack(l.Text[start:end], ascii.HexDigit) < 24 {
		return false
	}
	extension := end+1 < l.Hi && l.Text[end] == '.' && ascii.Is(l.Text[end+1], ascii.Lower)
	switch l.Text[start-1] {
	case '.':
		return extension
	case '/':
		return extension || ascii.Is(l.Text[start], ascii.Upper)
	}
	return false
}

// Quick reports whether one of the tokens may be at b[pos:].
func (g *Group) Quick(b []byte, pos int, seen *SeenRuns) bool {
	end := pos + len(g.Prefix)
	if pos > 0 && len(g.Prefix) >= MinWithin && ascii.Is(b[pos-1], ascii.Under|ascii.Digit) {
		_, first := g.tokens[0].get()
		return first.Quick(b, end, seen)
	}
	if withinWord(b, pos) {
		return false
	}
	for _, r := range g.tokens {
		if _, t := r.get(); t.Quick(b, end, seen) {
			return true
		}
	}
	return false
}

// CutShort reports whether rest, which follows the prefix and ends a text, is shorter than
// a token, and the rule of the token.
func (g *Group) CutShort(rest []byte) (rule string, ok bool) {
	f, t := g.tokens[0].get()
	return f.Rule, len(rest) < t.Min && ascii.Run(rest, t.Class) == len(rest)
}
