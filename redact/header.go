package redact

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/decode"
	"github.com/envwrap/envwrap/redact/internal/names"
	"github.com/envwrap/envwrap/redact/internal/value"
)

const ruleAuthorization = "authorization"

// authorization finds the credentials of an Authorization header or of its
// kin (RFC 9110, section 11.6.2); pos is that of "authorization". The scheme
// stays.
func authorization(v *view, pos int) {
	start, end := v.identifier(pos)
	if start-2 >= v.lo && v.text[start-1] == ':' && v.text[start-2] == ':' {
		return // a type: "AWS::Redshift::EndpointAuthorization"
	}
	if ascii.Is(v.text[min(pos+len(ruleAuthorization), v.hi-1)], ascii.Alpha) && !ascii.HasFold(v.text[pos+len(ruleAuthorization):v.hi], "header") {
		return // "authorizationApiVersion"
	}
	i := end
	for i < v.hi && (isQuote(v.text[i]) || v.text[i] == '\\' || v.text[i] == ' ' || v.text[i] == ']') {
		i++
	}
	if i == v.hi || v.text[i] != ':' && v.text[i] != '=' && v.text[i] != ',' {
		// "Authorization Bearer ..."
		if i = end; i == v.hi || v.text[i] != ' ' || !v.scheme(i+1) {
			return
		}
	}
	for i++; i < v.hi && (isQuote(v.text[i]) || v.text[i] == '\\' || v.text[i] == '[' || ascii.Is(v.text[i], ascii.Blank)); {
		i++
	}
	v.credentials(i)
}

// bearer finds the token after the scheme "bearer" at pos, wherever it is.
func bearer(v *view, pos int) {
	if !v.boundary(pos) || pos > v.lo && v.text[pos-1] == '-' {
		return
	}
	i := v.spaces(pos + len("bearer "))
	s := v.plain(i)
	b := v.text[s.start:s.end]
	if t := value.TraitsOf(b); t.Random(12) && !t.Placeholder() && !t.Path() && !v.abridged(s) {
		v.add(s.start, s.end, ruleAuthorization)
	}
}

// basic finds the user and password in base64 after the scheme "basic" at pos, wherever
// it is (RFC 7617).
func basic(v *view, pos int) {
	i := v.spaces(pos + len("basic "))
	n := v.runOf(i, ascii.Base64)
	text := decode.Base64(nil, v.text[i:i+min(n, value.MaxJudged)])
	if colon := bytes.IndexByte(text, ':'); colon > 0 && colon+1 < len(text) && decode.Textual(text) && v.boundary(pos) {
		v.add(i, i+n+ascii.Run(v.text[i+n:v.hi], ascii.Equals), ruleAuthorization)
	}
}

// quickBasic reports whether what follows may be base64: no word of small letters.
func quickBasic(b []byte, pos int) bool {
	i := pos + len("basic ")
	return i+8 <= len(b) && ascii.Run(b[i:i+8], ascii.Base64) == 8 && ascii.Run(b[i+1:i+8], ascii.Lower) < 7
}

// maxAbridged is the greatest length of a credential of which a part is shown in place
// of all of it.
const maxAbridged = 40

// abridged reports whether s is the beginning of a credential, with dots for the rest.
func (v *view) abridged(s span) bool { return s.end-s.start < maxAbridged && v.truncated(s.end) }

// credentials marks what is at i, after the scheme if there is one.
func (v *view) credentials(i int) {
	known := v.scheme(i)
	n := ascii.Run(v.text[i:v.hi], ascii.Alnum|ascii.Dash)
	named := n > 2 && n < 24 && i+n < v.hi && v.text[i+n] == ' '
	if named {
		i = v.spaces(i + n)
	}
	s := v.plain(i)
	b := v.text[s.start:s.end]
	t := value.TraitsOf(b)
	if t.Words() && t.Uppers == 1 && ascii.Is(b[0], ascii.Upper) && value.Wordy(b) {
		return // "Authorization Token Exchange"
	}
	if t.Len < 6 || t.Placeholder() || v.abridged(s) || bytes.Contains(b, []byte("://")) || value.Pair(b) && named && !t.Random(12) {
		return
	}
	if known && (t.Digits > 0 || t.Uppers > 0 && t.Lowers > 0 || !value.Wordy(b)) || t.Random(12) {
		v.add(s.start, s.end, ruleAuthorization)
	}
}

// scheme reports whether the name of an authentication scheme, and a space, is
// at i (IANA's registry, and those that services made up).
func (v *view) scheme(i int) bool {
	n := ascii.Run(v.text[i:v.hi], ascii.Alnum|ascii.Dash)
	if n == 0 || i+n >= v.hi || v.text[i+n] != ' ' {
		return false
	}
	var buf [24]byte
	switch string(ascii.AppendLower(buf[:0], v.text[i:i+n])) {
	case "basic", "bearer", "token", "digest", "negotiate", "ntlm", "apikey", "api-key", "apikey-v1", "ssws", "key",
		"jwt", "oauth", "splunk", "snowflake", "geniekey", "bot", "hmac", "hawk", "dpop", "scram-sha-256", "pve",
		"aws4-hmac-sha256", "sharedkey", "sharedaccesssignature", "private-token", "deploytoken", "glsa", "access":
		return true
	}
	return false
}

