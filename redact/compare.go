package redact

import (
	"github.com/envwrap/envwrap/redact/internal/classify"
	"github.com/envwrap/envwrap/redact/internal/names"
	"github.com/envwrap/envwrap/redact/internal/syntax"
)

// compared looks at the string that a name is compared with, before it:
// "value" == name.
func (v *view) compared(st names.Strength, name syntax.Name) {
	i, ok := name.Comparison()
	if !ok || i == v.Lo || !syntax.IsQuote(v.Text[i-1]) || v.Text[i-1] == '"' && v.QuotesBefore(i-1)%2 == 0 {
		return
	}
	name.End = name.Start // the value is compared with it, whatever its words
	f := classify.Field{Name: name, Strength: st, Op: syntax.OpCompare, Quote: syntax.Quote{Mark: v.Text[i-1]}}
	f.Value = syntax.Span{Start: i - 1, End: i - 1}
	for f.Value.Start > v.Lo && v.Text[f.Value.Start-1] != f.Quote.Mark {
		f.Value.Start--
	}
	if f.Value.Start > v.Lo && f.Secret() {
		v.mark(&f)
	}
}
