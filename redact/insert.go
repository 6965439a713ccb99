package redact

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/names"
)

// maxInsert is how many columns, and rows, of a statement are looked at.
const maxInsert = 64

// insertInto finds the values of secret columns in SQL's INSERT INTO table
// (columns) VALUES (values), (values); pos is that of the statement.
func insertInto(v *view, pos int) {
	i := pos + len("insert into ")
	n := bytes.IndexByte(v.text[i:min(v.hi, i+256)], '(')
	if n < 0 {
		return
	}
	i += n + 1
	var columns [maxInsert]names.Strength
	some := false
	for c := range maxInsert {
		end := i + ascii.Run(v.text[i:v.hi], ascii.Word|ascii.Dash|ascii.Blank)
		for end < v.hi && isQuote(v.text[end]) {
			end += 1 + ascii.Run(v.text[end+1:v.hi], ascii.Word|ascii.Dash|ascii.Blank)
		}
		if end >= v.hi || v.text[end] != ',' && v.text[end] != ')' {
			return
		}
		columns[c] = names.StrengthOf(bytes.Trim(v.text[i:end], " `\"'"), nil)
		some = some || columns[c] >= names.Telling
		if i = end + 1; v.text[end] == ')' {
			break
		}
	}
	if i = v.spaces(i); !some || !ascii.HasFold(v.text[i:v.hi], "values") {
		return
	}
	i += len("values")
	for range maxInsert {
		if i = v.spaces(i); i >= v.hi || v.text[i] != '(' {
			return
		}
		if i = v.insertRow(&columns, i+1); i == 0 || i >= v.hi || v.text[i] != ',' {
			return
		}
		i++
	}
}

// insertRow looks at the values of a row from i on, and returns where it ended, 0
// where it does not.
func (v *view) insertRow(columns *[maxInsert]names.Strength, i int) int {
	for c := range maxInsert {
		next := v.comma(i)
		f := field{strength: columns[c], op: opAssign, start: v.lo, end: v.lo}
		f.value, f.quote = v.value(v.spaces(i))
		if b := v.text[f.value.start:f.value.end]; f.quote.mark != 0 && !f.quote.open && f.strength >= names.Telling && v.secretCell(f.strength, b) {
			v.mark(&f)
		}
		if next > 0 {
			i = next
			continue
		}
		if f.quote.mark != 0 {
			i = f.quote.after
		} else {
			i = f.value.end
		}
		if i = v.spaces(i); i < v.hi && v.text[i] == ')' {
			return i + 1
		}
		return 0
	}
	return 0
}
