package redact

import "strings"

const ruleURL = "url-credentials"

// maxUserinfo is how much of a URL is looked at for the end of its userinfo.
const maxUserinfo = 1024

// urlCredentials finds the password in scheme://user:password@host, and a token
// that stands for both (RFC 3986, section 3.2.1); pos is that of "://".
func urlCredentials(v *view, pos int) {
	if pos == v.lo || !is(v.text[pos-1], alnum|plus|dash|dot) {
		return
	}
	i := pos + len("://")
	if i < v.hi && strings.IndexByte("[<{", v.text[i]) >= 0 {
		return // a form to fill in
	}
	colon, at := v.userinfo(i)
	switch {
	case at < 0:
		return
	case colon < 0:
		if b := v.text[i:at]; traitsOf(b).random(20) && !reference(b) {
			v.add(i, at, ruleURL)
		}
		return
	case at < colon+2:
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

// userinfo finds the colon and the at sign of the userinfo that begins at i;
// -1 is none. The last at sign before the path counts: passwords have some.
func (v *view) userinfo(i int) (colon, at int) {
	colon, at = -1, -1
	for j := i; j < v.hi && j-i < maxUserinfo; j++ {
		switch c := v.text[j]; c {
		case '@':
			at = j
		case ':':
			if colon < 0 && at < 0 {
				colon = j
			}
		case '/', '?', ' ', '\t', '"', '\'', '<', '>', '`', ',', '\\':
			return colon, at
		default:
			if c < ' ' {
				return colon, at
			}
		}
	}
	return colon, at
}
