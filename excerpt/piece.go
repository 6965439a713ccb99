package excerpt

import "bytes"

const (
	wholeLine = 1 << 10 // bytes of a line that are one piece
	pieceSize = 256     // bytes of a piece of a longer line

	foldFrom   = 8  // least number of similar lines in a row that are folded
	longestGap = 40 // about how many bytes the line of a gap takes
)

// A piece is a line, or a part of a long one.
type piece struct {
	off  int64     // of its first byte in the text
	raw  int64     // bytes of it in the text, with its newline
	num  int64     // number of its line, from 1
	text []byte    // cleaned, without newline
	run  *lineRun  // the similar lines that it is one of; nil if it is alone or the first
	long *longLine // the line that it is a part of; nil if it is a whole line
	nth  int64     // its number in the run, from 0

	kinds    [rareKinds]uint32
	surprise [rareKinds]uint8
	seen     uint16 // how often a similar line was seen, itself included
	score    int16  // of its words
	mine     int16  // the priority that it has by itself, while the text is not read to its end
	prio     int16
	first    bool // begins its line
	last     bool // ends its line
	located  bool
	unread   bool   // its facts are not here: its own priority is at most the pool's floor
	counted  bool   // only its facts are missing: it has no evidence, and was counted
	lines    uint16 // if not 0, it is a run of so many unread lines, none of which the pool would take
}

// A lineRun is a number of consecutive lines that are similar.
type lineRun struct {
	shape uint32
	n     int64
}

// A linesOfRun is the beginning of a run: its first n lines.
type linesOfRun struct {
	run *lineRun // nil if it is one line
	n   int64
}

// A longLine has more than one piece.
type longLine struct {
	begin, end int64 // offsets of its first byte and past its newline, as far as was read
}

// end returns the offset of the first byte past the piece.
func (p *piece) end() int64 { return p.off + p.raw }

// cutLast removes the last of the lines of a run of unread ones, and returns it, with its text
// cleaned in b.
func (p *piece) cutLast(b *batch) piece {
	from := bytes.LastIndexByte(p.text, '\n') + 1
	text := p.text[from:]
	size := int64(len(text) + 1)
	text, _ = b.cleaned(text)
	p.text = p.text[:from-1]
	p.raw -= size
	p.lines--
	return piece{off: p.end(), num: p.num + int64(p.lines), raw: size, first: true, last: true, text: text, unread: len(text) > 0, counted: p.counted}
}

// folded reports whether p is a line in the middle of a run of similar lines that is
// long enough to be replaced by a gap.
func (p *piece) folded() bool {
	r := p.run
	return r != nil && r.n >= foldFrom && p.nth > 0 && p.nth < r.n-1 &&
		(r.n-2)*int64(len(p.text)+1) > longestGap
}
