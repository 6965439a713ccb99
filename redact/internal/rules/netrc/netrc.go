// Package netrc finds the passwords in .netrc(5), in .pgpass of PostgreSQL, in chap-secrets
// of pppd and in sasl_passwd of Postfix.
package netrc

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/match"
	"github.com/envwrap/envwrap/redact/internal/value"
)

// maxNetrcLines is how many lines after a "machine" its password may be.
const maxNetrcLines = 8

// Find marks the password of an entry of .netrc(5) that begins with "machine" or "default"
// at pos, on the line, or notes that the entry goes on.
func Find(v *match.View, pos int) {
	if pos > v.Lo && ascii.Is(v.Text[pos-1], ascii.Word|ascii.Dash|ascii.Dot|ascii.Colon) {
		return
	}
	i := v.SkipSpaces(pos + ascii.Run(v.Text[pos:v.Hi], ascii.Alpha))
	if bytes.HasPrefix(v.Text[i:v.Hi], []byte("account ")) {
		return // a sentence about the password of a machine
	}
	i = v.SkipSpaces(i + ascii.Run(v.Text[i:v.Hi], ascii.Token|ascii.Colon)) // the host
	if i >= v.Hi || markEntry(v, i) {
		v.Next.Netrc = maxNetrcLines
	}
}

// FindInEntry marks the password on a line after the first of an entry.
func FindInEntry(v *match.View, lines uint8) {
	if markEntry(v, v.Margin()) {
		v.Next.Netrc = lines - 1
	}
}

// markEntry marks the password among the pairs of words from i on, and reports whether
// they are of an entry of .netrc. A sentence that has such words in it is not.
func markEntry(v *match.View, i int) bool {
	var found match.Span
	n := 0
	for ; i < v.Hi && n < 8; n++ {
		key := v.Text[i : i+ascii.Run(v.Text[i:v.Hi], ascii.Alpha)]
		j := v.SkipSpaces(i + len(key))
		end := v.ShellWord(j)
		switch {
		case len(key) == 0 && n > 0:
			i = v.Hi // the end of the string that the entry is in
			continue
		case j == i+len(key) && j < v.Hi:
			return false
		}
		switch string(key) {
		case "login", "account", "port", "protocol", "machine", "macdef":
		case "password":
			var buf [16]byte
			if b := bytes.Trim(v.Text[j:end], `"`); len(b) > 0 && !value.Reference(b) && string(b) != match.Mask && !value.CommonWord(string(ascii.AppendLower(buf[:0], b))) {
				found = match.Span{Start: j, End: end}
			}
		default:
			return false
		}
		i = v.SkipSpaces(end)
	}
	v.Add(found.Start, found.End, match.RuleNetrc)
	return true
}
