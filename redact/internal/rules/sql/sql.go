// Package sql finds passwords in statements of SQL.
package sql

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/match"
	"github.com/envwrap/envwrap/redact/internal/names"
	"github.com/envwrap/envwrap/redact/internal/syntax"
	"github.com/envwrap/envwrap/redact/internal/value"
)

// FindIdentifiedBy marks the password of a user in SQL, after "identified" at pos.
func FindIdentifiedBy(v *match.View, pos int) {
	if !ascii.ContainsFold(v.Text[max(v.Lo, pos-128):pos], "user") && v.Text[pos] != 'I' {
		return
	}
	i := v.SkipSpaces(pos + len("identified"))
	with := ascii.HasFold(v.Text[i:v.Hi], "with ")
	if with {
		i = v.SkipSpaces(i + len("with "))
		i = v.SkipSpaces(i + ascii.Run(v.Text[i:v.Hi], ascii.Word|ascii.Dash) + skipQuote(v.Text[i:v.Hi]))
	}
	switch {
	case ascii.HasFold(v.Text[i:v.Hi], "by password "):
		i += len("by password ")
	case ascii.HasFold(v.Text[i:v.Hi], "by ") || with && ascii.HasFold(v.Text[i:v.Hi], "as "):
		i += len("by ")
	default:
		return
	}
	val, q := v.Value(v.SkipSpaces(i))
	b := v.Text[val.Start:val.End]
	t := value.TraitsOf(b)
	if t.Len < 3 || b[0] == ' ' || value.Reference(b) || value.Sample(b) || string(b) == match.Mask || value.CommonWord(string(bytes.ToLower(b))) || q.Mark == '`' || q.Mark == 0 && (ascii.Contains(b, '-') || !t.Random(8) && (t.Len < value.MinPassword || t.Digits == 0 || t.Lowers+t.Uppers < value.MinWord)) {
		return
	}
	v.Add(val.Start, val.End, match.RuleSQL)
}

// FindSetPassword marks the password of a user in the statement at pos: SET PASSWORD FOR
// 'ada'@'%' = 'x'.
func FindSetPassword(v *match.View, pos int) {
	n := bytes.IndexByte(v.Text[pos:min(v.Hi, pos+names.MaxAddress*2)], '=')
	if n < 0 {
		return
	}
	val, q := v.Value(v.SkipSpaces(pos + n + 1))
	if b := v.Text[val.Start:val.End]; q.Mark == '\'' && len(b) >= value.Min && !value.Reference(b) && string(b) != match.Mask {
		v.Add(val.Start, val.End, match.RuleSQL)
	}
}

// skipQuote returns the length of the quoted word at the start of b.
func skipQuote(b []byte) int {
	if len(b) == 0 || !syntax.IsQuote(b[0]) {
		return 0
	}
	return bytes.IndexByte(b[1:], b[0]) + 2
}
