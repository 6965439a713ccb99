package netrc

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/match"
	"github.com/envwrap/envwrap/redact/internal/value"
)

// FindRelay marks the password of a line of Postfix's sasl_passwd, [host]:port
// user:password, whose bracket before the port is at pos.
func FindRelay(v *match.View, pos int) {
	host := pos - ascii.RunBack(v.Text[v.Lo:pos], ascii.Word|ascii.Dash|ascii.Dot)
	if host < v.Lo+1 || pos-v.Lo > maxLine || v.Text[host-1] != '[' || host-1 > v.Margin() && v.Text[host-2] != ':' {
		return
	}
	port := pos + len("]:")
	port += ascii.Run(v.Text[port:v.Hi], ascii.Digit)
	i := v.SkipSpaces(port)
	if i == port {
		return
	}
	end := v.ShellWord(i)
	if n := bytes.IndexByte(v.Text[i:end], ':'); n > 0 && v.SkipSpaces(end) == v.Hi {
		markWord(v, i+n+1, end)
	}
}

// maxLine is the most bytes before the port, with the name of the file, or before the sign of
// a comment.
const maxLine = 256

// secretsLines is how many lines after a header or an entry of chap-secrets may be of it, too.
const secretsLines = 16

// NoteSecrets notes that the line is the header of pppd's chap-secrets or pap-secrets.
func NoteSecrets(v *match.View, pos int) {
	if ascii.Contains(v.Text[v.Lo:min(pos, v.Lo+maxLine)], '#') {
		v.Next.Secrets = secretsLines
	}
}

// FindSecretLine marks the secret on a line after the header of chap-secrets.
func FindSecretLine(v *match.View, lines uint8) {
	v.Next.Secrets = lines - 1
	if i := v.Margin(); !ascii.Contains(v.Text[v.Lo:i], '#') {
		markThird(v, i, false)
	}
}

// markThird marks the third word from i on, which a fourth or nothing follows.
func markThird(v *match.View, i int, strict bool) {
	start, end := i, i
	for range 3 {
		start = v.SkipSpaces(end)
		end = v.ShellWord(start)
	}
	if start == end {
		return
	}
	rest := bytes.TrimSpace(v.Text[end:v.Hi])
	t := value.TraitsOf(bytes.Trim(v.Text[start:end], `"`))
	if bytes.IndexByte(rest, ' ') >= 0 || strict && (t.Len < value.MinPassword || t.Digits == 0 || t.Lowers+t.Uppers == 0 || ascii.Run(rest, ascii.Digit|ascii.Dot|ascii.Query) < min(len(rest), 1)) {
		return
	}
	if v.Text[start] == '"' {
		start, end = start+1, end-1
	}
	markWord(v, start, end)
}

// markWord marks a password unless it is short, a reference or a placeholder.
func markWord(v *match.View, start, end int) {
	if end-start < 3 {
		return
	}
	if t := value.TraitsOf(v.Text[start:end]); !value.Reference(t.Bytes) && !t.Placeholder() {
		v.Add(start, end, match.RuleNetrc)
	}
}
