package redact

import "bytes"

const ruleJWK = "json-web-key"

// jwk finds the private members of a JSON Web Key (RFC 7517, RFC 7518 6.2 to
// 6.4) on the line of its "kty".
func jwk(v *view, pos int) {
	if v.oneKey {
		return
	}
	v.oneKey = true
	for i := v.lo; i < v.hi; {
		n := bytes.IndexByte(v.text[i:v.hi], '"')
		if n < 0 {
			return
		}
		i += n + 1
		k := run(v.text[i:v.hi], alpha)
		if !privateMember(v.text[i : i+k]) {
			continue
		}
		j := v.spaces(v.closing(i + k))
		if j >= v.hi || v.text[j] != ':' {
			continue
		}
		val, q := v.value(v.spaces(j + 1))
		if q.mark != 0 && val.end-val.start >= 16 && run(v.text[val.start:val.end], urlSafe|equals) == val.end-val.start {
			v.add(val.start, val.end, ruleJWK)
		}
		i = val.end
	}
}

// privateMember reports whether a member of a JSON Web Key is secret.
func privateMember(name []byte) bool {
	switch string(name) {
	case "d", "p", "q", "dp", "dq", "qi", "k":
		return true
	}
	return false
}
