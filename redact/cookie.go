package redact

import "bytes"

const ruleCookie = "cookie"

// cookies finds the values of a Cookie or Set-Cookie header (RFC 6265); pos is
// that of "cookie:".
func cookies(v *view, pos int) {
	i := v.spaces(pos + len("cookie:"))
	for i < v.hi && (isQuote(v.text[i]) || v.text[i] == '\\') {
		i++
	}
	for n := 0; i < v.hi && n < 64; n++ {
		name := run(v.text[i:v.hi], word|dash|dot|query)
		if name == 0 || i+name >= v.hi || v.text[i+name] != '=' {
			return
		}
		start := i + name + 1
		val := v.plain(start)
		b := v.text[val.start:val.end]
		t := traitsOf(b)
		st := strengthOf(v.text[i:i+name], nil)
		if t.n >= 6 && !t.placeholder() && (t.random(16) || st >= vague && (t.random(6) || t.digits > 0)) && !attribute(v.text[i:i+name]) {
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
	if n := v.runOf(i, urlSafe); n >= 20 && traitsOf(v.text[i:i+n]).random(20) {
		v.add(i, i+n, ruleCookie)
	}
}

// attribute reports whether name is of an attribute of a cookie.
func attribute(name []byte) bool {
	var buf [16]byte
	switch string(lowered(buf[:0], name)) {
	case "path", "domain", "expires", "max-age", "samesite", "version", "secure", "httponly":
		return true
	}
	return false
}
