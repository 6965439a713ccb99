// Package jwt finds JSON Web Tokens, and the private members of JSON Web Keys.
package jwt

import (
	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/match"
	"github.com/envwrap/envwrap/redact/internal/value"
)

// minSealed is the least length of the last two parts of an encrypted token.
const minSealed = 16

// Find marks a JSON Web Token (RFC 7519) that begins at pos: two or three parts in
// URL-safe base64, of which the first, and mostly the second, is an object. An encrypted
// one (RFC 7516) has five, the second of which may be empty.
func Find(v *match.View, pos int) {
	if !v.Boundary(pos) {
		return
	}
	b := v.Text[pos:v.Hi]
	head := v.Run(pos, ascii.URLSafe|ascii.Equals)
	if head < 10 || head+8 > len(b) || b[head] != '.' {
		return
	}
	end := head + 1 + partLen(b[head+1:])
	if body := end - head - 1; body < 8 && (body > 0 || end == len(b) || b[end] != '.') {
		return
	}
	for parts := 2; end < len(b) && b[end] == '.' && parts < 5; parts++ {
		n := partLen(b[end+1:])
		if parts > 2 && n < minSealed {
			break // a file's extension
		}
		end += 1 + n
	}
	if t := value.TraitsOf(b[:end]); t.Distinct < 12 || t.Digits+t.Uppers < 6 {
		return
	}
	v.Add(pos, pos+end, match.RuleJWT)
}

// partLen returns the length of a part of a token at the start of b. A backslash belongs
// to it unless a letter or quote follows, with which it is an escape.
func partLen(b []byte) int {
	n := 0
	for {
		n += ascii.Run(b[n:], ascii.URLSafe|ascii.Equals|ascii.Plus)
		if n+1 >= len(b) || b[n] != '\\' || !ascii.Is(b[n+1], ascii.Digit|ascii.Plus) {
			return n
		}
		n++
	}
}
