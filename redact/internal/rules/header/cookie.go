package header

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/match"
	"github.com/envwrap/envwrap/redact/internal/names"
	"github.com/envwrap/envwrap/redact/internal/value"
)

// FindCookies marks the values of a Cookie or Set-Cookie header (RFC 6265) whose "cookie:"
// is at pos.
func FindCookies(v *match.View, pos int) {
	i := v.SkipSpaces(pos + len("cookie:"))
	i += ascii.Run(v.Text[i:v.Hi], ascii.Quote)
	for n := 0; i < v.Hi && n < 64; n++ {
		name := ascii.Run(v.Text[i:v.Hi], ascii.Word|ascii.Dash|ascii.Dot|ascii.Query)
		if name == 0 || i+name >= v.Hi || v.Text[i+name] != '=' {
			return
		}
		start := i + name + 1
		val := v.Unquoted(start)
		b := v.Text[val.Start:val.End]
		t := value.TraitsOf(b)
		st := names.StrengthOf(v.Text[i:i+name], nil)
		if t.Len >= 6 && !t.Placeholder() && !bytes.Contains(b, []byte("%3A%2F")) && (t.Random(16) || st >= names.Weak && (t.Random(6) || t.Digits > 0)) && !isAttribute(v.Text[i:i+name]) {
			v.Add(val.Start, val.End, match.RuleCookie)
		}
		i = val.End
		for i < v.Hi && (v.Text[i] == ';' || v.Text[i] == ' ') {
			i++
		}
	}
}

// isAttribute reports whether name is an attribute of a cookie.
func isAttribute(name []byte) bool {
	var buf [16]byte
	switch string(ascii.AppendLower(buf[:0], name)) {
	case "path", "domain", "expires", "max-age", "samesite", "version", "secure", "httponly":
		return true
	}
	return false
}
