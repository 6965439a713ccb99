package value

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/ascii"
)

// Variable reports whether the value is the name of a variable, in a program, that has a
// secret: ed25519PrivateKey.
func (t *Traits) Variable() bool {
	if bytes.HasSuffix(t.Bytes, []byte("PrivateKey")) && ascii.Run(t.Bytes, ascii.Alnum) == t.Len {
		return true // a type
	}
	if t.Len > len("key") && t.Len <= maxIdentifier && ascii.Is(t.Bytes[0], ascii.Lower) && ascii.Run(t.Bytes, ascii.Alnum) == t.Len && bytes.HasSuffix(t.Bytes, []byte("Key")) {
		return true // privEd25519Key
	}
	return t.Len <= maxIdentifier && ascii.Is(t.Bytes[0], ascii.Alpha|ascii.Under) && ascii.Run(t.Bytes, ascii.Word) == t.Len && t.MostlyLetters() && Mentions(t.Bytes) && t.Wordy()
}

// MostlyLetters reports whether less than a third of the value are digits: a random one
// has a sixth of them, the name of a variable one or two.
func (t *Traits) MostlyLetters() bool { return t.Digits*3 < t.Len }

// DigitInside reports whether a letter follows a digit: s3cretpass. The name of a
// variable has its number at the end.
func (t *Traits) DigitInside() bool {
	for i := 1; i < t.Len; i++ {
		if ascii.Is(t.Bytes[i-1], ascii.Digit) && ascii.Is(t.Bytes[i], ascii.Lower|ascii.Upper) {
			return true
		}
	}
	return false
}

// KeyID reports whether the value is the id of a key of OpenPGP, of 4 or 8 bytes in
// hex, or its fingerprint, of 20 (RFC 4880, 12.2).
func (t *Traits) KeyID() bool {
	return t.Uppers > 0 && t.Lowers == 0 && t.Hexes == t.Len && (t.Len == 8 || t.Len == 16 || t.Len == 40)
}

// Numbered reports whether the value is a word and a number: generation253198.
func (t *Traits) Numbered() bool {
	return t.Lowers >= MinToken && t.Uppers <= 1 && t.Lowers+t.Uppers+t.Digits == t.Len && ascii.Is(t.Bytes[t.Len-1], ascii.Digit) && t.Changes <= 2 && t.Wordy()
}

// CatalogNumber reports whether b looks like the name of a standard or an algorithm, or a
// number in a catalogue: AES256, RSA-2048, MAT101.
func CatalogNumber(b []byte) bool {
	n := ascii.Run(b, ascii.Upper)
	if n >= Several && n < len(b) && b[n] == '-' {
		n++
	}
	return n >= Several && n < len(b) && len(b)-n <= Min+1 && ascii.Run(b[n:], ascii.Digit) == len(b)-n
}

// Scrambled reports whether a short value changes between digits and letters as no
// name does: x7Kq92mZ.
func (t *Traits) Scrambled() bool {
	return t.Len >= MinPassword && t.Digits >= 2 && t.Lowers+t.Uppers >= 2 && t.Changes >= 3 && t.Dashes+t.Dots+t.Slashes == 0 && !Mentions(t.Bytes)
}

// Digest reports whether the value is made of the digits of hashes and UUIDs.
func (t *Traits) Digest() bool {
	b := bytes.TrimPrefix(t.Bytes, []byte("0x"))
	if i := bytes.LastIndexByte(b, ':'); i > longHex {
		b = b[:i] // the number of one of several
	}
	if n := ascii.Run(b, ascii.Lower); n > 0 && n < t.Len && b[n] == '-' && t.Len > longHex {
		b = b[n:] // the kind of what the digest is of
	}
	return ascii.Run(b, ascii.HexDigit|ascii.Dash) == len(b)
}

// Mixture reports whether a short value has some digits among letters, as a weak
// token has: abc123def.
func (t *Traits) Mixture() bool {
	return t.Len >= MinToken && t.Digits >= 3 && t.Lowers+t.Uppers >= 3 && t.Lowers+t.Uppers+t.Digits == t.Len && !Mentions(t.Bytes)
}

// minDigest is the length of an MD5 in hexadecimal, the shortest digest in use.
const minDigest = 32

// CacheKey reports whether the value ends in a digest, after words: the key of
// a cache, linux-node-7d793037a0760186574b0282f2f435e7.
func (t *Traits) CacheKey() bool {
	if n := ascii.RunBack(t.Bytes, ascii.Digit|ascii.Dot); n > 0 && n < t.Len && (t.Bytes[t.Len-n-1] == '-' || t.Bytes[t.Len-n-1] == '@') && ascii.Contains(t.Bytes[t.Len-n:], '.') && ascii.Run(t.Bytes, ascii.Word|ascii.Dash) >= t.Len-n-1 {
		return true
	}
	n := ascii.RunBack(t.Bytes, ascii.HexDigit)
	return n >= minDigest && n < t.Len && ascii.Is(t.Bytes[t.Len-n-1], ascii.Dash|ascii.Under|ascii.Dot|ascii.Colon|ascii.Plus)
}

// EscapedBytes reports whether the value is written as the codes of its bytes,
// as binary data in a program is.
func (t *Traits) EscapedBytes() bool {
	n := bytes.Count(t.Bytes, []byte{'\\'})
	if n == 1 && t.Bytes[0] == '\\' && t.Hexes == t.Len-1 && t.Len <= len(`\10ffff`) {
		return true // the code of a sign in CSS
	}
	return n > 1 && n*8 >= t.Len
}

const (
	accessKeyLen      = 40 // of Amazon's secret access keys
	accessKeyLetters  = 4  // of either case: by chance six keys in a million have fewer
	accessKeyDistinct = 13 // characters: by chance no key has fewer
)

// AccessKey reports whether the value is of the form of Amazon's secret access
// keys, which is base64, whatever words may be in it.
func (t *Traits) AccessKey() bool {
	return t.Len == accessKeyLen && min(t.Uppers, t.Lowers) >= accessKeyLetters && t.Distinct >= accessKeyDistinct && ascii.Run(t.Bytes, ascii.Base64) == t.Len
}

// Pieced reports whether the value is parts of different lengths between signs, none of
// which looks random by itself: text/html;charset=utf-8, course-v1:TestX+Test100. Random
// values have a long part, or more signs.
func (t *Traits) Pieced() bool {
	if t.Signs == 0 || t.Len == 36 && t.Dashes == 4 || t.Digest() || (t.Signs-t.Dashes-t.Slashes-t.Dots)*4 >= t.Len || t.Restless() {
		return false
	}
	least, most, mixed := t.Len, 0, 0
	for i := 0; i < t.Len; {
		n := ascii.Run(t.Bytes[i:], ascii.Alnum)
		if p := TraitsOf(t.Bytes[i : i+n]); n >= MinToken && p.Random(MinToken) || p.Digits >= MinToken || n >= longName && p.Digits >= Several {
			return false
		}
		if n > MinWord && TraitsOf(t.Bytes[i:i+n]).DigitInside() {
			mixed++
		}
		if n > 0 {
			least, most = min(least, n), max(most, n)
		}
		i += n + 1
	}
	return least < most && mixed < Several
}
