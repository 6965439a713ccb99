package assignment

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/classify"
	"github.com/envwrap/envwrap/redact/internal/match"
	"github.com/envwrap/envwrap/redact/internal/names"
	"github.com/envwrap/envwrap/redact/internal/syntax"
	"github.com/envwrap/envwrap/redact/internal/value"
)

// findDefault marks a value that is used if a reference has none: getenv("X") or "value".
func findDefault(v *match.View, f classify.Field) {
	rest := v.Text[f.Value.Start:min(v.Hi, f.Value.Start+80)]
	if n := bytes.IndexByte(rest, ';'); n >= 0 {
		rest = rest[:n]
	}
	if !ascii.Contains(rest, '|') && !ascii.Contains(rest, '?') && !bytes.Contains(rest, []byte(" or ")) {
		return
	}
	for _, s := range [...]string{" or ", " || ", " ?? ", "||", "??"} {
		i := bytes.Index(rest, []byte(s))
		if i < 0 || bytes.Count(rest[:i], []byte("(")) != bytes.Count(rest[:i], []byte(")")) {
			continue
		}
		i = v.SkipSpaces(f.Value.Start + i + len(s))
		if i >= v.Hi || !syntax.IsQuote(v.Text[i]) {
			continue
		}
		f.Value, f.Quote = v.Value(i)
		if f.Secret() {
			v.Mark(&f)
		}
		return
	}
}

// findReplacement marks the value that replaces that of f, name = "old" -> "new", and
// reports whether there is one.
func findReplacement(v *match.View, f classify.Field) bool {
	if f.Op != syntax.OpAssign || f.Quote.Mark == 0 || f.Quote.Open {
		return false
	}
	const arrow = ` -> "`
	if !bytes.HasPrefix(v.Text[min(f.Quote.After, v.Hi):v.Hi], []byte(arrow)) {
		return false
	}
	if f.Value, f.Quote = v.Value(f.Quote.After + len(arrow) - 1); f.Secret() {
		v.Mark(&f)
	}
	return true
}

// findConverted marks a value that is the argument of a conversion: []byte("value").
func findConverted(v *match.View, f classify.Field) {
	i := f.Value.Start
	if bytes.HasPrefix(v.Text[i:v.Hi], []byte("[]")) {
		i += len("[]")
	}
	n := ascii.Run(v.Text[i:min(v.Hi, i+64)], ascii.Word|ascii.Dot|ascii.Colon)
	if n == 0 || i+n+1 >= v.Hi || v.Text[i+n] != '(' || !syntax.IsQuote(v.Text[i+n+1]) {
		return
	}
	f.Value, f.Quote = v.Value(i + n + 1)
	f.Op = syntax.OpCall
	conversion := isConversion(string(v.Text[i : i+n]))
	if t := value.TraitsOf(v.Text[f.Value.Start:f.Value.End]); f.Strength >= names.Strong && (conversion || t.Random(12) && !t.Pieced() || t.UUID()) && f.Secret() {
		v.Mark(&f)
	}
}

// isConversion reports whether a call of name only gives a text another type.
func isConversion(name string) bool {
	switch name {
	case "String::from", "byte", "bytes", "str", "string", "String", "Some", "Buffer.from", "SecretStr", "SecretString", "SecretString::new", "Secret::new":
		return true
	}
	return false
}
