package redact

const ruleAuthorization = "authorization"

// authorization finds the credentials of an Authorization header or of its
// kin; pos is that of "authorization".
func authorization(v *view, pos int) {
	_, end := v.identifier(pos)
	for end < v.hi && (v.text[end] == '"' || v.text[end] == '\'' || v.text[end] == '\\' || v.text[end] == ' ') {
		end++
	}
	if end == v.hi || v.text[end] != ':' && v.text[end] != '=' && v.text[end] != ',' {
		return
	}
	i := v.spaces(end + 1)
	for i < v.hi && (v.text[i] == '"' || v.text[i] == '\'' || v.text[i] == '\\' || v.text[i] == '[' || v.text[i] == '`') {
		i++
	}
	// The scheme stays.
	n := run(v.text[i:v.hi], alpha|dash)
	if j := v.spaces(i + n); n > 0 && j > i+n && j < v.hi {
		i = j
	}
	s := v.plain(i)
	b := v.text[s.start:s.end]
	t := traitsOf(b)
	if t.n < 6 || placeholder(b, t) || t.digits == 0 && t.uppers == 0 {
		return
	}
	v.add(s.start, s.end, ruleAuthorization)
}
