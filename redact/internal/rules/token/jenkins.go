package token

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/match"
	"github.com/envwrap/envwrap/redact/internal/value"
)

// FindJenkins marks a value that Jenkins has encrypted, which begins at pos: all that is
// between the braces around it, as in <password>{AQAAABAAA...}</password>, or, without
// braces, the base64 alone (https://www.jenkins.io/doc/developer/security/secrets/).
func FindJenkins(v *match.View, pos int) {
	start := pos - ascii.RunBack(v.Text[max(v.Lo, pos-maxBraced):pos], ascii.URLSafe|ascii.Dot|ascii.Blank)
	if start > v.Lo && v.Text[start-1] == '{' {
		end := pos + ascii.Run(v.Text[pos:min(v.Hi, pos+maxEncrypted)], ascii.Token|ascii.Blank|ascii.Colon)
		if end < v.Hi && v.Text[end] == '}' && end-pos >= minBraced {
			v.Add(start, end, match.RuleJenkins)
			return
		}
	}
	if n := v.Run(pos, ascii.Base64|ascii.Equals); n >= minJenkins && (pos == v.Lo || !ascii.Is(v.Text[pos-1], ascii.Base64)) && v.Boundary(pos) {
		v.Add(pos, pos+n, match.RuleJenkins)
	}
}

// FindEncryptedElement marks a value that Maven or Jenkins has encrypted: all of the text
// of an element, in base64 and in the braces that open at pos, or after the tag there
// (https://maven.apache.org/guides/mini/guide-encryption.html).
func FindEncryptedElement(v *match.View, pos int) {
	start := pos + bytes.IndexByte(v.Text[pos:v.Hi], '{') + 1
	n := v.Run(start, ascii.Base64|ascii.Equals)
	if end := start + n; n >= minBraced && n%4 == 0 && end < v.Hi && v.Text[end] == '}' && value.TraitsOf(v.Text[start:end]).Random(minBraced) {
		v.Add(start, end, match.RuleJenkins)
	}
}

// maxBraced is how much there may be in the braces before the value, and maxEncrypted how
// much from the value on.
const (
	maxBraced    = 256
	maxEncrypted = 2048
)

// minBraced is the least length of an encrypted value in braces.
const minBraced = 20

// minJenkins is the least length of a value that Jenkins has encrypted, in base64: a magic
// byte, two lengths, an initial vector and one block.
const minJenkins = 49
