package redact

import "strings"

const ruleURL = "url-credentials"

// urlCredentials finds the password in scheme://user:password@host; pos is that
// of "://".
func urlCredentials(v *view, pos int) {
	if pos == v.lo || !is(v.text[pos-1], alnum|plus|dash|dot) {
		return
	}
	i := pos + 3
	if i < v.hi && strings.IndexByte("[<{", v.text[i]) >= 0 {
		return // a form to fill in
	}
	colon, at := -1, -1
	j := i
	for ; j < v.hi && j-i < 1024; j++ {
		c := v.text[j]
		if c == '@' {
			at = j
		} else if c == ':' && colon < 0 {
			colon = j
		} else if c == '/' || c == '?' || c <= ' ' || c == '"' || c == '\'' || c == '<' || c == '>' || c == '`' || c == ',' || c == '\\' {
			break
		}
	}
	if colon < 0 || at < colon+2 {
		return
	}
	b := v.text[colon+1 : at]
	if string(b) == Mask || reference(b) || len(b) > 3 && traitsOf(b).distinct < 2 {
		return
	}
	if u := v.text[i:colon]; len(u) == len(b) && run(u, hexDigit) == len(u) && len(u) >= 8 {
		colon = i - 1 // a pair without a name in it
	}
	v.add(colon+1, at, ruleURL)
}
