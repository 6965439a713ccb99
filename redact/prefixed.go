package redact

import (
	"bytes"
	"strings"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/syntax"
)

// tokenTables are all tables of tokens.
var tokenTables = [...]*[]family{&vcsTokens, &cloudTokens, &aiTokens, &payTokens, &chatTokens, &opsTokens, &dataTokens, &appTokens}

// A tokenRef is where in the tables a token is.
type tokenRef struct{ table, family, token uint8 }

func (r tokenRef) get() (*family, *token) {
	f := &(*tokenTables[r.table])[r.family]
	return f, &f.tokens[r.token]
}

// A prefixed is the tokens that begin alike.
type prefixed []tokenRef

// glued returns the length of the tokens of the family that are at pos, right after
// another one.
func (f *family) glued(v *view, pos int) int {
	end := pos
next:
	for end < v.Hi {
		for i := range f.tokens {
			t := &f.tokens[i]
			if !bytes.HasPrefix(v.Text[end:v.Hi], []byte(t.prefix)) || len(t.prefix) < minGlued {
				continue
			}
			if n := t.match(v, f, end); n > 0 {
				end += n
				continue next
			}
		}
		break
	}
	return end - pos
}

// quick reports whether as many bytes after the prefix, at b[i:], may be of the token as
// it has at least. All are looked at, lest another line decide whether this one is.
func (t *token) quick(b []byte, i int) bool {
	least := max(t.min, 1)
	return i+least <= len(b) && ascii.Is(b[i+least-1], t.class) && ascii.Run(b[i:i+least], t.class) == least
}

// find marks the longest token at pos.
func (p prefixed) find(v *view, pos int) {
	_, first := p[0].get()
	if !v.boundary(pos) && (len(first.prefix) < minWithin || pos == v.Lo || !ascii.Is(v.Text[pos-1], ascii.Under|ascii.Digit)) {
		return
	}
	n, rule := 0, ""
	for _, r := range p {
		f, t := r.get()
		if m := t.match(v, f, pos); m > n {
			n, rule = m+f.glued(v, pos+m), f.rule
		}
	}
	if n == 0 || inPath(&v.Line, pos, pos+n) || n < maxTruncated && v.Truncated(pos+n) {
		return
	}
	start := pos
	if first.address() {
		start += len(first.prefix)
	}
	v.add(start, pos+n, rule)
	if size := pairOf(rule); size > 0 {
		v.next.pair = partner{size: size, lines: maxPairLines}
		v.next.pair.find(v, pos+n)
	}
}

// address reports whether the prefix is the host and path before a key, which is no part
// of the secret.
func (t *token) address() bool {
	return t.prefix[len(t.prefix)-1] == '/' && strings.Contains(t.prefix, ".")
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
