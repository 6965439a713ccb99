package redact

import "math/bits"

// rowGroups is how many groups of only words make a row that may be of a seed: a phrase
// has as many, wherever it begins.
const (
	rowGroups = 3
	rowBytes  = rowGroups * groupBytes
)

// places are the offsets in a stretch that a step has noted.
type places struct {
	groups  [1 << 8]uint16  // stretch/groupBytes at most
	windows [1 << 10]uint16 // stretch/pairBytes at most
	others  uint64          // a bit for each of the last groups that has more than words
	rows    []int           // where rowGroups groups in a row have only words
}

// begin forgets the rows of another text.
func (p *places) begin() { p.others, p.rows = ^uint64(0), p.rows[:0] }

// noteRows notes where rows are in n groups, whose first begins at i; they and the two
// before them are the last that others has. A group is a pair after its windows.
func (p *places) noteRows(i, n int) {
	o := p.others
	rows := ^(o | o>>1 | o>>2) << (64 - n)
	for rows != 0 {
		k := bits.LeadingZeros64(rows)
		rows &^= 1 << (63 - k)
		p.rows = append(p.rows, i+(k-rowGroups+1)*groupBytes+pairBytes)
	}
}
