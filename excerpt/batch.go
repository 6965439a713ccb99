package excerpt

import (
	"cmp"
	"slices"
	"unicode/utf8"
)

const (
	batchSize   = 32 << 10 // bytes that are read at a time
	batchPieces = 4 << 10  // pieces of a batch, if lines are whole: a text of empty lines has one for each byte
)

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

// A batches holds the batch that is being read, the first and the last ones that were, and
// the best pieces of those between.
type batches struct {
	cur *batch

	heads, tails        []*batch
	headBytes, tailSize int
	pool                pool
	warmth              [linesAfter]int // shares of the priority of the last pieces that the next ones get
	free                *batch
}

// fresh returns an empty batch.
func (k *batches) fresh() *batch {
	b := k.free
	k.free = nil
	if b == nil {
		b = &batch{raw: make([]byte, 0, batchSize)}
	}
	b.raw, b.clean, b.pieces = b.raw[:0], b.clean[:0], b.pieces[:0]
	return b
}

// keep stores a batch that was read: as one of the first, if they have fewer than most
// bytes, or as one of the last. Pieces of a batch that is dropped may stay in the pool.
func (k *batches) keep(b *batch, most int) {
	if k.headBytes < most {
		k.heads = append(k.heads, b)
		k.headBytes += len(b.raw)
		return
	}
	k.tails = append(k.tails, b)
	k.tailSize += len(b.raw)
	if old := k.tails[0]; len(k.tails) > 2 && k.tailSize-len(old.raw) >= most {
		rankPieces(old.pieces, k.tails[1].pieces, &k.warmth, nil)
		for i := range old.pieces {
			k.pool.add(&old.pieces[i])
		}
		k.tails = append(k.tails[:0], k.tails[1:]...)
		k.tailSize -= len(old.raw)
		k.free = old
	}
}

// preceding returns up to n pieces before the one that was read last, the nearest
// first.
func (k *batches) preceding(n int) []*piece {
	var ps []*piece
	skip := 1
	for _, b := range []*batch{k.cur, lastBatch(k.tails), lastBatch(k.heads)} {
		if b == nil {
			continue
		}
		for i := len(b.pieces) - 1 - skip; i >= 0 && len(ps) < n; i-- {
			ps = append(ps, &b.pieces[i])
		}
		skip = 0
		if len(ps) == n || b == lastBatch(k.tails) {
			break
		}
	}
	return ps
}

// all returns a copy of all pieces that are still in memory, in the order of the text.
func (k *batches) all() []piece {
	var ps []piece
	for _, b := range k.heads {
		ps = append(ps, b.pieces...)
	}
	n := len(ps)
	ps = append(ps, k.pool.heap...)
	slices.SortFunc(ps[n:], func(a, b piece) int { return cmp.Compare(a.off, b.off) })
	for _, b := range k.tails {
		ps = append(ps, b.pieces...)
	}
	if k.cur != nil {
		ps = append(ps, k.cur.pieces...)
	}
	return ps
}

// lastPiece returns the piece that was read last.
func (k *batches) lastPiece() *piece {
	for _, b := range []*batch{k.cur, lastBatch(k.tails), lastBatch(k.heads)} {
		if b != nil && len(b.pieces) > 0 {
			return &b.pieces[len(b.pieces)-1]
		}
	}
	return new(piece)
}

func lastBatch(list []*batch) *batch {
	if len(list) == 0 {
		return nil
	}
	return list[len(list)-1]
}
