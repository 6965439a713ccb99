package redact

import (
	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/syntax"
	"github.com/envwrap/envwrap/redact/internal/token"
)

// A tokenRef is where in the tables a token is.
type tokenRef struct{ table, family, token uint8 }

func (r tokenRef) get() (*token.Family, *token.Token) {
	f := &(*token.Tables[r.table])[r.family]
	return f, &f.Tokens[r.token]
}

// A prefixed is the tokens that begin alike.
type prefixed []tokenRef

// minWithin is the least length of a prefix that is known within a word, too.
const minWithin = 8

// find marks the longest token at pos.
func (p prefixed) find(v *view, pos int) {
	_, first := p[0].get()
	if !v.boundary(pos) && (len(first.Prefix) < minWithin || pos == v.Lo || !ascii.Is(v.Text[pos-1], ascii.Under|ascii.Digit)) {
		return
	}
	n, rule := 0, ""
	for _, r := range p {
		f, t := r.get()
		if m := t.Match(&v.Line, f, pos); m > n {
			n, rule = m+f.Glued(&v.Line, pos+m), f.Rule
		}
	}
	if n == 0 || inPath(&v.Line, pos, pos+n) || n < maxTruncated && v.Truncated(pos+n) {
		return
	}
	start := pos
	if first.Address() {
		start += len(first.Prefix)
	}
	v.add(start, pos+n, rule)
	if size := pairOf(rule); size > 0 {
		v.next.pair = partner{size: size, lines: maxPairLines}
		findPaired(v, v.next.pair, pos+n)
	}
}

// maxTruncated is the length from which on a token is masked although it was cut: of
// what there is of it enough may be left.
const maxTruncated = 160

// inPath reports whether v.Text[start:end] is a part of the name of a file or of a
// page, with a digest in it: favicon.ico-<digest>.png, /API-<digest>/, /key-<digest>.css.
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

// quick reports whether one of the tokens may be at b[pos:].
func (p prefixed) quick(b []byte, pos int) bool {
	if _, t := p[0].get(); pos > 0 && len(t.Prefix) >= minWithin && ascii.Is(b[pos-1], ascii.Under|ascii.Digit) {
		return t.Quick(b, pos+len(t.Prefix))
	}
	if pos > 0 && ascii.Is(b[pos-1], ascii.Word) && !ascii.Is(b[pos-1], ascii.Lower) && !syntax.EscapedByte(b[:pos]) {
		return false
	}
	if pos > 1 && ascii.Is(b[pos-1], ascii.Lower) && b[pos-1] != 'm' && b[pos-2] != '\\' && !syntax.EscapedByte(b[:pos]) {
		return false
	}
	for _, r := range p {
		if _, t := r.get(); t.Quick(b, pos+len(t.Prefix)) {
			return true
		}
	}
	return false
}
