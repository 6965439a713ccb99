package redact

import "bytes"

const (
	ruleFacebook = "facebook-token"
	nearService  = 256 // how far after the name of a service its token may begin
)

// facebookToken finds the access token of an app, which is its id and its
// secret with a bar between, on a line that names the service at pos
// (https://developers.facebook.com/docs/facebook-login/guides/access-tokens).
func facebookToken(v *view, pos int) {
	i, end := max(pos, v.appTo), min(v.hi, pos+nearService)
	for i < end {
		if !is(v.text[i], digit) {
			i++
			continue
		}
		id := run(v.text[i:v.hi], digit)
		if sep := barLen(v.text[i+id : v.hi]); id >= 13 && id <= 17 && sep > 0 {
			from := i + id + sep
			if n := v.runOf(from, urlSafe); n >= 27 && n <= 40 && traitsOf(v.text[from:from+n]).random(20) {
				v.add(i, from+n, ruleFacebook)
			}
		}
		i += id
	}
	v.appTo = max(v.appTo, i)
}

// barLen is the length of the bar at the start of b, also as URLs have it.
func barLen(b []byte) int {
	switch {
	case len(b) > 0 && b[0] == '|':
		return 1
	case bytes.HasPrefix(b, []byte("%7C")), bytes.HasPrefix(b, []byte("%7c")):
		return 3
	}
	return 0
}
