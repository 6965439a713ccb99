package excerpt

import (
	"bytes"
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
	raw        []byte // whole lines, and what was read of the next one
	whole      int    // bytes of the whole lines
	skip, part int    // bytes after them that a carriage return discarded, and those after that which are read as a part of a long line
	clean      []byte
	pieces     []piece
	hidden     int // lines of the runs of unread lines, without the first line of each

	run       lineRun // of the last line before the batch
	sharedRun *lineRun

	sifted
	next int // index in lines of the one that is read next
}

// endLines finds the whole lines.
func (b *batch) endLines() { b.whole = bytes.LastIndexByte(b.raw, '\n') + 1 }

// cutAt moves what follows the first n bytes, which are whole lines, to next.
func (b *batch) cutAt(n int, next *batch) {
	next.raw = append(next.raw, b.raw[n:]...)
	next.whole, next.skip, next.part = b.whole-n, b.skip, b.part
	b.raw, b.whole, b.skip, b.part = b.raw[:n], n, 0, 0
}

// cleaned returns line as the excerpt shows it: line itself, or a copy in b.
func (b *batch) cleaned(line []byte) (text []byte, red bool) {
	if isPlain(line) {
		return line, false
	}
	return b.cleanedCopy(line)
}

// cleanedCopy returns a copy of line, in b, as the excerpt shows it.
func (b *batch) cleanedCopy(line []byte) (text []byte, red bool) {
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

// addRun adds unread lines, text, to the run of such lines that they follow or, if known is false,
// to a new one, and returns it.
func (b *batch) addRun(text []byte, lines int, counted bool) (p *piece, known bool) {
	if n := len(b.pieces); n > 0 && b.pieces[n-1].lines > 0 && b.pieces[n-1].counted == counted {
		p, known = &b.pieces[n-1], true
		p.text = p.text[:len(p.text)+1+len(text)]
		b.hidden++
	} else {
		p = b.add()
		p.text = text
	}
	p.lines += uint16(lines)
	b.hidden += lines - 1
	return p, known
}

// split makes pieces of the last n lines of piece i, or of all that it has. It returns
// their number.
func (b *batch) split(i, n int) int {
	lines := int(b.pieces[i].lines)
	if lines == 0 {
		return 1
	}
	n = min(n, lines)
	var room [linesBefore]piece
	rest := min(n, lines-1)
	b.pieces = slices.Insert(b.pieces, i+1, room[:rest]...)
	p := &b.pieces[i]
	for j := i + rest; j > i; j-- {
		b.pieces[j] = p.cutLast(b)
	}
	b.hidden -= rest
	if n == lines {
		p.lines = 0
		p.text, _ = b.cleaned(p.text)
	}
	return n
}

// splitAll makes a piece of each line.
func (b *batch) splitAll() {
	all := make([]piece, 0, len(b.pieces)+b.hidden)
	for _, p := range b.pieces {
		lines := int(p.lines)
		all = append(all, p)
		if lines == 0 {
			continue
		}
		all = all[:len(all)+lines-1]
		first := &all[len(all)-lines]
		for j := range lines - 1 {
			all[len(all)-1-j] = first.cutLast(b)
		}
		first.lines = 0
		first.text, _ = b.cleaned(first.text)
		first.unread = len(first.text) > 0
	}
	b.pieces, b.hidden = all, 0
}

// A batches holds the batch that is being read, the first and the last ones that were, and
// the best pieces of those between.
type batches struct {
	cur *batch

	heads, tails        []*batch
	headBytes, tailSize int
	pool                pool
	warmth              [linesAfter]int // shares of the priority of the last pieces that the next ones get

	free   chan *batch // empty, without room for pieces
	pieces []piece     // that room, and clean, of the batch that was dropped last
	clean  []byte
}

// freeBatches is the most empty batches that are kept for later.
const freeBatches = 5

// fresh returns an empty batch.
func (k *batches) fresh() *batch {
	select {
	case b := <-k.free:
		return b
	default:
		return &batch{raw: make([]byte, 0, batchSize)}
	}
}

// begin makes b the batch that is read.
func (k *batches) begin(b *batch) {
	b.pieces, b.clean = k.pieces, k.clean
	k.cur, k.pieces, k.clean = b, nil, nil
}

// drop makes an empty batch of old. b is the one that was read last, and is not sifted again.
func (k *batches) drop(old, b *batch) {
	k.pieces, k.clean = old.pieces[:0], old.clean[:0]
	*old = batch{raw: old.raw[:0], sifted: b.sifted}
	old.lines, b.sifted = old.lines[:0], sifted{}
	select {
	case k.free <- old:
	default:
	}
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
			if p := &old.pieces[i]; p.lines == 0 {
				k.pool.add(p)
			}
		}
		k.tails = append(k.tails[:0], k.tails[1:]...)
		k.tailSize -= len(old.raw)
		k.drop(old, b)
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
			p := &b.pieces[i]
			if p.lines > 0 {
				run := *p
				for p = &run; run.lines > 1 && len(ps) < n; {
					line := run.cutLast(b)
					ps = append(ps, &line)
				}
				run.text, _ = b.cleaned(run.text)
			}
			if len(ps) < n {
				ps = append(ps, p)
			}
		}
		skip = 0
		if len(ps) == n || b == lastBatch(k.tails) {
			break
		}
	}
	return ps
}

// separate makes pieces of the n lines before the last piece.
func (k *batches) separate(n int) {
	skip := 1
	for _, b := range [...]*batch{k.cur, lastBatch(k.tails)} {
		if b == nil {
			continue
		}
		for i := len(b.pieces) - 1 - skip; i >= 0 && n > 0; i-- {
			n -= b.split(i, n)
		}
		skip = 0
	}
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
