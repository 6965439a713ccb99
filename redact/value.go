package redact

import "bytes"

// traits are what can be seen of a value.
type traits struct {
	n                            int
	digits, lowers, uppers, hexs int
	signs, spaces, distinct      int
}

func traitsOf(v []byte) traits {
	var t traits
	var seen [256]bool
	t.n = len(v)
	for _, c := range v {
		if !seen[c] {
			seen[c] = true
			t.distinct++
		}
		switch k := classes[c]; {
		case k&digit != 0:
			t.digits++
		case k&lower != 0:
			t.lowers++
		case k&upper != 0:
			t.uppers++
		case c == ' ' || c == '\t':
			t.spaces++
		default:
			t.signs++
		}
		if classes[c]&hexDigit != 0 {
			t.hexs++
		}
	}
	return t
}

// placeholders are what people write where a secret would be.
var placeholders = []string{
	"xxxx", "your", "placeholder", "changeme", "change_me", "change-me", "replace", "redacted", "<", "${", "{{", "$(",
	"insert", "****", "....", "todo", "dummy", "[filtered]", "not_set", "notset", "undefined", "_here",
	"-here",
}

// commonWords are values that are no secrets in settings and in source.
var commonWords = map[string]bool{
	"true": true, "false": true, "null": true, "none": true, "nil": true, "yes": true, "no": true, "on": true,
	"off": true, "string": true, "str": true, "int": true, "bool": true, "bytes": true, "byte": true, "object": true,
	"required": true, "optional": true, "enabled": true, "disabled": true, "undefined": true, "void": true,
	"password": true, "passwd": true, "secret": true, "token": true, "key": true, "pass": true, "pwd": true,
	"text": true, "hidden": true, "example": true, "empty": true, "default": true, "unset": true, "missing": true,
	"invalid": true, "basic": true, "bearer": true, "value": true, "name": true, "type": true, "self": true,
	"this": true, "new": true, "nan": true, "any": true, "number": true, "boolean": true, "function": true,
	"return": true, "const": true, "let": true, "var": true, "private": true, "public": true, "protected": true,
	"static": true, "readonly": true, "incorrect": true, "wrong": true, "expired": true, "unknown": true,
	"prompt": true, "file": true, "env": true, "stdin": true, "input": true, "auto": true, "manual": true,
}

// placeholder reports whether v stands where a secret would be.
func placeholder(v []byte, t traits) bool {
	if t.distinct <= 3 && t.n >= 4 || t.n == 0 {
		return true
	}
	var buf [64]byte
	w := lowered(buf[:0], v)
	if commonWords[string(w)] {
		return true
	}
	for _, p := range placeholders {
		if bytes.Contains(w, []byte(p)) {
			return true
		}
	}
	switch v[0] {
	case '$', '%':
		return t.n > 1 && is(v[1], alpha|under) || t.n > 1 && (v[1] == '{' || v[1] == '(')
	case '<':
		return true
	}
	return false
}

// random reports whether v, of one piece, looks made by chance.
func (t traits) random(v []byte, atLeast int) bool {
	if t.n < atLeast || t.spaces > 0 || t.distinct*8 < min(t.n, 40)*2 || t.distinct < 5 {
		return false
	}
	letters := t.lowers + t.uppers
	switch {
	case t.digits >= 2 && letters >= 2 && !wordy(v):
		return true
	case t.hexs == t.n && t.digits > 0 && letters > 0 && t.n >= 16:
		return true
	case t.lowers >= 3 && t.uppers >= 3 && t.n >= 16 && !wordy(v):
		return true
	case t.digits*4 >= t.n && letters >= 4:
		return true
	case t.digits == 0 && letters == t.n && t.n >= 16 && !wordy(v):
		return true
	}
	return false
}
