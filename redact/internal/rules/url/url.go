// Package url finds credentials in addresses: URLs, data source names, webhooks.
package url

import (
	"bytes"
	"strings"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/match"
	"github.com/envwrap/envwrap/redact/internal/syntax"
	"github.com/envwrap/envwrap/redact/internal/value"
)

// maxUserinfo is how many bytes of a URL are searched for the end of its userinfo.
const maxUserinfo = 1024

// Quick reports whether the URL whose "://" is at pos has a userinfo.
func Quick(b []byte, pos int) bool {
	if pos == 0 || !ascii.Is(b[pos-1], ascii.Alnum|ascii.Plus|ascii.Dash|ascii.Dot) {
		return false
	}
	i := pos + len("://")
	for _, c := range b[i:min(len(b), i+maxUserinfo)] {
		if c == '@' {
			return true
		}
		if endsUserinfo(c) {
			return false
		}
	}
	return false
}

// endsUserinfo reports whether c ends the part of a URL that may be userinfo.
func endsUserinfo(c byte) bool {
	switch c {
	case '/', '?', ' ', '"', '\'', '<', '>', '`', ',', '\\':
		return true
	}
	return c < ' '
}

// FindCredentials marks the password in scheme://user:password@host, or a token in place
// of both (RFC 3986, section 3.2.1); "://" is at pos.
func FindCredentials(v *match.View, pos int) {
	if pos == v.Lo || !ascii.Is(v.Text[pos-1], ascii.Alnum|ascii.Plus|ascii.Dash|ascii.Dot) {
		return
	}
	i := pos + len("://")
	if i < v.Hi && strings.IndexByte("[<{", v.Text[i]) >= 0 {
		return // a form to fill in
	}
	colon, at := userinfo(&v.Line, i)
	switch {
	case at < 0, at+1 < v.Hi && v.Text[at+1] == ' ', at+1 < v.Hi && (v.Text[at+1] == ')' || v.Text[at+1] == ']'):
		return
	case colon < 0:
		if b := v.Text[i:at]; !publicScheme(v.Text[v.Lo:pos]) && value.TraitsOf(b).Random(20) && !value.Reference(b) && !ascii.Contains(b, '%') && !ascii.Contains(b, ';') {
			markURL(v, pos, i, at, len(b) == 32 && ascii.Run(b, ascii.HexDigit) == len(b))
		}
		return
	case tokenUser(v.Text[i:colon], v.Text[colon+1:at]):
		markURL(v, pos, i, at, false)
		return
	case at < colon+2:
		return
	}
	b := v.Text[colon+1 : at]
	if string(b) == match.Mask || b[0] == ':' || value.Reference(b) || value.Sample(b) || (len(b) > 3 || b[0] == '*') && value.TraitsOf(b).Distinct < 2 {
		return
	}
	if formOfURL(v.Text[i:colon], b, v.Text[at+1:v.Hi]) || b[len(b)-1] == ']' && v.Text[colon-1] == '[' {
		return
	}
	if u := v.Text[i:colon]; len(u) == len(b) && ascii.Run(u, ascii.HexDigit) == len(u) && len(u) >= 8 {
		colon = i - 1 // a pair without a name in it
	}
	markURL(v, pos, colon+1, at, bytes.HasPrefix(v.Text[pos-min(pos, len("mongodb+srv")):pos], []byte("mongodb")) ||
		bytes.HasSuffix(v.Text[v.Lo:pos], []byte("mongodb")))
}

// publicScheme reports whether b ends in a scheme of Ethereum whose user is a public key.
func publicScheme(b []byte) bool {
	return bytes.HasSuffix(b, []byte("enode")) || bytes.HasSuffix(b, []byte("enrtree"))
}

// tokenUser reports whether the user of a URL is a token, whose password is empty or one
// that services ask for beside a token: https://TOKEN:x-oauth-basic@host.
func tokenUser(user, pass []byte) bool {
	switch string(pass) {
	case "", "x", "X", "x-oauth-basic", "x-token-auth", "api_token", "apikey", "api-key", "unused":
		return value.TraitsOf(user).Random(20) && !value.Reference(user)
	}
	return false
}

// formOfURL reports whether user and pass only show the form of a URL: username:password,
// or user:pass on this host.
func formOfURL(user, pass, host []byte) bool {
	capitals := ascii.Run(pass, ascii.Upper|ascii.Under) == len(pass)
	if value.StandIn(pass) && !(value.WeakPassword(pass) && deployed(user, host)) || capitals && (value.Mentions(pass) && (ascii.Contains(pass, '_') || value.CommonWord(string(bytes.ToLower(pass)))) || len(user) > 0 && ascii.Run(user, ascii.Upper|ascii.Under) == len(user)) || len(user) == 0 && (string(pass) == "key" || string(pass) == "key_1234") {
		return true // of dotenv's vault, too
	}
	if i := bytes.LastIndexByte(pass, '_') + 1; i > 0 && bytes.HasPrefix(user, pass[:i]) && bytes.HasPrefix(user[i:], []byte("user")) && value.CommonWord(string(pass[i:])) {
		return true // admin_user:admin_password
	}
	switch string(user) + ":" + string(pass) {
	case "username:password", "username:token", "user:token":
		return true
	case "user:pass", "user:password":
		if bytes.HasPrefix(host, []byte("localhost")) || bytes.HasPrefix(host, []byte("127.0.0.1")) || bytes.HasPrefix(host, []byte("host")) {
			return true
		}
	}
	name, port, ok := bytes.Cut(host, []byte(":"))
	words := string(name) == "host" || string(name) == "server" && len(port) > 0 && !ascii.Is(port[0], ascii.Digit) // a service of that name has a port
	return ok && words && value.CommonWord(string(pass))
}

// deployed reports whether user and host are of no example.
func deployed(user, host []byte) bool {
	if ascii.HasPrefix(host, "localhost", "127.0.0.1", "host", "[::1]") {
		return false
	}
	name, _, _ := bytes.Cut(host, []byte("/"))
	return !bytes.Contains(name, []byte("example")) && !value.CommonWord(string(user)) && !bytes.HasSuffix(user, []byte("user"))
}

// markURL marks the credentials v.Text[start:end] of the URL whose "://" is at pos, or all
// of it if it is a data source name: the options of one for MongoDB have passwords and
// tokens, too (https://www.mongodb.com/docs/manual/reference/connection-string-options/),
// and the clients of Sentry get one under such a name.
func markURL(v *match.View, pos, start, end int, all bool) {
	if all {
		start = pos - ascii.RunBack(v.Text[v.Lo:pos], ascii.Alnum|ascii.Plus)
		for end < v.Hi && !ascii.Is(v.Text[end], ascii.Blank) && !syntax.IsQuote(v.Text[end]) && v.Text[end] > ' ' && strings.IndexByte(`<>)]}|\`, v.Text[end]) < 0 {
			end++
		}
		for strings.IndexByte(".,;:!", v.Text[end-1]) >= 0 {
			end--
		}
	}
	v.Add(start, end, match.RuleURL)
}

// userinfo returns the offsets of the colon and the at sign of the userinfo that begins at
// i, -1 for one that is missing. The last at sign before the path counts: passwords have
// some.
func userinfo(l *syntax.Line, i int) (colon, at int) {
	colon, at = -1, -1
	for j := i; j < l.Hi && j-i < maxUserinfo; j++ {
		switch c := l.Text[j]; c {
		case '@':
			at = j
		case ':':
			if colon < 0 && at < 0 {
				colon = j
			}
		default:
			if endsUserinfo(c) {
				return colon, at
			}
		}
	}
	return colon, at
}
