package excerpt

import "unicode/utf8"

const batchSize = 64 << 10 // bytes that are read at a time

// A batch is a part of the text, with its pieces, which point into it.
type batch struct {
	raw    []byte
	clean  []byte
	pieces []piece
}

// cleaned returns line as the excerpt shows it: line itself, or a copy in b.
func (b *batch) cleaned(line []byte) (text []byte, red bool) {
	if isPlain(line) {
		return line, false
	}
	if need := utf8.UTFMax * len(line); cap(b.clean)-len(b.clean) < need {
		b.clean = make([]byte, 0, max(need, batchSize))
	}
	from := len(b.clean)
	b.clean, red = appendClean(b.clean, line)
	return b.clean[from:len(b.clean):len(b.clean)], red
}

// add makes room for another piece.
func (b *batch) add() *piece {
	b.pieces = append(b.pieces, piece{})
	return &b.pieces[len(b.pieces)-1]
}

func lastBatch(list []*batch) *batch {
	if len(list) == 0 {
		return nil
	}
	return list[len(list)-1]
}
