package redact

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/names"
)

// compared looks at the string that a name is compared with, before it:
// "value" == name.
func (v *view) compared(st names.Strength, start int) {
	i, ok := v.comparison(start)
	if !ok || i == v.lo || !isQuote(v.text[i-1]) || v.text[i-1] == '"' && v.quotes(i-1)%2 == 0 {
		return
	}
	f := field{strength: st, op: opCompare, start: start, end: start, quote: quote{mark: v.text[i-1]}}
	f.value = span{start: i - 1, end: i - 1}
	for f.value.start > v.lo && v.text[f.value.start-1] != f.quote.mark {
		f.value.start--
	}
	if f.value.start > v.lo && v.secret(&f) {
		v.mark(&f)
	}
}

// comparison finds the end of what the name at start is compared with, before it,
// x == name, x.equals(name), or of what is stored for it: setObject:@"x" forKey:@"name".
func (v *view) comparison(start int) (int, bool) {
	i := start - ascii.RunBack(v.text[v.lo:start], ascii.Blank)
	b := v.text[v.lo:i]
	for _, s := range [...]string{` forKey:@"`, `, forKey: "`} {
		if bytes.HasSuffix(b, []byte(s)) {
			return i - len(s), true
		}
	}
	if len(b) == 0 || b[len(b)-1] != '(' && b[len(b)-1] != '=' {
		return 0, false
	}
	for _, s := range [...]string{".equals(", ".equalsIgnoreCase(", "==", "!="} {
		if bytes.HasSuffix(b, []byte(s)) {
			b = bytes.TrimRight(b[:len(b)-len(s)], "=! ")
			return v.lo + len(b), true
		}
	}
	return 0, false
}
