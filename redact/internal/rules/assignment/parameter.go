package assignment

import (
	"github.com/envwrap/envwrap/redact/internal/classify"
	"github.com/envwrap/envwrap/redact/internal/match"
	"github.com/envwrap/envwrap/redact/internal/names"
	"github.com/envwrap/envwrap/redact/internal/syntax"
)

// FindSecureParameter marks the value of an encrypted parameter of AWS Systems Manager, on
// the line of its type at pos or on the next.
func FindSecureParameter(v *match.View, pos int) {
	i := v.SkipSpaces(pos + len(`"SecureString"`))
	if i >= v.Hi || v.Text[i] != ',' {
		return
	}
	f := classify.Field{Name: syntax.Name{Line: &v.Line, Start: pos, End: i}, Strength: names.Password, Op: syntax.OpColon}
	k, ok := v.ValueMember(v.SkipSpaces(i + 1))
	if !ok {
		if len(syntax.TrimValue(v.Text[i:v.Hi])) == 0 {
			v.Expect(f.Strength, syntax.OpMember)
		}
		return
	}
	findValue(v, f, pos, k)
}
