package literal

import "math/bits"

// GroupBytes is the length of a group of windows, RowGroups how many groups of only words,
// small letters with one space between them, make a row: a seed phrase has as many, wherever
// it begins.
const (
	GroupBytes = 16
	RowGroups  = 3
	RowBytes   = RowGroups * GroupBytes
)

// A Scratch has the offsets in a stretch of text that a step of the filter has noted.
type Scratch struct {
	groups  [1 << 8]uint16  // stretch/GroupBytes at most
	windows [1 << 10]uint16 // stretch/pairBytes at most
	others  uint64          // a bit for each of the last groups that has more than words
	rows    []int           // offsets of RowGroups groups in a row that have only words
}

// Rows returns the offsets of RowBytes bytes that have only words, in the text that was
// searched last, as far as it was searched with the table.
func (p *Scratch) Rows() []int { return p.rows }

// begin forgets the rows of another text.
func (p *Scratch) begin() { p.others, p.rows = ^uint64(0), p.rows[:0] }

// noteRows notes where rows are in n groups, whose first begins at i; they and the two
// before them are the last that others has. A group is a pair after its windows.
func (p *Scratch) noteRows(i, n int) {
	o := p.others
	rows := ^(o | o>>1 | o>>2) << (64 - n)
	for rows != 0 {
		k := bits.LeadingZeros64(rows)
		rows &^= 1 << (63 - k)
		p.rows = append(p.rows, i+(k-RowGroups+1)*GroupBytes+pairBytes)
	}
}

// shortText is the most bytes that are searched without the table: commands,
// messages, and the output of most commands.
const shortText = 16 << 10

// beforeTable is how many bytes of a stream are searched without the table: to search
// as many again costs as much as to make the table in a new process.
const beforeTable = 64 << 10

// A Stream is a row of texts that are searched one after another. Its zero value is ready
// to use.
type Stream struct {
	scratch  *Scratch // nil before the first text that needs it
	searched int      // bytes
}

// Scratch returns scratch space for the search in b, the next text of the stream; nil if
// b is short, or among the first of the stream.
func (s *Stream) Scratch(b []byte) *Scratch {
	s.searched += len(b)
	if len(b) <= shortText || s.searched <= beforeTable {
		return nil
	}
	if s.scratch == nil {
		s.scratch = new(Scratch)
	}
	return s.scratch
}
