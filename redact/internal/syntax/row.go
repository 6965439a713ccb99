package syntax

import (
	"bytes"

	"github.com/envwrap/envwrap/redact/internal/ascii"
)

// MaxColumns is the most cells of a row.
const MaxColumns = 16

// A Row is a line of a table, with Sep between its cells: a comma, semicolon, tab or bar.
type Row struct {
	*Line
	Sep byte
}

// aroundCell are the signs around a cell that do not belong to it.
const aroundCell = "\"'` "

// Separator returns the sign between the cells of a table, of which the name is one; 0 if
// none exists.
func (n Name) Separator() byte {
	if after := bytes.TrimLeft(n.Text[n.End:n.Hi], aroundCell); len(after) > 0 {
		return separatorOf(after[0])
	}
	if before := bytes.TrimRight(n.Text[n.Lo:n.Start], aroundCell); len(before) > 0 {
		return separatorOf(before[len(before)-1])
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

// Start returns the offset of the row after the prefix of a log, a diff or an answer to a
// mail.
func (r Row) Start() int {
	if r.Sep == '|' {
		return r.Lo + min(ascii.Run(r.Text[r.Lo:r.Hi], ascii.Plus), 1)
	}
	i := r.PrefixEnd()
	if i+1 < r.Hi && r.Text[i] == '+' {
		return i + 1
	}
	if bytes.HasPrefix(r.Text[i:r.Hi], []byte("> ")) {
		i += len("> ")
	}
	return max(r.Lo, min(i, r.Hi-1))
}

// Cells sets cells to the cells of the row, without quotes and spaces around them, and
// returns their number; 0 if there are more than fit.
func (r Row) Cells(cells *[MaxColumns]Span) int { return r.CellsFrom(r.Start(), cells) }

// CellsFrom is Cells for the part of the row from the offset from on.
func (r Row) CellsFrom(from int, cells *[MaxColumns]Span) int {
	to := r.Hi
	if r.Sep == '|' { // a bar at either end is of the frame
		to = from + len(bytes.TrimRight(r.Text[from:max(from, to)], " "))
		if from < to && r.Text[from] == '|' {
			from++
		}
		if from < to && r.Text[to-1] == '|' {
			to--
		}
	}
	for n := range MaxColumns {
		end := r.cell(from, to)
		b := bytes.TrimLeft(r.Text[from:end], aroundCell)
		cells[n] = Span{Start: end - len(b), End: end - len(b) + len(bytes.TrimRight(b, aroundCell))}
		if end >= to {
			return n + 1
		}
		from = end + 1
	}
	return 0
}

// cell returns the end of the cell of Text[i:to] that begins at i: a separator that is in
// no quotes, or to.
func (r Row) cell(i, to int) int {
	quoted := false
	for ; i < to; i++ {
		switch r.Text[i] {
		case '"':
			quoted = !quoted
		case r.Sep:
			if !quoted {
				return i
			}
		}
	}
	return to
}
