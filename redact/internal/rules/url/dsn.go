package url

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/match"
	"github.com/envwrap/envwrap/redact/internal/syntax"
	"github.com/envwrap/envwrap/redact/internal/value"
)

// FindSourceName marks the password of a data source name of Go's MySQL drivers,
// user:password@tcp(host:port)/database, whose "@tcp(" is at pos.
func FindSourceName(v *match.View, pos int) {
	start := pos
	for start > v.Lo && pos-start < 256 && (!syntax.EndsValue(v.Text[start-1]) || ascii.Is(v.Text[start-1], ascii.Query)) {
		start--
	}
	if i := bytes.IndexByte(v.Text[start:pos], ':'); i >= 0 {
		start += bytes.LastIndexByte(v.Text[start:start+i], '=') + 1 // DSN=user:password@tcp(...)
	}
	user := ascii.Run(v.Text[start:pos], ascii.Word|ascii.Dash|ascii.Dot)
	if i := start + user; user > 0 && pos-i > 4 && v.Text[i] == ':' && v.Text[i+1] != '/' && !value.Reference(v.Text[i+1:pos]) && !value.TraitsOf(v.Text[i+1:pos]).Placeholder() {
		v.Add(i+1, pos, match.RuleURL)
	}
}

// FindOracle marks the password in an address of Oracle's that begins at pos:
// jdbc:oracle:thin:user/password@host.
func FindOracle(v *match.View, pos int) {
	i := pos + len("jdbc:oracle:thin:")
	n := bytes.IndexByte(v.Text[i:min(v.Hi, i+maxUserinfo)], '@')
	slash := bytes.IndexByte(v.Text[i:i+max(n, 0)], '/')
	if slash < 0 || slash+1 >= n {
		return
	}
	if b := v.Text[i+slash+1 : i+n]; !value.Reference(b) && string(b) != match.Mask && bytes.IndexByte(b, ' ') < 0 {
		v.Add(i+slash+1, i+n, match.RuleURL)
	}
}

// QuickLogin reports whether a colon, as between user and password, precedes the at sign
// at pos.
func QuickLogin(b []byte, pos int) bool {
	return ascii.Contains(b[max(0, pos-syntax.MaxTag):pos], ':') && pos > 0 && ascii.Is(b[pos-1], ascii.Alnum|ascii.Query|ascii.Tilde)
}

// FindLogin marks the password of user:password@address without a scheme, as in lists of
// proxies, whose at sign is at pos.
func FindLogin(v *match.View, pos int) {
	start := pos
	for start > v.Lo && pos-start < value.MaxExamined && !syntax.EndsValue(v.Text[start-1]) && v.Text[start-1] != '=' && v.Text[start-1] != '/' {
		start--
	}
	user, password, _ := bytes.Cut(v.Text[start:pos], []byte{':'})
	switch t := value.TraitsOf(password); {
	case t.Len < value.MinPassword, len(user) == 0 || ascii.Run(user, ascii.Word|ascii.Dash|ascii.Dot) < len(user), start > v.Lo && v.Text[start-1] == '/':
	case string(user) == "sip" || string(user) == "ssh" || string(user) == "mailto" || string(user) == "tel":
	case t.Digits == t.Len || t.Placeholder() || t.Digits == 0 && !t.Coined() && !t.Random(value.MinToken):
	default:
		v.Add(pos-len(password), pos, match.RuleURL)
	}
}

// FindCode marks the code of an authorization in the address that a browser is sent back
// to, whose parameter is at pos (RFC 6749, section 4.1.2).
func FindCode(v *match.View, pos int) {
	i := pos + len("?code=")
	n := ascii.Run(v.Text[i:min(v.Hi, i+maxCode)], ascii.URLSafe|ascii.Dot|ascii.Plus|ascii.Percent|ascii.Tilde)
	t := value.TraitsOf(v.Text[i : i+n])
	if !t.Random(minCode) || t.Placeholder() || value.Sample(t.Bytes) {
		return
	}
	near := v.Text[max(v.Lo, pos-maxCode):min(v.Hi, i+n+maxCode)]
	if ascii.ContainsFold(near, "callback") || ascii.ContainsFold(near, "oauth") || ascii.ContainsFold(near, "redirect") {
		v.Add(i, i+n, match.RuleURL)
	}
}

