// Package service finds keys that have no form of their own beside the name of the service
// that gave them out.
package service

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/match"
	"github.com/envwrap/envwrap/redact/internal/names"
	"github.com/envwrap/envwrap/redact/internal/syntax"
	"github.com/envwrap/envwrap/redact/internal/value"
)

// A Vendor is a service whose keys have a length of their own but no prefix. A key is
// searched for right after the name of the service.
type Vendor struct {
	Name   string
	Class  ascii.Class
	Length int
}

// joiningWord reports whether w may be between the name of a vendor and a key.
func joiningWord(w []byte) bool {
	var buf [12]byte
	switch string(ascii.AppendLower(buf[:0], w)) {
	case "api", "key", "keys", "token", "tokens", "secret", "access", "auth", "private", "app", "apikey", "apitoken", "value", "is",
		"the", "for", "sdk", "license", "rest", "user", "personal", "account", "ai", "io", "com", "client", "application", "write", "ingest", "appid", "login":
		return true
	}
	return false
}

const (
	maxBetween = 4  // joining words between a name and a key
	maxSigns   = 24 // signs and spaces, as in a column, before one
)

// Find marks the key after the name at pos: quotes, signs and words for a key may be
// between.
func (d *Vendor) Find(v *match.View, pos int) {
	if pos > v.Lo && ascii.Is(v.Text[pos-1], ascii.Alnum) {
		return
	}
	b := v.Text[:v.Hi]
	if d.keyBefore(v, pos) {
		return
	}
	i := pos + len(d.Name)
	if i < len(b) && b[i] == '.' { // the name of a host, with a path
		i += ascii.Run(b[i:min(len(b), i+names.MaxAddress)], ascii.URLSafe|ascii.Dot|ascii.Plus)
	}
	for range maxBetween + 1 {
		signs := i
		for i < len(b) && i-signs < maxSigns && (syntax.IsQuote(b[i]) || b[i] == '\\' || ascii.Is(b[i], ascii.Blank|ascii.Dash|ascii.Under|ascii.Equals|ascii.Colon|ascii.Comma) || b[i] == '?' || b[i] == '>' || b[i] == '|' || b[i] == '(' || b[i] == '[') {
			i++
		}
		if i > signs && (d.key(v, i) || assignedUUID(v, b[signs:i], i)) {
			return
		}
		n := ascii.Run(b[i:min(len(b), i+12)], ascii.Alpha)
		if n == 0 || !joiningWord(b[i:i+n]) {
			return
		}
		i += n
	}
}

// assignedUUID marks the UUID at i if the signs before it assign it to the name of a
// vendor, and reports whether they do.
func assignedUUID(v *match.View, signs []byte, i int) bool {
	if n := v.Run(i, ascii.URLSafe|ascii.Base64|ascii.Equals); n != UUIDLength || !bytes.ContainsAny(signs, `='"`) {
		return false
	}
	if t := value.TraitsOf(v.Text[i : i+UUIDLength]); !t.UUID() || t.Distinct < leastDistinct {
		return false
	}
	v.Add(i, i+UUIDLength, match.RuleVendor)
	return true
}

// keyBefore marks the key before the name at pos, with a space between, and reports
// whether there is one.
func (d *Vendor) keyBefore(v *match.View, pos int) bool {
	end := pos - 1
	if end-d.Length < v.Lo || v.Text[end] != ' ' || ascii.RunBack(v.Text[end-d.Length:end], d.Class) < d.Length {
		return false
	}
	start := end - d.Length
	return (start == v.Lo || !ascii.Is(v.Text[start-1], ascii.URLSafe|ascii.Base64|ascii.Equals)) && d.key(v, start)
}

const (
	UUIDLength    = 36 // of a UUID
	leastDistinct = 6  // different characters of a UUID: one of zeros is a placeholder
)

// key marks the key at i, and reports whether there is one.
func (d *Vendor) key(v *match.View, i int) bool {
	if n := v.Run(i, ascii.URLSafe|ascii.Base64|ascii.Equals); n != d.Length || ascii.Run(v.Text[i:i+n], d.Class) != n {
		return false
	}
	t := value.TraitsOf(v.Text[i : i+d.Length])
	if t.Placeholder() || t.Digits == 0 || !t.UUID() && (!t.Random(d.Length) || d.Length == UUIDLength && d.Class == ascii.HexDigit|ascii.Dash) {
		return false
	}
	v.Add(i, i+d.Length, match.RuleVendor)
	return true
}
