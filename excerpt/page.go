package excerpt

import (
	"slices"
	"sort"
)

// pageMost is the most bytes that the command for the next page prints.
const pageMost = 16 << 10

// A lineIndex holds the offsets at which lines of a text begin: of all lines of a short text,
// of every second, fourth, ... of a longer one. The zero value is ready to use.
type lineIndex struct {
	marks   []lineMark
	every   int64 // lines from one mark to the next, at least
	next    int64 // least number of a line that is marked
	skipped bool  // the offsets are estimates
}

// A lineMark is the beginning of a line.
type lineMark struct {
	line int64 // its number, from 1
	off  int64
}

// marksMost is the most marks of a lineIndex.
const marksMost = 8 << 10

// add records that a line, with a higher number than those before, begins at off.
func (x *lineIndex) add(line, off int64) {
	if line < x.next {
		return
	}
	if len(x.marks) == marksMost {
		for i := range marksMost / 2 {
			x.marks[i] = x.marks[2*i]
		}
		x.marks = x.marks[:marksMost/2]
		x.every *= 2
	}
	x.every = max(x.every, 1)
	x.next = line + x.every
	x.marks = append(x.marks, lineMark{line, off})
}

// page returns the part of g around a line in it, of at most pageMost bytes: whole lines, or
// bytes if the index has too few lines there. An eighth of the page precedes the line. begins
// means that the line begins at line.From, which a part of a long line does not.
func (x *lineIndex) page(g, line Gap, begins bool) Gap {
	const before = pageMost / 8
	switch {
	case g.To-g.From <= pageMost:
		return g
	case g.Bytes:
		return bytesPage(g, Gap{First: g.First, Last: g.Last, From: max(g.From, line.From-before)})
	case x.skipped:
		return averagePage(g, line)
	}
	marks := []lineMark{{g.First, g.From}}
	from := sort.Search(len(x.marks), func(i int) bool { return x.marks[i].line > g.First })
	for _, m := range x.marks[from:] {
		if m.line > g.Last {
			break
		}
		if begins && marks[len(marks)-1].line < line.First && line.First < m.line {
			marks = append(marks, lineMark{line.First, line.From})
		}
		marks = append(marks, m)
	}
	if last := marks[len(marks)-1]; begins && last.line < line.First {
		marks = append(marks, lineMark{line.First, line.From})
	}
	marks = append(marks, lineMark{g.Last + 1, g.To})
	at := sort.Search(len(marks), func(i int) bool { return marks[i].line > line.First }) - 1
	first := at
	for first > 0 && line.From-marks[first-1].off <= before {
		first--
	}
	end := lastWithin(marks, marks[first].off)
	if marks[end].line <= line.First {
		first, end = at, lastWithin(marks, marks[at].off)
	}
	if marks[end].line <= line.First {
		return bytesPage(g, line)
	}
	for end == len(marks)-1 && first > 0 && g.To-marks[first-1].off <= pageMost {
		first--
	}
	return Gap{First: marks[first].line, Last: marks[end].line - 1, From: marks[first].off, To: marks[end].off}
}

// lastWithin returns the index of the last mark that is at most pageMost bytes after from.
func lastWithin(marks []lineMark, from int64) int {
	return sort.Search(len(marks), func(i int) bool { return marks[i].off > from+pageMost }) - 1
}

// bytesPage returns a page of bytes of g that begins with line.
func bytesPage(g, line Gap) Gap {
	return Gap{First: line.First, Last: line.First, Bytes: true, From: line.From, To: min(g.To, line.From+pageMost)}
}

// averagePage returns the lines of g around one in it, of about 12 KiB if all lines are equally
// long.
func averagePage(g, line Gap) Gap {
	const most = pageMost * 3 / 4
	average := max(1, (g.To-g.From)/g.Lines())
	lines := max(1, most/average)
	first := max(g.First, line.First-lines/6)
	last := min(g.Last, first+lines-1)
	first = max(g.First, last-lines+1)
	return Gap{First: first, Last: last, From: g.From + (first-g.First)*average, To: min(g.To, g.From+(last+1-g.First)*average)}
}

// firstPage returns the page at the beginning of the largest of gaps.
func (x *lineIndex) firstPage(gaps []Gap) Gap {
	if len(gaps) == 0 {
		return Gap{}
	}
	g := slices.MaxFunc(gaps, func(a, b Gap) int { return int((a.To - a.From) - (b.To - b.From)) })
	return x.page(g, Gap{First: g.First, Last: g.First, From: g.From}, true)
}
