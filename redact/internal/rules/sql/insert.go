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
// (columns) VALUES (values), (values). Where VALUES has the places of values, a list of
// them follows, there or on the next line.
func FindInsert(v *match.View, pos int) {
	i := pos + len("insert into ")
	n := bytes.IndexByte(v.Text[i:min(v.Hi, i+256)], '(')
	if n < 0 {
		return
	}
	table := names.StrengthOf(bytes.TrimRight(v.Text[i:i+n], " `\"'"), nil)
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
		if columns[c] == names.Weak {
			columns[c] = max(columns[c], table) // authtoken_token (key)
		}
		some = some || columns[c] >= names.Strong
		if i = end + 1; v.Text[end] == ')' {
			break
		}
	}
	if i = v.SkipSpaces(i); !some || !ascii.HasFold(v.Text[i:v.Hi], "values") {
		return
	}
	i += len("values")
	if row := v.SkipSpaces(i); row < v.Hi {
		noteBound(v, &columns, row+1)
	}
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

// noteBound marks the values for the places in the row at i, or notes that they may be on the
// next line.
func noteBound(v *match.View, columns *[maxInsert]names.Strength, i int) {
	var bound match.Columns
	end, n := i, 0
	for c := 0; c < maxInsert && i > 0; c++ {
		if end = v.SkipSpaces(i); end < v.Hi && bytes.IndexByte([]byte("?$%:@"), v.Text[end]) >= 0 {
			bound = bound.With(n, columns[c])
			n++
		}
		i = v.NextArgument(end)
	}
	if bound != (match.Columns{}) && !findBound(v, bound, end) && !v.CutRight {
		v.Next.Bound = bound
	}
}

const (
	maxCompared = 512 // bytes of a statement before the name of a column
	maxPlaces   = 16  // that are looked at on a line
)

// FindAtPlace marks the value for the place at i, which the name of a column with a strength
// of st precedes in a statement, or notes that it may be on the next line: set token = $1,
// where token = ?.
func FindAtPlace(v *match.View, st names.Strength, i int) {
	if v.Places++; v.Places > maxPlaces {
		return
	}
	rest, before := v.Text[i:v.Hi], v.Text[max(v.Lo, i-maxCompared):i]
	n := bytes.Count(before, []byte{'?'})
	switch {
	case rest[0] == '?' && (len(rest) == 1 || bytes.IndexByte([]byte(" ,;)"), rest[1]) >= 0):
	case rest[0] == '$' && len(rest) > 1 && ascii.Is(rest[1], ascii.Digit):
		for n = 0; n < maxInsert && len(rest) > 1 && ascii.Is(rest[1], ascii.Digit); rest = rest[1:] {
			n = n*10 + int(rest[1]-'0')
		}
		n--
	default:
		return
	}
	if n < 0 || !ascii.ContainsFold(before, " set ") && !ascii.ContainsFold(before, " where ") {
		return // $0, or of another language
	}
	if bound := v.Next.Bound.With(n, st); bound != (match.Columns{}) && !findBound(v, bound, i+1) && !v.CutRight {
		v.Next.Bound = bound
	}
}

// FindBound marks the values, on the line, of the columns that the statement before it names.
func FindBound(v *match.View, bound match.Columns) { findBound(v, bound, v.Lo) }

// maxToBound is the most bytes of a statement, after its row, before the values.
const maxToBound = 256

// findBound marks the secret values of the first list after i, and reports whether there is
// one: ["ada", "x"], ('ada', 'x'), or "ada", "x" after a semicolon.
func findBound(v *match.View, bound match.Columns, i int) bool {
	var columns [maxInsert]names.Strength
	for c := range columns {
		columns[c] = bound.Strength(c)
	}
	for end := min(v.Hi-2, i+maxToBound); i < end; i++ {
		switch c, next := v.Text[i], v.Text[i+1]; {
		case (c == '[' || c == '(') && (syntax.IsQuote(next) || ascii.Is(next, ascii.Digit)):
			insertRow(v, &columns, i+1)
			return true
		case c == ';' && next == ' ' && syntax.IsQuote(v.Text[i+2]):
			insertRow(v, &columns, i+2)
			return true
		}
	}
	return false
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
