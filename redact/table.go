package redact

import "bytes"

// A table is what the header of comma-separated values leaves to its rows.
type table struct {
	columns uint8  // how many there are, 0 outside of a table
	secret  uint16 // a bit for each whose name is telling
	strong  uint16 // a bit for each that is a password
}

const (
	minColumns = 2
	maxColumns = 16
	maxName    = 40 // of a column
)

// tableHeader notes that the line is the header of comma-separated values
// (RFC 4180) with a secret column, if it is.
func (v *view) tableHeader() {
	if v.oneHeader || v.cutLeft || v.cutRight || is(v.text[v.lo], blank) {
		return
	}
	v.oneHeader = true
	var t table
	for i := v.lo; ; {
		end := v.cell(i)
		name := bytes.Trim(v.text[i:end], " \"")
		if len(name) == 0 || len(name) > maxName || run(name, word|dash|blank) < len(name) || t.columns == maxColumns {
			return
		}
		switch strengthOf(bytes.ReplaceAll(name, []byte(" "), []byte("_")), nil) {
		case password:
			t.strong |= 1 << t.columns
		case telling:
			t.secret |= 1 << t.columns
		}
		t.columns++
		if end >= v.hi {
			break
		}
		i = end + 1
	}
	if t.columns >= minColumns && t.secret|t.strong != 0 {
		v.next.table = t
	}
}

// tableRow looks at a row of comma-separated values; one with more or fewer
// cells ends the table.
func (v *view) tableRow(t table) {
	var cells [maxColumns]span
	n := 0
	for i := v.lo; ; n++ {
		end := v.cell(i)
		if n == int(t.columns) {
			return
		}
		cells[n] = span{start: i, end: end}
		if end >= v.hi {
			break
		}
		i = end + 1
	}
	if n++; n != int(t.columns) {
		return
	}
	v.next.table = t
	for i, c := range cells[:n] {
		for c.start < c.end && (v.text[c.start] == ' ' || v.text[c.start] == '"') {
			c.start++
		}
		for c.end > c.start && (v.text[c.end-1] == ' ' || v.text[c.end-1] == '"') {
			c.end--
		}
		cell := traitsOf(v.text[c.start:c.end])
		if cell.n < 6 || cell.spaces > 0 || cell.placeholder() {
			continue
		}
		if t.strong>>i&1 != 0 && (cell.digits > 0 && !mentions(cell.b) || cell.random(6)) || t.secret>>i&1 != 0 && cell.random(8) {
			v.add(c.start, c.end, ruleAssignment)
		}
	}
}

// cell is the end of the cell at i: a comma that is in no quotes, or the end of
// the line.
func (v *view) cell(i int) int {
	quoted := false
	for ; i < v.hi; i++ {
		switch v.text[i] {
		case '"':
			quoted = !quoted
		case ',':
			if !quoted {
				return i
			}
		}
	}
	return v.hi
}
