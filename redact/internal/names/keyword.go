package names

import (
	"strings"

	"github.com/envwrap/envwrap/redact/internal/ascii"
)

// A Strength says how strongly a name suggests that its value is secret.
type Strength uint8

const (
	None     Strength = iota // says nothing
	Weak                     // key, auth: the value must be random, long, and no digest
	Medium                   // vendor_key: the value must be random and long
	Strong                   // token, secret, api_key: the value must be no word
	Password                 // whatever is there, but for placeholders
)

// A keyword is a part of names by which one that may mean a secret is found.
type keyword struct {
	Text  string
	goes  string // letters with which a word for a secret may go on after it
	Exact bool   // in this case only
}

// Quick reports whether a name may end in a word for a secret at the keyword that ends at
// end, by the byte after it: "author" and "passing" are no such words.
func (k *keyword) Quick(b []byte, end int) bool {
	if end >= len(b) {
		return true
	}
	c, last := b[end], b[end-1]
	if k.goes == "" && k.Exact || !ascii.Is(c, ascii.Alpha) || ascii.ClassOf(c)&ascii.ClassOf(last)&ascii.Alpha == 0 {
		return true // "passw" is enough; or the word ends
	}
	if k.Exact {
		return strings.IndexByte(k.goes, c) >= 0
	}
	return strings.IndexByte(k.goes, ascii.Fold(c)) >= 0
}
