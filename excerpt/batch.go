package excerpt

import "unicode/utf8"

// A batch is a stretch of the text, and its pieces, which point into it.
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

// fresh returns an empty batch.
func (w *Writer) fresh() *batch {
	b := w.spare
	w.spare = nil
	if b == nil {
		b = &batch{raw: make([]byte, 0, batchSize)}
	}
	b.raw, b.clean, b.pieces = b.raw[:0], b.clean[:0], b.pieces[:0]
	return b
}

// keep takes a batch that was read: as one of the first or of the last. What
// is about to be forgotten may stay in the pool.
func (w *Writer) keep(b *batch) {
	if w.headBytes < w.max() {
		w.heads = append(w.heads, b)
		w.headBytes += len(b.raw)
		return
	}
	w.tails = append(w.tails, b)
	w.tailSize += len(b.raw)
	if old := w.tails[0]; len(w.tails) > 2 && w.tailSize-len(old.raw) >= w.max() {
		rank(old.pieces, w.tails[1].pieces, &w.warmth, nil)
		for i := range old.pieces {
			w.pool.add(&old.pieces[i])
		}
		w.tails = append(w.tails[:0], w.tails[1:]...)
		w.tailSize -= len(old.raw)
		w.spare = old
	}
}

func last(list []*batch) *batch {
	if len(list) == 0 {
		return nil
	}
	return list[len(list)-1]
}
