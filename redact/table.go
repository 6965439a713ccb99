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
	maxColumns = 16
	maxName    = 40 // of a column
)

// tableHeader notes that the line is the header of a table with a secret
// column, if it is: values with commas, semicolons or tabs between them (RFC
// 4180), or a table of Markdown or of a database client. The name of a column
// ends at end.
func (v *view) tableHeader(start, end int) {
	if v.oneHeader || v.cutLeft || v.cutRight {
		return
	}
	sep := v.separator(start, end)
	if sep == 0 {
		return
	}
	line := v.Text[v.tableStart(sep):v.Hi]
	switch first := line[0]; {
	case sep != '|' && ascii.Is(first, ascii.Blank) && bytes.ContainsAny(bytes.TrimLeft(line, " \t"), " \t"):
		return // of a program, as it is indented
	case !ascii.Is(first, ascii.Word|ascii.Dash|ascii.Blank) && first != sep && !syntax.IsQuote(first):
		return // most of JSON
	}
	v.oneHeader = true
	var cells [maxColumns]syntax.Span
	n := v.cells(sep, &cells)
	t := table{from: uint16(v.tableStart(sep) - v.Lo), sep: sep, columns: uint8(n), first: hashOf(v.Text[cells[0].Start:cells[0].End])}
	for i, c := range cells[:n] {
		name := v.Text[c.Start:c.End]
		if len(name) == 0 || len(name) > maxName || ascii.Run(name, ascii.Word|ascii.Dash|ascii.Blank) < len(name) || ascii.Run(name, ascii.Digit) == len(name) {
			return
		}
		switch names.StrengthOf(bytes.ReplaceAll(name, []byte(" "), []byte("_")), nil) {
		case names.Password:
			t.strong |= 1 << i
		case names.Telling:
			t.secret |= 1 << i
		}
	}
	if n >= minColumns && t.secret|t.strong != 0 {
		v.next.table = t
	}
}

// tableStart returns where the line of a table begins, after what a log, a diff or an
// answer to a mail has before each line.
func (v *view) tableStart(sep byte) int {
	if sep == '|' {
		return v.Lo + min(ascii.Run(v.Text[v.Lo:v.Hi], ascii.Plus), 1)
	}
	i := v.Hi - len(syntax.Unprefixed(v.Text[v.Lo:v.Hi]))
	if i+1 < v.Hi && v.Text[i] == '+' {
		return i + 1
	}
	if bytes.HasPrefix(v.Text[i:v.Hi], []byte("> ")) {
		i += len("> ")
	}
	return max(v.Lo, min(i, v.Hi-1))
}

// separator returns the sign between the cells of a table, of which the name
// v.Text[start:end] is one; 0 is none.
func (v *view) separator(start, end int) byte {
	for end < v.Hi && (syntax.IsQuote(v.Text[end]) || v.Text[end] == ' ') {
		end++
	}
	if end < v.Hi {
		return separatorOf(v.Text[end])
	}
	for start > v.Lo && (syntax.IsQuote(v.Text[start-1]) || v.Text[start-1] == ' ') {
		start--
	}
	if start > v.Lo {
		return separatorOf(v.Text[start-1])
	}
	return 0
}

func separatorOf(c byte) byte {
	switch c {
	case ',', ';', '\t', '|':
		return c
	}
	return 0
}

// tableRow looks at a row of a table; one with more or fewer cells ends it, and so
// does one that begins as the header does: it is a list. A line of signs between
// header and rows does not.
func (v *view) tableRow(t table) {
	if t.sep == '|' && rule(v.Text[v.Lo:v.Hi]) {
		v.next.table = t
		return
	}
	var cells [maxColumns]syntax.Span
	n := v.cells(t.sep, &cells)
	if v.tableStart(t.sep)-v.Lo != int(t.from) || n != int(t.columns) || hashOf(v.Text[cells[0].Start:cells[0].End]) == t.first {
		return
	}
	v.next.table = t
	for i, c := range cells[:n] {
		st := names.Silent
		switch {
		case t.strong>>i&1 != 0:
			st = names.Password
		case t.secret>>i&1 != 0:
			st = names.Telling
		}
		if v.secretCell(st, v.Text[c.Start:c.End]) {
			v.add(c.Start, c.End, ruleAssignment)
		}
	}
}

// secretCell reports whether b, of a column with a name of this strength, is
// secret.
func (v *view) secretCell(st names.Strength, b []byte) bool {
	t := value.TraitsOf(b)
	switch {
	case t.Len < 6 || t.Spaces > 0 || t.Placeholder() || t.Path():
		return false
	case st == names.Password:
		return t.Digits > 0 && !value.Mentions(t.Bytes) || t.Random(6) || t.Coined()
	}
	return st == names.Telling && (t.Random(8) || t.UUID())
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

// cells finds the cells of the line, without quotes and spaces around them. It
// returns 0 where there are more than fit.
func (v *view) cells(sep byte, cells *[maxColumns]syntax.Span) int {
	from, to := v.tableStart(sep), v.Hi
	if sep == '|' { // a bar at either end is of the frame
		for to > from && v.Text[to-1] == ' ' {
			to--
		}
		if from < to && v.Text[from] == '|' {
			from++
		}
		if from < to && v.Text[to-1] == '|' {
			to--
		}
	}
	for n := range maxColumns {
		end := v.cell(sep, from, to)
		c := syntax.Span{Start: from, End: end}
		for c.Start < c.End && (v.Text[c.Start] == ' ' || syntax.IsQuote(v.Text[c.Start])) {
			c.Start++
		}
		for c.End > c.Start && (v.Text[c.End-1] == ' ' || syntax.IsQuote(v.Text[c.End-1])) {
			c.End--
		}
		cells[n] = c
		if end >= to {
			return n + 1
		}
		from = end + 1
	}
	return 0
}

// cell returns the end of the cell of v.Text[i:to] that begins at i: a separator
// that is in no quotes, or to.
func (v *view) cell(sep byte, i, to int) int {
	quoted := false
	for ; i < to; i++ {
		switch v.Text[i] {
		case '"':
			quoted = !quoted
		case sep:
			if !quoted {
				return i
			}
		}
	}
	return to
}
