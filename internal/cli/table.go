package cli

import (
	"bytes"
	"slices"
	"strings"
)

// A column says how the cells of a table are shown where they are too wide for
// a terminal.
type column struct {
	name  string // over the cells, on a terminal; "" is none
	right bool   // cells stand at the right end
	// fit is what becomes of a cell that has less room than it takes.
	fit fitting
	// least is what an elastic column keeps at least.
	least int
	// spare is whether the column may go where there is no room for all.
	spare bool
	// short spells a cell in fewer characters; nil is not at all.
	short func(string) string
}

type fitting int

const (
	rigid   fitting = iota // it keeps its width
	clipped                // it ends with an ellipsis
	folded                 // it goes on in the next line
)

// gap stands between two columns.
const gap = "  "

// A table is rows of texts in columns.
type table struct {
	columns []column
	rows    [][]string
	gap     string // "" is the usual one
}

func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

// write draws the table as s shows it. On a terminal no line is wider than
// that, and columns have their names above; elsewhere every cell is whole.
func (t *table) write(b *strings.Builder, s screen) {
	if len(t.rows) == 0 {
		return
	}
	if s.width == 0 {
		t.plain(b)
		return
	}
	t.heads()
	widths := t.natural()
	if t.total(widths) > s.width {
		t.shorten()
		widths = t.natural()
	}
	for t.total(widths) > s.width && !t.shrink(widths, s.width) {
		if !t.drop() {
			break
		}
		widths = t.natural()
	}
	t.draw(b, widths, s)
}

// heads puts the names of the columns above the rows, where there are any.
func (t *table) heads() {
	names := make([]string, len(t.columns))
	for i, c := range t.columns {
		names[i] = c.name
	}
	if strings.Join(names, "") != "" {
		t.rows = append([][]string{names}, t.rows...)
	}
}

// natural are the widths that the cells take.
func (t *table) natural() []int {
	widths := make([]int, len(t.columns))
	for _, row := range t.rows {
		for i, cell := range row {
			widths[i] = max(widths[i], textWidth(cell))
		}
	}
	return widths
}

func (t *table) total(widths []int) int {
	n := len(firstOf(t.gap, gap)) * (len(widths) - 1)
	for _, w := range widths {
		n += w
	}
	return n
}

func (t *table) shorten() {
	for i, c := range t.columns {
		for _, row := range t.rows {
			if c.short != nil {
				row[i] = c.short(row[i])
			}
		}
	}
}

// shrink takes from the widest elastic column again and again, and reports
// whether that was enough.
func (t *table) shrink(widths []int, limit int) bool {
	for n := t.total(widths); n > limit; n-- {
		widest := -1
		for i, c := range t.columns {
			if c.fit != rigid && widths[i] > c.least && (widest < 0 || widths[i] >= widths[widest]) {
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

// drop takes the last spare column away, and reports whether there was one.
func (t *table) drop() bool {
	for i, c := range slices.Backward(t.columns) {
		if !c.spare {
			continue
		}
		t.columns = append(t.columns[:i:i], t.columns[i+1:]...)
		for r, row := range t.rows {
			t.rows[r] = append(row[:i:i], row[i+1:]...)
		}
		return true
	}
	return false
}

// plain writes whole cells, a line a row: what a file or a pipe gets, be it of
// a hundred thousand rows.
func (t *table) plain(b *strings.Builder) {
	widths := t.natural()
	blanks := strings.Repeat(" ", slices.Max(widths))
	var line []byte
	for _, row := range t.rows {
		line = line[:0]
		for i, cell := range row {
			if i > 0 {
				line = append(line, firstOf(t.gap, gap)...)
			}
			room := blanks[:widths[i]-textWidth(cell)]
			if t.columns[i].right {
				line = append(append(line, room...), cell...)
			} else {
				line = append(append(line, cell...), room...)
			}
		}
		b.Write(bytes.TrimRight(line, " "))
		b.WriteByte('\n')
	}
}

// draw writes each row in as many lines as its folded cells take.
func (t *table) draw(b *strings.Builder, widths []int, s screen) {
	named := s.width > 0 && t.columns[0].name != ""
	for r, row := range t.rows {
		cells := make([][]string, len(row))
		height := 1
		for i, cell := range row {
			cells[i] = t.columns[i].cut(cell, widths[i], s.width > 0)
			height = max(height, len(cells[i]))
		}
		for n := range height {
			line := t.line(cells, widths, n)
			if s.width > 0 {
				line = clip(line, s.width)
			}
			if named && r == 0 {
				line = s.bold(line)
			}
			b.WriteString(line)
			b.WriteByte('\n')
		}
	}
}

// cut makes a cell fit its column, as lines.
func (c *column) cut(cell string, width int, bounded bool) []string {
	switch {
	case !bounded || textWidth(cell) <= width:
		return []string{cell}
	case c.fit == folded:
		return fold(cell, width)
	}
	return []string{clip(cell, width)}
}

// line is line n of a row, without blanks at its end.
func (t *table) line(cells [][]string, widths []int, n int) string {
	var b strings.Builder
	for i, c := range t.columns {
		cell := ""
		if n < len(cells[i]) {
			cell = cells[i][n]
		}
		room := strings.Repeat(" ", max(widths[i]-textWidth(cell), 0))
		if i > 0 {
			b.WriteString(firstOf(t.gap, gap))
		}
		if c.right {
			b.WriteString(room + cell)
		} else {
			b.WriteString(cell + room)
		}
	}
	return strings.TrimRight(b.String(), " ")
}

// fold breaks a text into lines of at most width columns: at blanks where it
// can, within a word that is too long for a line of its own.
func fold(text string, width int) []string {
	var lines []string
	line := ""
	for word := range strings.FieldsSeq(text) {
		switch {
		case line == "":
			line = word
		case textWidth(line)+1+textWidth(word) <= width:
			line += " " + word
		default:
			lines = append(lines, line)
			line = word
		}
		for textWidth(line) > width && width > 1 {
			part := head(line, width)
			lines = append(lines, part)
			line = line[len(part):]
		}
	}
	return append(lines, line)
}
