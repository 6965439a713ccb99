package redact

const ruleAuthorization = "authorization"

// authorization finds the credentials of an Authorization header or of its
// kin (RFC 9110, section 11.6.2); pos is that of "authorization". The scheme
// stays.
func authorization(v *view, pos int) {
	_, end := v.identifier(pos)
	i := end
	for i < v.hi && (isQuote(v.text[i]) || v.text[i] == '\\' || v.text[i] == ' ' || v.text[i] == ']') {
		i++
	}
	if i == v.hi || v.text[i] != ':' && v.text[i] != '=' && v.text[i] != ',' {
		// "Authorization Bearer ..."
		if i = end; i == v.hi || v.text[i] != ' ' {
			return
		}
	}
	for i++; i < v.hi && (isQuote(v.text[i]) || v.text[i] == '\\' || v.text[i] == '[' || is(v.text[i], blank)); {
		i++
	}
	v.credentials(i)
}

// bearer finds the token behind the scheme "bearer" at pos, wherever it stands.
func bearer(v *view, pos int) {
	if pos > v.lo && is(v.text[pos-1], word|dash) {
		return
	}
	i := v.spaces(pos + len("bearer "))
	s := v.plain(i)
	b := v.text[s.start:s.end]
	if t := traitsOf(b); t.random(b, 12) && !placeholder(b, t) && !path(b, t) {
		v.add(s.start, s.end, ruleAuthorization)
	}
}

// credentials marks what stands at i, behind the scheme if there is one.
func (v *view) credentials(i int) {
	n := run(v.text[i:v.hi], alnum|dash)
	scheme := n > 2 && n < 24 && i+n < v.hi && v.text[i+n] == ' '
	if scheme {
		i = v.spaces(i + n)
	}
	s := v.plain(i)
	b := v.text[s.start:s.end]
	t := traitsOf(b)
	if t.n < 6 || placeholder(b, t) || pair(b) && scheme && !t.random(b, 12) {
		return
	}
	if scheme && (t.digits > 0 || t.uppers > 0 && t.lowers > 0 || !wordy(b)) || t.random(b, 12) {
		v.add(s.start, s.end, ruleAuthorization)
	}
}
