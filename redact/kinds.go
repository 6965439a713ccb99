package redact

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/ascii"
)

// variable reports whether the value is the name of one, in a program, that has a
// secret: ed25519PrivateKey.
func (t traits) variable() bool {
	if t.n > len("key") && t.n <= maxIdentifier && ascii.Is(t.b[0], ascii.Lower) && ascii.Run(t.b, ascii.Alnum) == t.n && bytes.HasSuffix(t.b, []byte("Key")) {
		return true // privEd25519Key
	}
	return t.n <= maxIdentifier && ascii.Is(t.b[0], ascii.Alpha|ascii.Under) && ascii.Run(t.b, ascii.Word) == t.n && t.mostlyLetters() && mentions(t.b) && wordy(t.b)
}

// mostlyLetters reports whether less than a third of the value are digits: one of
// chance has a sixth of them, the name of a variable one or two.
func (t traits) mostlyLetters() bool { return t.digits*3 < t.n }

// digitInside reports whether a letter follows a digit: s3cretpass. The name of a
// variable has its number at the end.
func (t traits) digitInside() bool {
	for i := 1; i < t.n; i++ {
		if ascii.Is(t.b[i-1], ascii.Digit) && ascii.Is(t.b[i], ascii.Lower|ascii.Upper) {
			return true
		}
	}
	return false
}

// keyID reports whether the value is the id of a key of OpenPGP, of 4 or 8 bytes in
// hex, or its fingerprint, of 20 (RFC 4880, 12.2).
func (t traits) keyID() bool {
	return t.uppers > 0 && t.lowers == 0 && t.hexs == t.n && (t.n == 8 || t.n == 16 || t.n == 40)
}

// scrambled reports whether a short value changes between digits and letters as no
// name does: x7Kq92mZ.
func (t traits) scrambled() bool {
	return t.n >= minPassword && t.digits >= 2 && t.lowers+t.uppers >= 2 && t.changes >= 3 && t.dashes+t.dots+t.slashes == 0 && !mentions(t.b)
}

// digest reports whether the value is made of the digits of hashes and UUIDs.
func (t traits) digest() bool { return t.hexs+t.dashes == t.n }

// mixture reports whether a short value has some digits among letters, as a weak
// token has: abc123def.
func (t traits) mixture() bool {
	return t.n >= minToken && t.digits >= 3 && t.lowers+t.uppers >= 3 && t.lowers+t.uppers+t.digits == t.n && !mentions(t.b)
}

// minDigest is the length of an MD5 in hexadecimal, the shortest digest in use.
const minDigest = 32

// cacheKey reports whether the value ends in a digest, after words: the key of
// a cache, linux-node-7d793037a0760186574b0282f2f435e7.
func (t traits) cacheKey() bool {
	n := ascii.RunBack(t.b, ascii.HexDigit)
	return n >= minDigest && n < t.n && ascii.Is(t.b[t.n-n-1], ascii.Dash|ascii.Under|ascii.Dot|ascii.Colon|ascii.Plus)
}

// escapedBytes reports whether the value is written as the codes of its bytes,
// as binary data in a program is.
func (t traits) escapedBytes() bool {
	n := bytes.Count(t.b, []byte{'\\'})
	return n > 1 && n*8 >= t.n
}

const (
	accessKeyLen      = 40 // of Amazon's secret access keys
	accessKeyLetters  = 4  // of either case: by chance six keys in a million have fewer
	accessKeyDistinct = 13 // characters: by chance no key has fewer
)

// accessKey reports whether the value is of the form of Amazon's secret access
// keys, which is base64, whatever words may be in it.
func (t traits) accessKey() bool {
	return t.n == accessKeyLen && min(t.uppers, t.lowers) >= accessKeyLetters && t.distinct >= accessKeyDistinct && ascii.Run(t.b, ascii.Base64) == t.n
}
