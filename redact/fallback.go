package redact

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/names"
	"github.com/envwrap/envwrap/redact/internal/value"
)

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

// changed looks at the value that replaces that of f, name = "old" -> "new", and reports
// whether there is one.
func (v *view) changed(f field) bool {
	if f.op != opAssign || f.quote.mark == 0 || f.quote.open {
		return false
	}
	const arrow = ` -> "`
	if !bytes.HasPrefix(v.text[min(f.quote.after, v.hi):v.hi], []byte(arrow)) {
		return false
	}
	if f.value, f.quote = v.value(f.quote.after + len(arrow) - 1); v.secret(&f) {
		v.mark(&f)
	}
	return true
}

// wrapped looks for a value that is handed to a conversion: []byte("value").
func (v *view) wrapped(f field) {
	i := f.value.start
	if bytes.HasPrefix(v.text[i:v.hi], []byte("[]")) {
		i += len("[]")
	}
	n := ascii.Run(v.text[i:min(v.hi, i+64)], ascii.Word|ascii.Dot|ascii.Colon)
	if n == 0 || i+n+1 >= v.hi || v.text[i+n] != '(' || !isQuote(v.text[i+n+1]) {
		return
	}
	f.value, f.quote = v.value(i + n + 1)
	f.op = opCall
	conversion := converts(string(v.text[i : i+n]))
	if t := value.TraitsOf(v.text[f.value.start:f.value.end]); f.strength >= names.Telling && (conversion || t.Random(12) || t.UUID()) && v.secret(&f) {
		v.mark(&f)
	}
}

// converts reports whether a call of name only gives a text another type.
func converts(name string) bool {
	switch name {
	case "String::from", "byte", "bytes", "str", "string", "String", "Some", "Buffer.from", "SecretStr", "SecretString", "SecretString::new", "Secret::new":
		return true
	}
	return false
}
