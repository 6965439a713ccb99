package redact

import "math/bits"

// rowGroups is how many groups of only words make a row that may be of a seed: a phrase
// has as many, wherever it begins.
const (
	rowGroups = 3
	rowBytes  = rowGroups * groupBytes
)

// enterOthers marks the pairs that words with one space between them do not have. All
// begin what these end.
func (t *pairTable) enterOthers() {
	for x := range t.begin {
		t.begin[x] |= otherPair
		t.end[x] |= otherPair
	}
	for x := byte('a'); x <= 'z'; x++ {
		t.end[pair16(x, ' ')] &^= otherPair
		t.end[pair16(' ', x)] &^= otherPair
		for y := byte('a'); y <= 'z'; y++ {
			t.end[pair16(x, y)] &^= otherPair
		}
	}
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
