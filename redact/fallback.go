package redact

import "bytes"

// fallback looks for a value that is used where a reference has none:
// getenv("X") or "value".
func (v *view) fallback(f field) {
	rest := v.text[f.value.start:min(v.hi, f.value.start+80)]
	if n := bytes.IndexByte(rest, ';'); n >= 0 {
		rest = rest[:n]
	}
	for _, s := range [...]string{" or ", " || ", " ?? ", "||", "??"} {
		i := bytes.Index(rest, []byte(s))
		if i < 0 || bytes.Count(rest[:i], []byte("(")) != bytes.Count(rest[:i], []byte(")")) {
			continue
		}
		i = v.spaces(f.value.start + i + len(s))
		if i >= v.hi || !isQuote(v.text[i]) {
			continue
		}
		f.value, f.quote = v.value(i)
		if v.secret(&f) {
			v.mark(&f)
		}
		return
	}
}

// afterCall finds the value that is used where a call that ends before i gives
// none, getenv("NAME") ?? "value", or that what it gives is compared with,
// expect(name).toBe("value"). quoted reports whether the name is in quotes.
func (v *view) afterCall(i int, quoted bool) (int, operator) {
	if i < v.hi && v.text[i] == '.' {
		if j, op := v.method(i + 1); op != opNone {
			return j, op
		}
	}
	if !quoted {
		return 0, opNone
	}
	for _, s := range [...]string{"?? ", "?: ", "|| ", "or ", "{ ", ".unwrap_or(", ".orElse(", ".getOrElse("} {
		if j := v.spaces(i); bytes.HasPrefix(v.text[j:v.hi], []byte(s)) {
			return v.spaces(j + len(s)), opElse
		}
	}
	return 0, opNone
}

// escapedValue returns the value at i of a name in a query that was escaped, which ends
// before end: up to its next ampersand or quote.
func (v *view) escapedValue(i, end int) span {
	if bytes.HasPrefix(v.text[i:end], []byte("%22")) {
		i += len("%22")
	}
	for _, s := range [...]string{"%26", "%22"} {
		if n := bytes.Index(v.text[i:end], []byte(s)); n >= 0 {
			end = i + n
		}
	}
	return span{start: i, end: end}
}
