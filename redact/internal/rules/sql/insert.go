package sql

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/classify"
	"github.com/envwrap/envwrap/redact/internal/match"
	"github.com/envwrap/envwrap/redact/internal/names"
	"github.com/envwrap/envwrap/redact/internal/rules/table"
	"github.com/envwrap/envwrap/redact/internal/syntax"
)

// maxInsert is how many columns, and rows, of a statement are examined.
const maxInsert = 64

// FindInsert marks the values of secret columns in the statement at pos: INSERT INTO table
// (columns) VALUES (values), (values).
func FindInsert(v *match.View, pos int) {
	i := pos + len("insert into ")
	n := bytes.IndexByte(v.Text[i:min(v.Hi, i+256)], '(')
	if n < 0 {
		return
	}
	i += n + 1
	var columns [maxInsert]names.Strength
	some := false
	for c := range maxInsert {
		end := i + ascii.Run(v.Text[i:v.Hi], ascii.Word|ascii.Dash|ascii.Blank)
		for end < v.Hi && syntax.IsQuote(v.Text[end]) {
			end += 1 + ascii.Run(v.Text[end+1:v.Hi], ascii.Word|ascii.Dash|ascii.Blank)
		}
		if end >= v.Hi || v.Text[end] != ',' && v.Text[end] != ')' {
			return
		}
		columns[c] = names.StrengthOf(bytes.Trim(v.Text[i:end], " `\"'"), nil)
		some = some || columns[c] >= names.Strong
		if i = end + 1; v.Text[end] == ')' {
			break
		}
	}
	if i = v.SkipSpaces(i); !some || !ascii.HasFold(v.Text[i:v.Hi], "values") {
		return
	}
	i += len("values")
	for range maxInsert {
		if i = v.SkipSpaces(i); i >= v.Hi || v.Text[i] != '(' {
			return
		}
		if i = insertRow(v, &columns, i+1); i == 0 || i >= v.Hi || v.Text[i] != ',' {
			return
		}
		i++
	}
}

// insertRow marks the secret values of a row from i on, and returns the end of the row, 0
// if it has none.
func insertRow(v *match.View, columns *[maxInsert]names.Strength, i int) int {
	for c := range maxInsert {
		next := v.NextArgument(i)
		f := classify.Field{Name: v.Nameless(), Strength: columns[c], Op: syntax.OpAssign}
		f.Value, f.Quote = v.Value(v.SkipSpaces(i))
		if b := v.Text[f.Value.Start:f.Value.End]; f.Quote.Mark != 0 && !f.Quote.Open && f.Strength >= names.Strong && table.SecretCell(f.Strength, b) {
			v.Mark(&f)
		}
		if next > 0 {
			i = next
			continue
		}
		if f.Quote.Mark != 0 {
			i = f.Quote.After
		} else {
			i = f.Value.End
		}
		if i = v.SkipSpaces(i); i < v.Hi && v.Text[i] == ')' {
			return i + 1
		}
		return 0
	}
	return 0
}
