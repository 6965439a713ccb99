package redact

import "bytes"

const ruleAuthorization = "authorization"

// authorization finds the credentials of an Authorization header or of its
// kin (RFC 9110, section 11.6.2); pos is that of "authorization". The scheme
// stays.
func authorization(v *view, pos int) {
	_, end := v.identifier(pos)
	if is(v.text[min(pos+len(ruleAuthorization), v.hi-1)], alpha) && !hasFold(v.text[pos+len(ruleAuthorization):v.hi], "header") {
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
	for i++; i < v.hi && (isQuote(v.text[i]) || v.text[i] == '\\' || v.text[i] == '[' || is(v.text[i], blank)); {
		i++
	}
	v.credentials(i)
}

// bearer finds the token after the scheme "bearer" at pos, wherever it stands.
func bearer(v *view, pos int) {
	if !v.boundary(pos) || pos > v.lo && v.text[pos-1] == '-' {
		return
	}
	i := v.spaces(pos + len("bearer "))
	s := v.plain(i)
	b := v.text[s.start:s.end]
	if t := traitsOf(b); t.random(12) && !t.placeholder() && !t.path() && !v.abridged(s) {
		v.add(s.start, s.end, ruleAuthorization)
	}
}

// maxAbridged is the greatest length of a credential of which a part is shown in place
// of all of it.
const maxAbridged = 40

// abridged reports whether s is the beginning of a credential, with dots for the rest.
func (v *view) abridged(s span) bool { return s.end-s.start < maxAbridged && v.truncated(s.end) }

// credentials marks what stands at i, after the scheme if there is one.
func (v *view) credentials(i int) {
	known := v.scheme(i)
	n := run(v.text[i:v.hi], alnum|dash)
	named := n > 2 && n < 24 && i+n < v.hi && v.text[i+n] == ' '
	if named {
		i = v.spaces(i + n)
	}
	s := v.plain(i)
	b := v.text[s.start:s.end]
	t := traitsOf(b)
	if t.words() && t.uppers == 1 && is(b[0], upper) && wordy(b) {
		return // "Authorization Token Exchange"
	}
	if t.n < 6 || t.placeholder() || v.abridged(s) || bytes.Contains(b, []byte("://")) || pair(b) && named && !t.random(12) {
		return
	}
	if known && (t.digits > 0 || t.uppers > 0 && t.lowers > 0 || !wordy(b)) || t.random(12) {
		v.add(s.start, s.end, ruleAuthorization)
	}
}

// scheme reports whether the name of an authentication scheme, and a space, is
// at i (IANA's registry, and those that services made up).
func (v *view) scheme(i int) bool {
	n := run(v.text[i:v.hi], alnum|dash)
	if n == 0 || i+n >= v.hi || v.text[i+n] != ' ' {
		return false
	}
	var buf [24]byte
	switch string(lowered(buf[:0], v.text[i:i+n])) {
	case "basic", "bearer", "token", "digest", "negotiate", "ntlm", "apikey", "api-key", "apikey-v1", "ssws", "key",
		"jwt", "oauth", "splunk", "snowflake", "geniekey", "bot", "hmac", "hawk", "dpop", "scram-sha-256", "pve",
		"aws4-hmac-sha256", "sharedkey", "sharedaccesssignature", "private-token", "deploytoken", "glsa", "access":
		return true
	}
	return false
}
