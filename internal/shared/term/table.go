package term

import (
	"bytes"
	"cmp"
	"io"
	"slices"
	"strings"
)

// A Column describes how the cells of a column are shown on a terminal.
type Column struct {
	Name  string // heading on a terminal; "" if it has none
	Right bool   // cells are right-aligned
	// Fit says what happens to a cell that is too wide.
	Fit fitting
	// Least is the least width of an elastic column.
	Least int
	// Optional columns are left out if there is no room for all.
	Optional bool
	// Short, if not nil, returns a cell in fewer characters.
	Short func(string) string
}

type fitting int

const (
	rigid   fitting = iota // it keeps its width
	Clipped                // it ends with an ellipsis
	Folded                 // it goes on in the next line
)

// Gap is the text between two columns.
const Gap = "  "

// A Table is text in rows and columns.
type Table struct {
	Columns []Column
	Rows    [][]string
	Gap     string // "" is the usual one
	// Each, if not nil, yields the rows instead, so that a large table need not be in
	// memory. It may be called several times. The cells are valid until the next row.
	Each func(add func(cells ...string))
}

// Add adds a row.
func (t *Table) Add(cells ...string) { t.Rows = append(t.Rows, cells) }

// Write writes the table for s. On a terminal it has headings, and no line is wider
// than the terminal; otherwise all cells are whole.
func (t *Table) Write(b *strings.Builder, s Screen) {
	if s.Width == 0 {
		_ = t.Plain(b) // a Builder has no error
		return
	}
	if t.Each != nil {
		t.Each(func(cells ...string) { t.Add(slices.Clone(cells)...) })
	}
	if len(t.Rows) == 0 {
		return
	}
	t.heads()
	widths := t.natural()
	if t.total(widths) > s.Width {
		t.shorten()
		widths = t.natural()
	}
	for t.total(widths) > s.Width && !t.shrink(widths, s.Width) {
		if !t.drop() {
			break
		}
		widths = t.natural()
	}
	t.draw(b, widths, s)
}

// heads puts the names of the columns above the rows, where there are any.
func (t *Table) heads() {
	names := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		names[i] = c.Name
	}
	if strings.Join(names, "") != "" {
		t.Rows = append([][]string{names}, t.Rows...)
	}
}

// natural returns the widths that the cells take.
func (t *Table) natural() []int {
	widths := make([]int, len(t.Columns))
	t.each(func(row ...string) {
		for i, cell := range row {
			widths[i] = max(widths[i], textWidth(cell))
		}
	})
	return widths
}

// each calls do with each row.
func (t *Table) each(do func(row ...string)) {
	if t.Each != nil && len(t.Rows) == 0 {
		t.Each(do)
	}
	for _, row := range t.Rows {
		do(row...)
	}
}

func (t *Table) total(widths []int) int {
	n := len(cmp.Or(t.Gap, Gap)) * (len(widths) - 1)
	for _, w := range widths {
		n += w
	}
	return n
}

func (t *Table) shorten() {
	for i, c := range t.Columns {
		for _, row := range t.Rows {
			if c.Short != nil {
				row[i] = c.Short(row[i])
			}
		}
	}
}

// shrink takes from the widest elastic column again and again, and reports
// whether that was enough.
func (t *Table) shrink(widths []int, limit int) bool {
	for n := t.total(widths); n > limit; n-- {
		widest := -1
		for i, c := range t.Columns {
			if c.Fit != rigid && widths[i] > c.Least && (widest < 0 || widths[i] >= widths[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			return false
		}
		widths[widest]--
	}
	return true
}

// drop takes the last optional column away, and reports whether there was one.
func (t *Table) drop() bool {
	for i, c := range slices.Backward(t.Columns) {
		if !c.Optional {
			continue
		}
		t.Columns = append(t.Columns[:i:i], t.Columns[i+1:]...)
		for r, row := range t.Rows {
			t.Rows[r] = append(row[:i:i], row[i+1:]...)
		}
		return true
	}
	return false
}

// mostPadding is the width that shorter cells of a column are filled up to in a file or
// a pipe, where a cell may have any length.
const mostPadding = 80

// Plain writes the table for a file or a pipe: a line for each row, with all cells
// whole.
func (t *Table) Plain(w io.Writer) (err error) {
	widths := t.natural()
	blanks := strings.Repeat(" ", mostPadding)
	var line []byte
	t.each(func(row ...string) {
		line = line[:0]
		for i, cell := range row {
			if i > 0 {
				line = append(line, cmp.Or(t.Gap, Gap)...)
			}
			room := blanks[:max(0, min(widths[i], mostPadding)-textWidth(cell))]
			if t.Columns[i].Right {
				line = append(append(line, room...), cell...)
			} else {
				line = append(append(line, cell...), room...)
			}
		}
		line = append(bytes.TrimRight(line, " "), '\n')
		if err == nil {
			_, err = w.Write(line)
		}
	})
	return err
}

// draw writes each row in as many lines as its folded cells take.
func (t *Table) draw(b *strings.Builder, widths []int, s Screen) {
	named := t.Columns[0].Name != ""
	for r, row := range t.Rows {
		cells := make([][]string, len(row))
		height := 1
		for i, cell := range row {
			cells[i] = t.Columns[i].cut(cell, widths[i])
			height = max(height, len(cells[i]))
		}
		for n := range height {
			line := clip(t.line(cells, widths, n), s.Width)
			if named && r == 0 {
				line = s.bold(line)
			}
			b.WriteString(line)
			b.WriteByte('\n')
		}
	}
}

// cut makes a cell fit its column, as lines.
func (c *Column) cut(cell string, width int) []string {
	switch {
	case textWidth(cell) <= width:
		return []string{cell}
	case c.Fit == Folded:
		return fold(cell, width)
	}
	return []string{clip(cell, width)}
}

// line is line n of a row, without blanks at its end.
func (t *Table) line(cells [][]string, widths []int, n int) string {
	var b strings.Builder
	for i, c := range t.Columns {
		cell := ""
		if n < len(cells[i]) {
			cell = cells[i][n]
		}
		room := strings.Repeat(" ", max(widths[i]-textWidth(cell), 0))
		if i > 0 {
			b.WriteString(cmp.Or(t.Gap, Gap))
		}
		if c.Right {
			b.WriteString(room + cell)
		} else {
			b.WriteString(cell + room)
		}
	}
	return strings.TrimRight(b.String(), " ")
}
