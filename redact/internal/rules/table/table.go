// Package table finds secrets in the columns of tables: CSV, TSV, Markdown, the output of
// database clients.
package table

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/match"
	"github.com/envwrap/envwrap/redact/internal/names"
	"github.com/envwrap/envwrap/redact/internal/syntax"
)

// maxCellLines is on how many lines a cell in quotes goes on.
const maxCellLines = 8

// NoteHeader notes that the line of name is the header of a table with a secret column, if
// it is: values with commas, semicolons or tabs between them (RFC 4180), or a table of
// Markdown or of a database client. name is a column's name.
func NoteHeader(v *match.View, name syntax.Name) {
	if v.HeaderSeen || v.CutLeft || v.CutRight {
		return
	}
	row := syntax.Row{Line: &v.Line, Sep: name.Separator()}
	if row.Sep == 0 {
		noteAligned(v, name)
		return
	}
	line := v.Text[row.Start():v.Hi]
	switch first := line[0]; {
	case row.Sep != '|' && ascii.Is(first, ascii.Blank) && bytes.ContainsAny(bytes.TrimLeft(line, " \t"), " \t"):
		return // an indented line of a program
	case !ascii.Is(first, ascii.Word|ascii.Dash|ascii.Blank) && first != row.Sep && !syntax.IsQuote(first):
		return // most of JSON
	}
	v.HeaderSeen = true
	var cells [syntax.MaxColumns]syntax.Span
	n := row.Cells(&cells)
	if ascii.Contains(line, '`') {
		return // a row of a document, which names settings
	}
	t := match.Table{From: uint16(row.Start() - v.Lo), Sep: row.Sep, Columns: uint8(n), First: hashOf(v.Text[cells[0].Start:cells[0].End])}
	for i, c := range cells[:n] {
		name := v.Text[c.Start:c.End]
		if len(name) == 0 || len(name) > maxName || ascii.Run(name, ascii.Word|ascii.Dash|ascii.Blank) < len(name) || ascii.Run(name, ascii.Digit) == len(name) {
			return
		}
		t.Named = t.Named.With(i, names.StrengthOf(bytes.ReplaceAll(name, []byte(" "), []byte("_")), nil))
	}
	if n >= minColumns && t.Named != (match.Columns{}) {
		v.Next.Table = t
	}
}

// FindInRow marks the secrets in a row of the table t. A row with more or fewer cells ends
// the table, and so does one that begins as the header does: it is a list. A ruled line
// between header and rows does not.
func FindInRow(v *match.View, t match.Table) {
	if t.Sep == ' ' {
		findAligned(v, t)
		return
	}
	if t.Sep == '|' && rule(v.Text[v.Lo:v.Hi]) {
		v.Next.Table = t
		return
	}
	var cells [syntax.MaxColumns]syntax.Span
	row := syntax.Row{Line: &v.Line, Sep: t.Sep}
	first, from := 0, row.Start()
	if t.Open > 0 { // the rest of a cell
		first, from = int(t.Open)-1, v.Lo
		end := bytes.IndexByte(v.Text[v.Lo:v.Hi], '"')
		if end < 0 {
			end = v.Hi - v.Lo
			if t.Lines == 0 {
				return
			}
			v.Next.Table = t
			v.Next.Table.Lines--
		}
		if t.Named.Strength(first) == names.Password {
			v.Add(v.Lo, v.Lo+end, match.RuleAssignment)
		}
		if v.Next.Table.Columns > 0 {
			return
		}
		from += end + 1
	}
	n := row.CellsFrom(from, &cells)
	open := n > 0 && t.Sep != '|' && cells[n-1].Start > v.Lo && v.Text[cells[n-1].Start-1] == '"' && bytes.Count(v.Text[from:v.Hi], []byte{'"'})%2 == 1
	switch {
	case t.Open > 0:
		n += first
	case from-v.Lo != int(t.From), hashOf(v.Text[cells[0].Start:cells[0].End]) == t.First:
		return
	}
	if n != int(t.Columns) && (!open || n > int(t.Columns)) {
		return
	}
	v.Next.Table = t
	if v.Next.Table.Open, v.Next.Table.Lines = 0, 0; open {
		v.Next.Table.Open, v.Next.Table.Lines = uint8(n), maxCellLines
	}
	for i, c := range cells[:n-first] {
		if SecretCell(t.Named.Strength(first+i), v.Text[c.Start:c.End]) {
			v.Add(c.Start, c.End, match.RuleAssignment)
		}
	}
}
