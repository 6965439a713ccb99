package assignment

import (
	"github.com/envwrap/envwrap/redact/internal/classify"
	"github.com/envwrap/envwrap/redact/internal/match"
	"github.com/envwrap/envwrap/redact/internal/names"
	"github.com/envwrap/envwrap/redact/internal/syntax"
)

// FindSecureParameter finds the value of a parameter of AWS Systems Manager that is
// encrypted there, on the line on which its type at pos is or on the next.
func FindSecureParameter(v *match.View, pos int) {
	i := v.SkipSpaces(pos + len(`"SecureString"`))
	if i >= v.Hi || v.Text[i] != ',' {
		return
	}
	f := classify.Field{Name: syntax.Name{Line: &v.Line, Start: pos, End: i}, Strength: names.Strong, Op: syntax.OpColon}
	k, ok := v.ValueMember(v.SkipSpaces(i + 1))
	if !ok {
		if len(syntax.TrimValue(v.Text[i:v.Hi])) == 0 {
			v.Expect(f.Strength, syntax.OpMember)
		}
		return
	}
	assigned(v, f, pos, k)
}
