// Package header finds credentials in HTTP headers, such as Authorization and Cookie.
package header

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/decode"
	"github.com/envwrap/envwrap/redact/internal/match"
	"github.com/envwrap/envwrap/redact/internal/syntax"
	"github.com/envwrap/envwrap/redact/internal/value"
)

// FindAuthorization marks the credentials of an Authorization or Proxy-Authorization
// header (RFC 9110, section 11.6.2), or of one with a longer name, that has
// "authorization" at pos. The scheme stays.
func FindAuthorization(v *match.View, pos int) {
	name := v.NameAt(pos)
	if name.Start-2 >= v.Lo && v.Text[name.Start-1] == ':' && v.Text[name.Start-2] == ':' {
		return // a type: "AWS::Redshift::EndpointAuthorization"
	}
	if ascii.Is(v.Text[min(pos+len(match.RuleAuthorization), v.Hi-1)], ascii.Word) && !ascii.HasFold(v.Text[pos+len(match.RuleAuthorization):v.Hi], "header") {
		return // "authorizationApiVersion"
	}
	i := v.Hi - len(bytes.TrimLeft(v.Text[name.End:v.Hi], "\"'`\\ ]"))
	if i == v.Hi || v.Text[i] != ':' && v.Text[i] != '=' && v.Text[i] != ',' {
		// "Authorization Bearer ..."
		if i = name.End; i == v.Hi || v.Text[i] != ' ' || !hasScheme(&v.Line, i+1) {
			return
		}
	}
	markCredentials(v, v.Hi-len(bytes.TrimLeft(v.Text[i+1:v.Hi], "\"'`\\[ \t")))
}

// FindBearer marks the token after the scheme "bearer" at pos, in a header or not.
func FindBearer(v *match.View, pos int) {
	if !v.Boundary(pos) || pos > v.Lo && v.Text[pos-1] == '-' {
		return
	}
	i := v.SkipSpaces(pos + len("bearer "))
	s := v.Unquoted(i)
	b := v.Text[s.Start:s.End]
	if t := value.TraitsOf(b); t.Random(12) && !t.Placeholder() && !t.Path() && !v.Abridged(s) {
		v.Add(s.Start, s.End, match.RuleAuthorization)
	}
}

// FindBasic marks the user and password in base64 after the scheme "basic" at pos, in a
// header or not (RFC 7617).
func FindBasic(v *match.View, pos int) {
	i := v.SkipSpaces(pos + len("basic "))
	n := v.Run(i, ascii.Base64)
	text := decode.Base64(nil, v.Text[i:i+min(n, value.MaxExamined)])
	if colon := bytes.IndexByte(text, ':'); colon > 0 && colon+1 < len(text) && decode.Textual(text) && v.Boundary(pos) {
		v.Add(i, i+n+ascii.Run(v.Text[i+n:v.Hi], ascii.Equals), match.RuleAuthorization)
	}
}

// QuickBasic reports whether base64, and no word of small letters, may follow the scheme
// at pos.
func QuickBasic(b []byte, pos int) bool {
	i := pos + len("basic ")
	return i+8 <= len(b) && ascii.Run(b[i:i+8], ascii.Base64) == 8 && ascii.Run(b[i+1:i+8], ascii.Lower) < 7
}

// markCredentials marks the credentials at i, after the scheme if there is one.
func markCredentials(v *match.View, i int) {
	if ascii.HasFold(v.Text[i:v.Hi], "aws4-hmac-sha256 ") {
		return // its first word is the id of a key, or a variable for it
	}
	known := hasScheme(&v.Line, i)
	n := ascii.Run(v.Text[i:v.Hi], ascii.Alnum|ascii.Dash)
	named := n > 2 && n < 24 && i+n < v.Hi && v.Text[i+n] == ' '
	if named {
		i = v.SkipSpaces(i + n)
	}
	s := v.Unquoted(i)
	b := v.Text[s.Start:s.End]
	t := value.TraitsOf(b)
	if s.End < v.Hi && (v.Text[s.End] == '(' && bytes.Contains(b, []byte("::")) || v.Text[s.End] == '<' && s.End > s.Start || bytes.HasSuffix(b, []byte{'$'})) {
		return // a call, a variable, or a form to fill in
	}
	if t.Words() && t.Uppers == 1 && ascii.Is(b[0], ascii.Upper) && value.Wordy(b) {
		return // "Authorization Token Exchange"
	}
	if t.Len < 6 || t.Placeholder() || v.Abridged(s) || bytes.Contains(b, []byte("://")) || value.Pair(b) && named && !t.Random(12) {
		return
	}
	if known && (t.Digits > 0 || t.Uppers > 0 && t.Lowers > 0 || !value.Wordy(b)) || t.Random(12) {
		v.Add(s.Start, s.End, match.RuleAuthorization)
	}
}

// hasScheme reports whether the name of an authentication scheme and a space are at i
// (IANA's registry, and schemes that services made up).
func hasScheme(l *syntax.Line, i int) bool {
	n := ascii.Run(l.Text[i:l.Hi], ascii.Alnum|ascii.Dash)
	if n == 0 || i+n >= l.Hi || l.Text[i+n] != ' ' {
		return false
	}
	var buf [24]byte
	switch string(ascii.AppendLower(buf[:0], l.Text[i:i+n])) {
	case "basic", "bearer", "token", "digest", "negotiate", "ntlm", "apikey", "api-key", "apikey-v1", "ssws", "key",
		"jwt", "oauth", "splunk", "snowflake", "geniekey", "bot", "hmac", "hawk", "dpop", "scram-sha-256", "pve",
		"aws4-hmac-sha256", "sharedkey", "sharedaccesssignature", "private-token", "deploytoken", "glsa", "access":
		return true
	}
	return false
}

// nearSignature is the most bytes between the name of the method and the signature.
const nearSignature = 1024

// FindAWSSignature marks the signature of a request to AWS, version 4, whose method is
// named at pos
// (https://docs.aws.amazon.com/IAM/latest/UserGuide/create-signed-request.html).
func FindAWSSignature(v *match.View, pos int) {
	line := v.Text[pos:min(v.Hi, pos+nearSignature)]
	own := line // up to the next such name, from which another call searches
	if n := bytes.Index(line[1:], []byte("AWS4-HMAC-SHA256")); n >= 0 {
		own = line[:1+n]
	}
	for i := 0; ; {
		k := bytes.Index(own[min(i, len(own)):], []byte("Signature"))
		if k < 0 {
			return
		}
		i += k + len("Signature")
		j := i + ascii.Run(line[i:], ascii.Quote|ascii.Equals|ascii.Colon|ascii.Blank)
		if n := ascii.Run(line[j:], ascii.HexDigit); n == 64 {
			v.Add(pos+j, pos+j+n, match.RuleSignature)
		}
	}
}
