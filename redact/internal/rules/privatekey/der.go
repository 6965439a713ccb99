package privatekey

import (
	"bytes"
	"encoding/base64"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/match"
)

// FindDER marks a private key in base64 without its PEM lines at pos: a sequence that
// begins with the version 0 or 1, as in PKCS #1, PKCS #8 and SEC 1.
func FindDER(v *match.View, pos int) {
	if !v.Boundary(pos) {
		return
	}
	n := v.Run(pos, ascii.Base64|ascii.Equals)
	if n < 48 {
		return
	}
	var der [12]byte
	if _, err := base64.StdEncoding.Decode(der[:], v.Text[pos:pos+16]); err != nil || !privateDER(der[:]) {
		return
	}
	markEncoded(v, pos, n)
}

// privateDER reports whether der begins a private key.
func privateDER(der []byte) bool {
	i := 2
	if der[1]&0x80 != 0 {
		i += int(der[1] & 0x7f)
	}
	if der[0] != 0x30 || i > 4 {
		return false
	}
	d := der[i:]
	if d[0] != 0x02 || d[1] != 0x01 || d[2] > 1 {
		return false
	}
	return d[3] == 0x02 || d[3] == 0x04 || d[3] == 0x30
}

// FindEncoded marks a private key block in base64 whose five dashes are at pos.
func FindEncoded(v *match.View, pos int) {
	n := v.Run(pos, ascii.Base64|ascii.Equals)
	if n < 64 || pos > v.Lo && ascii.Is(v.Text[pos-1], ascii.Alnum) && !v.Boundary(pos) {
		return
	}
	var head [48]byte
	if _, err := base64.StdEncoding.Decode(head[:], v.Text[pos:pos+64]); err != nil {
		return
	}
	if !bytes.Contains(head[:], []byte("PRIVATE KEY")) {
		return
	}
	markEncoded(v, pos, n)
}

// markEncoded marks the n bytes of a key at pos. The next line has more of it if nothing
// else is on this one.
func markEncoded(v *match.View, pos, n int) {
	v.Add(pos, pos+n, match.RuleKey)
	if rest := bytes.Trim(v.Text[pos+n:v.Hi], " \t\"'\\,+"); len(rest) == 0 && n <= 76 {
		keyFollows(v, pos, pos+n)
	}
}

// FindWithin marks a text in base64 that has a private key block somewhere in it: the
// base64 of "PRIVATE KEY-", at one of the three alignments, is at pos.
func FindWithin(v *match.View, pos int) {
	if pos < v.PEMTo {
		return
	}
	start, end := pos-ascii.RunBack(v.Text[v.Lo:pos], ascii.Base64), pos+v.Run(pos, ascii.Base64|ascii.Equals)
	v.PEMTo = end
	if pos-start < len("LS0tLS1CRUdJ") {
		return // not after "-----BEGIN "
	}
	v.Add(start, end, match.RuleKey)
}