// FindGrant marks the code that goes with the type of a grant, which is at pos, in a form or
// a document of JSON: code=x, "code": "x".
func FindGrant(v *match.View, pos int) {
	lo := max(v.Lo, pos-maxCode)
	near := v.Text[lo:min(v.Hi, pos+maxCode)]
	for _, sign := range [...]string{"&code=", `"code"`, `"code\"`} {
		n := bytes.Index(near, []byte(sign))
		if n < 0 {
			continue
		}
		i := lo + n + len(sign)
		i += bytes.IndexFunc(v.Text[i:v.Hi], func(r rune) bool { return r != ':' && r != ' ' && r != '"' && r != '\\' })
		if i < lo {
			return
		}
		b := v.Text[i : i+ascii.Run(v.Text[i:min(v.Hi, i+maxCode)], ascii.URLSafe|ascii.Dot|ascii.Plus|ascii.Percent|ascii.Tilde|ascii.Base64)]
		if t := value.TraitsOf(b); t.Random(minCode) && !value.Wordy(b) && !t.Placeholder() && !value.Sample(b) {
			v.Add(i, i+len(b), match.RuleURL)
		}
	}
}

const (
	minCode = 16  // of the code of an authorization: shorter ones are of errors
	maxCode = 512 // bytes that are searched on either side
)

// Paths are the parts of addresses that are sent by mail to set a password, or to join: what
// comes last in such an address opens it.
var Paths = [...]string{"/reset/", "/password/", "/reset-password/", "/password-reset/", "/invite/", "/invitation/", "/invitations/", "/verify/", "/verify-email/", "/activate/", "/confirm/", "/magic-link/"}

// FindInPath marks the random part of an address after the part of its path at pos.
func FindInPath(v *match.View, pos int) {
	if pos == v.Lo || !ascii.Is(v.Text[pos-1], ascii.Alnum) && !ascii.Contains([]byte(" \"'"), v.Text[pos-1]) {
		return
	}
	if !ofRequest(v.Text[max(v.Lo, pos-maxPath):pos]) {
		return
	}
	for i := pos + 1; ; {
		n := ascii.Run(v.Text[i:min(v.Hi, pos+maxPath)], ascii.URLSafe)
		switch string(v.Text[i : i+n]) {
		case "blob", "commit", "tree", "raw":
			return // of a repository of that name
		}
		if t := value.TraitsOf(v.Text[i : i+n]); n >= minPath && !bytes.HasPrefix(t.Bytes, []byte("0x")) && t.Digits > 3 && t.Random(minPath) && !t.UUID() && (i+n == v.Hi || v.Text[i+n] != '.') && !value.Sample(t.Bytes) {
			v.Add(i, i+n, match.RuleURL)
			return
		}
		if i += n + 1; i >= min(v.Hi, pos+maxPath) || v.Text[i-1] != '/' {
			return
		}
	}
}

// ofRequest reports whether a path that is open at the end of b is that of an address, or of
// a request to a server, rather than of a file: it follows a scheme, a host or a method, or
// nothing precedes it.
func ofRequest(b []byte) bool {
	word := b[bytes.LastIndexAny(b, " \t\"'=(<")+1:]
	before := bytes.TrimRight(b[:len(b)-len(word)], `"`)
	host, _, _ := bytes.Cut(word, []byte("/"))
	if len(word) == 0 || bytes.Contains(word, []byte("://")) || len(host) > 0 && host[0] != '.' && ascii.Contains(host, '.') {
		return true
	}
	return bytes.HasSuffix(before, []byte("GET ")) || bytes.HasSuffix(before, []byte("POST ")) || bytes.HasSuffix(before, []byte("PUT ")) || bytes.HasSuffix(before, []byte("PATCH "))
}

const (
	minPath = 20  // the least length of a part of a path that opens an address
	maxPath = 160 // bytes of the path that are searched
)
