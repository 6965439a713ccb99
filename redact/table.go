package redact

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/names"
	"github.com/envwrap/envwrap/redact/internal/syntax"
	"github.com/envwrap/envwrap/redact/internal/value"
)

const (
	minColumns = 2
	maxName    = 40 // of a column
)

// tableHeader notes that the line is the header of a table with a secret
// column, if it is: values with commas, semicolons or tabs between them (RFC
// 4180), or a table of Markdown or of a database client. The name is that of a
// column.
func tableHeader(v *view, name syntax.Name) {
	if v.oneHeader || v.cutLeft || v.cutRight {
		return
	}
	row := syntax.Row{Line: &v.Line, Sep: name.Separator()}
	if row.Sep == 0 {
		return
	}
	line := v.Text[row.Start():v.Hi]
	switch first := line[0]; {
	case row.Sep != '|' && ascii.Is(first, ascii.Blank) && bytes.ContainsAny(bytes.TrimLeft(line, " \t"), " \t"):
		return // of a program, as it is indented
	case !ascii.Is(first, ascii.Word|ascii.Dash|ascii.Blank) && first != row.Sep && !syntax.IsQuote(first):
		return // most of JSON
	}
	v.oneHeader = true
	var cells [syntax.MaxColumns]syntax.Span
	n := row.Cells(&cells)
	t := table{from: uint16(row.Start() - v.Lo), sep: row.Sep, columns: uint8(n), first: hashOf(v.Text[cells[0].Start:cells[0].End])}
	for i, c := range cells[:n] {
		name := v.Text[c.Start:c.End]
		if len(name) == 0 || len(name) > maxName || ascii.Run(name, ascii.Word|ascii.Dash|ascii.Blank) < len(name) || ascii.Run(name, ascii.Digit) == len(name) {
			return
		}
		switch names.StrengthOf(bytes.ReplaceAll(name, []byte(" "), []byte("_")), nil) {
		case names.Password:
			t.strong |= 1 << i
		case names.Strong:
			t.secret |= 1 << i
		}
	}
	if n >= minColumns && t.secret|t.strong != 0 {
		v.next.table = t
	}
}

// tableRow looks at a row of a table; one with more or fewer cells ends it, and so
// does one that begins as the header does: it is a list. A line of signs between
// header and rows does not.
func tableRow(v *view, t table) {
	if t.sep == '|' && rule(v.Text[v.Lo:v.Hi]) {
		v.next.table = t
		return
	}
	var cells [syntax.MaxColumns]syntax.Span
	row := syntax.Row{Line: &v.Line, Sep: t.sep}
	n := row.Cells(&cells)
	if row.Start()-v.Lo != int(t.from) || n != int(t.columns) || hashOf(v.Text[cells[0].Start:cells[0].End]) == t.first {
		return
	}
	v.next.table = t
	for i, c := range cells[:n] {
		st := names.None
		switch {
		case t.strong>>i&1 != 0:
			st = names.Password
		case t.secret>>i&1 != 0:
			st = names.Strong
		}
		if secretCell(st, v.Text[c.Start:c.End]) {
			v.add(c.Start, c.End, ruleAssignment)
		}
	}
}

// secretCell reports whether b, of a column with a name of this strength, is
// secret.
func secretCell(st names.Strength, b []byte) bool {
	t := value.TraitsOf(b)
	switch {
	case t.Len < 6 || t.Spaces > 0 || t.Placeholder() || t.Path():
		return false
	case st == names.Password:
		return t.Digits > 0 && !value.Mentions(t.Bytes) || t.Random(6) || t.Coined()
	}
	return st == names.Strong && (t.Random(8) || t.UUID())
}

// hashOf returns the FNV-1a hash of b.
func hashOf(b []byte) uint32 {
	h := uint32(2166136261)
	for _, c := range b {
		h = (h ^ uint32(c)) * 16777619
	}
	return h
}

// rule reports whether b draws a line: |---|:--:|, ----+----.
func rule(b []byte) bool {
	return len(b) > 0 && len(bytes.Trim(b, "-+=|: ")) == 0
}
