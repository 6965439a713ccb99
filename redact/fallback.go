package redact

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/names"
	"github.com/envwrap/envwrap/redact/internal/syntax"
	"github.com/envwrap/envwrap/redact/internal/value"
)

// fallback looks for a value that is used where a reference has none:
// getenv("X") or "value".
func (v *view) fallback(f field) {
	rest := v.Text[f.value.Start:min(v.Hi, f.value.Start+80)]
	if n := bytes.IndexByte(rest, ';'); n >= 0 {
		rest = rest[:n]
	}
	for _, s := range [...]string{" or ", " || ", " ?? ", "||", "??"} {
		i := bytes.Index(rest, []byte(s))
		if i < 0 || bytes.Count(rest[:i], []byte("(")) != bytes.Count(rest[:i], []byte(")")) {
			continue
		}
		i = v.SkipSpaces(f.value.Start + i + len(s))
		if i >= v.Hi || !syntax.IsQuote(v.Text[i]) {
			continue
		}
		f.value, f.quote = v.Value(i)
		if v.secret(&f) {
			v.mark(&f)
		}
		return
	}
}

// escapedValue returns the value at i of a name in a query that was escaped, which ends
// before end: up to its next ampersand or quote.
func (v *view) escapedValue(i, end int) syntax.Span {
	if bytes.HasPrefix(v.Text[i:end], []byte("%22")) {
		i += len("%22")
	}
	for _, s := range [...]string{"%26", "%22"} {
		if n := bytes.Index(v.Text[i:end], []byte(s)); n >= 0 {
			end = i + n
		}
	}
	return syntax.Span{Start: i, End: end}
}

// changed looks at the value that replaces that of f, name = "old" -> "new", and reports
// whether there is one.
func (v *view) changed(f field) bool {
	if f.op != syntax.OpAssign || f.quote.Mark == 0 || f.quote.Open {
		return false
	}
	const arrow = ` -> "`
	if !bytes.HasPrefix(v.Text[min(f.quote.After, v.Hi):v.Hi], []byte(arrow)) {
		return false
	}
	if f.value, f.quote = v.Value(f.quote.After + len(arrow) - 1); v.secret(&f) {
		v.mark(&f)
	}
	return true
}

// wrapped looks for a value that is handed to a conversion: []byte("value").
func (v *view) wrapped(f field) {
	i := f.value.Start
	if bytes.HasPrefix(v.Text[i:v.Hi], []byte("[]")) {
		i += len("[]")
	}
	n := ascii.Run(v.Text[i:min(v.Hi, i+64)], ascii.Word|ascii.Dot|ascii.Colon)
	if n == 0 || i+n+1 >= v.Hi || v.Text[i+n] != '(' || !syntax.IsQuote(v.Text[i+n+1]) {
		return
	}
	f.value, f.quote = v.Value(i + n + 1)
	f.op = syntax.OpCall
	conversion := converts(string(v.Text[i : i+n]))
	if t := value.TraitsOf(v.Text[f.value.Start:f.value.End]); f.strength >= names.Telling && (conversion || t.Random(12) || t.UUID()) && v.secret(&f) {
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
