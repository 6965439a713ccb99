package redact

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/ascii"
	"github.com/envwrap/envwrap/redact/internal/names"
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
	line := v.text[v.tableStart(sep):v.hi]
	switch first := line[0]; {
	case sep != '|' && ascii.Is(first, ascii.Blank) && bytes.ContainsAny(bytes.TrimLeft(line, " \t"), " \t"):
		return // of a program, as it is indented
	case !ascii.Is(first, ascii.Word|ascii.Dash|ascii.Blank) && first != sep && !isQuote(first):
		return // most of JSON
	}
	v.oneHeader = true
	var cells [maxColumns]span
	n := v.cells(sep, &cells)
	t := table{from: uint16(v.tableStart(sep) - v.lo), sep: sep, columns: uint8(n), first: hashOf(v.text[cells[0].start:cells[0].end])}
	for i, c := range cells[:n] {
		name := v.text[c.start:c.end]
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
		return v.lo + min(ascii.Run(v.text[v.lo:v.hi], ascii.Plus), 1)
	}
	i := v.hi - len(unprefixed(v.text[v.lo:v.hi]))
	if i+1 < v.hi && v.text[i] == '+' {
		return i + 1
	}
	if bytes.HasPrefix(v.text[i:v.hi], []byte("> ")) {
		i += len("> ")
	}
	return max(v.lo, min(i, v.hi-1))
}

// separator returns the sign between the cells of a table, of which the name
// v.text[start:end] is one; 0 is none.
func (v *view) separator(start, end int) byte {
	for end < v.hi && (isQuote(v.text[end]) || v.text[end] == ' ') {
		end++
	}
	if end < v.hi {
		return separatorOf(v.text[end])
	}
	for start > v.lo && (isQuote(v.text[start-1]) || v.text[start-1] == ' ') {
		start--
	}
	if start > v.lo {
		return separatorOf(v.text[start-1])
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
	if t.sep == '|' && rule(v.text[v.lo:v.hi]) {
		v.next.table = t
		return
	}
	var cells [maxColumns]span
	n := v.cells(t.sep, &cells)
	if v.tableStart(t.sep)-v.lo != int(t.from) || n != int(t.columns) || hashOf(v.text[cells[0].start:cells[0].end]) == t.first {
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
		if v.secretCell(st, v.text[c.start:c.end]) {
			v.add(c.start, c.end, ruleAssignment)
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
func (v *view) cells(sep byte, cells *[maxColumns]span) int {
	from, to := v.tableStart(sep), v.hi
	if sep == '|' { // a bar at either end is of the frame
		for to > from && v.text[to-1] == ' ' {
			to--
		}
		if from < to && v.text[from] == '|' {
			from++
		}
		if from < to && v.text[to-1] == '|' {
			to--
		}
	}
	for n := range maxColumns {
		end := v.cell(sep, from, to)
		c := span{start: from, end: end}
		for c.start < c.end && (v.text[c.start] == ' ' || isQuote(v.text[c.start])) {
			c.start++
		}
		for c.end > c.start && (v.text[c.end-1] == ' ' || isQuote(v.text[c.end-1])) {
			c.end--
		}
		cells[n] = c
		if end >= to {
			return n + 1
		}
		from = end + 1
	}
	return 0
}

// cell returns the end of the cell of v.text[i:to] that begins at i: a separator
// that is in no quotes, or to.
func (v *view) cell(sep byte, i, to int) int {
	quoted := false
	for ; i < to; i++ {
		switch v.text[i] {
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