const ruleCookie = "cookie"

// cookies finds the values of a Cookie or Set-Cookie header (RFC 6265); pos is
// that of "cookie:".
func cookies(v *view, pos int) {
	i := v.spaces(pos + len("cookie:"))
	for i < v.hi && (isQuote(v.text[i]) || v.text[i] == '\\') {
		i++
	}
	for n := 0; i < v.hi && n < 64; n++ {
		name := ascii.Run(v.text[i:v.hi], ascii.Word|ascii.Dash|ascii.Dot|ascii.Query)
		if name == 0 || i+name >= v.hi || v.text[i+name] != '=' {
			return
		}
		start := i + name + 1
		val := v.plain(start)
		b := v.text[val.start:val.end]
		t := value.TraitsOf(b)
		st := names.StrengthOf(v.text[i:i+name], nil)
		if t.Len >= 6 && !t.Placeholder() && (t.Random(16) || st >= names.Vague && (t.Random(6) || t.Digits > 0)) && !attribute(v.text[i:i+name]) {
			v.add(val.start, val.end, ruleCookie)
		}
		i = val.end
		for i < v.hi && (v.text[i] == ';' || v.text[i] == ' ') {
			i++
		}
	}
}

// aspNetCookie finds the ticket or the session of ASP.NET, outside of a header too; pos is
// that of the name of the cookie.
func aspNetCookie(v *view, pos int) {
	i := pos + 1 + bytes.IndexByte(v.text[pos:v.hi], '=')
	if n := v.runOf(i, ascii.URLSafe); n >= 20 && value.TraitsOf(v.text[i:i+n]).Random(20) {
		v.add(i, i+n, ruleCookie)
	}
}

// attribute reports whether name is of an attribute of a cookie.
func attribute(name []byte) bool {
	var buf [16]byte
	switch string(ascii.AppendLower(buf[:0], name)) {
	case "path", "domain", "expires", "max-age", "samesite", "version", "secure", "httponly":
		return true
	}
	return false
}

const ruleSignature = "request-signature"

// nearSignature is how far after the name of the method the signature may be.
const nearSignature = 1024

// awsSignature finds the signature of a request to AWS, version 4, whose method is
// named at pos (https://docs.aws.amazon.com/IAM/latest/UserGuide/create-signed-request.html).
func awsSignature(v *view, pos int) {
	line := v.text[pos:min(v.hi, pos+nearSignature)]
	for i := 0; ; {
		k := bytes.Index(line[i:], []byte("Signature"))
		if k < 0 {
			return
		}
		i += k + len("Signature")
		j := i
		for j < len(line) && (isQuote(line[j]) || ascii.Is(line[j], ascii.Equals|ascii.Colon|ascii.Blank) || line[j] == '\\') {
			j++
		}
		if n := ascii.Run(line[j:], ascii.HexDigit); n == 64 {
			v.add(pos+j, pos+j+n, ruleSignature)
		}
	}
}

const ruleDump = "password-hash"

// hashDump finds the hashes of Windows passwords in a dump, user:id:LM:NT:::, whose
// three colons are at pos.
func hashDump(v *view, pos int) {
	nt := pos - ascii.RunBack(v.text[v.lo:pos], ascii.HexDigit)
	if pos-nt != 32 || nt == v.lo || v.text[nt-1] != ':' {
		return
	}
	start := nt
	if lm := nt - 1 - ascii.RunBack(v.text[v.lo:nt-1], ascii.HexDigit); nt-1-lm == 32 {
		start = lm
	}
	v.add(start, pos, ruleDump)
}

// emptyLM is what stands for the hash of LAN Manager since there is none: that of an empty
// password, and a colon.
const emptyLM = "aad3b435b51404eeaad3b435b51404ee:"

// hashPair finds the hash of a Windows password after emptyLM at pos, as tools take and
// print the two.
func hashPair(v *view, pos int) {
	nt := pos + len(emptyLM)
	if ascii.Run(v.text[nt:v.hi], ascii.HexDigit) == 32 && (pos == v.lo || !ascii.Is(v.text[pos-1], ascii.HexDigit)) {
		v.add(pos, nt+32, ruleDump)
	}
}

// userPassword finds the user and password that curl gets by an option of its
// library: CURLOPT_USERPWD, "user:password".
func userPassword(v *view, pos int) {
	i := pos + ascii.Run(v.text[pos:v.hi], ascii.Word)
	for i < v.hi && (ascii.Is(v.text[i], ascii.Blank|ascii.Comma|ascii.Equals) || v.text[i] == '>' || v.text[i] == ')' || v.text[i] == ']' || (isQuote(v.text[i]) || v.text[i] == '\\') && i+1 < v.hi && !ascii.Is(v.text[i+1], ascii.Alnum)) {
		i++
	}
	if i >= v.hi || !isQuote(v.text[i]) {
		return
	}
	s, q := v.value(i - ascii.Backslashes(v.text[v.lo:], i-v.lo))
	if n := bytes.IndexByte(v.text[s.start:s.end], ':'); n > 0 && !q.open {
		v.argument(cliFlag{sep: ':'}, s.start, s.end)
	}
}
