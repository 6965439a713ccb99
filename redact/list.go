package redact

import (
	"github.com/envwrap/envwrap/redact/internal/names"
	"github.com/envwrap/envwrap/redact/internal/syntax"
	"github.com/envwrap/envwrap/redact/internal/value"
)

const (
	maxListed = 32 // how many values of a list are looked at
	minListed = 12 // the least length of one: what is short in a list is a name
)

// list looks at the values after the bracket at i: name: ["a", "b"]. They may
// be on the next lines.
func (v *view) list(f field, i int) {
	if len(syntax.TrimRight(v.Text[i:v.Hi])) == 1 {
		v.pend(f.strength, syntax.OpList)
		return
	}
	for range maxListed {
		f.value, f.quote = v.Value(v.SkipSpaces(i + 1))
		v.listed(&f)
		if i = f.value.End; f.quote.Mark != 0 {
			i = f.quote.After
		}
		if i = v.SkipSpaces(i); i >= v.Hi || v.Text[i] != ',' {
			return
		}
	}
}

// listed marks a value of a list, where that is secret.
func (v *view) listed(f *field) {
	t := value.TraitsOf(v.Text[f.value.Start:f.value.End])
	if (t.Random(minListed) || t.UUID() || f.strength >= names.Telling && t.Jumbled() || f.strength == names.Password && t.Len >= value.MinPassword && t.Digits > 0 && t.Digits < t.Len) && v.secret(f) {
		v.mark(f)
	}
}

// pendingList looks at the line for a value of a list that began before it, and
// goes on with the line after: "value", of JSON, - value of YAML.
func (v *view) pendingList(st names.Strength, i int) {
	if v.Text[i] == '-' {
		i = v.SkipSpaces(i + 1)
	}
	f := field{Name: syntax.Name{Line: &v.Line, Start: v.Lo, End: v.Lo}, strength: st, op: syntax.OpColon}
	f.value, f.quote = v.Value(i)
	if st == names.Password && f.quote.Mark == 0 {
		f.value.End = v.signsWithin(f.value.Start, f.value)
	}
	if f.value.Start == f.value.End || len(syntax.TrimValue(v.Text[f.value.End:v.Hi])) > 0 {
		return
	}
	v.pend(st, syntax.OpList)
	v.listed(&f)
}
