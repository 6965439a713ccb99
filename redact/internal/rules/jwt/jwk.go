package jwt

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/decode"
	"github.com/envwrap/envwrap/redact/internal/match"
	"github.com/envwrap/envwrap/redact/internal/value"
)

// JWKMembers are the names of private members of keys, in the quotes of JSON, also
// within strings.
var JWKMembers = [...]string{
	`"d"`, `"p"`, `"q"`, `"dp"`, `"dq"`, `"qi"`, `"k"`, `"d\`, `"p\`, `"q\`, `"dp\`, `"dq\`, `"qi\`, `"k\`,
}

const (
	minMember    = 40 // characters of a private member of a key
	minSymmetric = 22 // of a key for AES with 128 bits
)

// FindJWKMember marks the private member of a JSON Web Key whose name is at pos, on a line
// that need not have the key's type.
func FindJWKMember(v *match.View, pos int) {
	name := v.Text[pos+1 : pos+1+ascii.Run(v.Text[pos+1:v.Hi], ascii.Alpha)]
	i := v.SkipSpaces(v.SkipClosing(pos + 1 + len(name)))
	if i >= v.Hi || v.Text[i] != ':' {
		return
	}
	val, q := v.Value(v.SkipSpaces(i + 1))
	b := v.Text[val.Start:val.End]
	least := minMember
	if string(name) == "k" {
		least = minSymmetric
	}
	if t := value.TraitsOf(b); q.Mark == '"' && t.Len >= least && ascii.Run(b, ascii.URLSafe|ascii.Equals) == len(b) && t.Digits > 1 && t.Uppers > 2 && t.Lowers > 2 && t.Random(least) {
		v.Add(val.Start, val.End, match.RuleJWK)
	}
}

// maxEncodedKey is how many bytes of a text in base64 are searched for a key.
const maxEncodedKey = 16 << 10

// FindTinkKeyset marks a set of keys of Tink in base64, whose type begins at pos, unless
// they are public (https://developers.google.com/tink/cleartext-keysets).
func FindTinkKeyset(v *match.View, pos int) {
	if pos < v.JWKTo {
		return
	}
	start := pos - ascii.RunBack(v.Text[max(v.Lo, pos-maxEncodedKey):pos], ascii.Base64|ascii.URLSafe)
	end := pos + v.Run(pos, ascii.Base64|ascii.URLSafe)
	v.JWKTo = end
	if !bytes.Contains(decode.Base64(nil, v.Text[start:min(end, start+maxEncodedKey)]), []byte("PublicKey")) {
		v.Add(start, end+ascii.Run(v.Text[end:v.Hi], ascii.Equals), match.RuleJWK)
	}
}
