package excerpt

import (
	"bytes"
	"errors"
	"unicode/utf8"
)

// DefaultMax is the budget that a Writer is made for unless its Max says
// otherwise.
const DefaultMax = 16 << 10

// A Writer reads a text and keeps what an excerpt of it may need. The zero value
// is ready to use. Its memory is bounded, whatever the length of the text and of
// its lines, and what it keeps never depends on how the text was cut into
// writes. It must not be used by two goroutines at once.
type Writer struct {
	// Max is the largest budget, in bytes, that Excerpt will be asked for; 0 is
	// DefaultMax. It is read at the first Write.
	Max int

	// FirstLine and FirstByte are the number of the text's first line and the
	// offset of its first byte, where the text is a part of a longer one; 0 is
	// the beginning. They are read by Excerpt.
	FirstLine, FirstByte int64

	bytes      int64 // of the text
	clean      int64 // bytes of it once cleaned
	ended      bool  // no more will be written
	unfinished bool  // the text does not end with a newline

	cur    *batch
	at     int64 // offset of the next piece
	num    int64 // number of the next piece's line, from 0
	within bool  // the next piece does not begin its line
	line   *long // the long line that the next piece is a part of
	skip   int   // bytes of the current line that were drawn over, and are in no piece yet

	dict  *dictionary
	scan  scan
	memo  *memo // of a text of more than one batch
	count *sketch
	run   run  // the last line's
	joint *run // the same where a piece belongs to it
	why   reasons

	density int // how many of the last lines were evidence, of 1<<16

	heads, tails        []*batch
	headBytes, tailSize int
	pool                pool
	warmth              [after]int // priority that the next pieces have of those before
	free                *batch
}

// errEnded is the error of a Write that comes too late.
var errEnded = errors.New("excerpt: write after the excerpt was made")

// Write reads the next bytes of the text. Its error is nil unless an excerpt was
// made already.
func (w *Writer) Write(p []byte) (int, error) {
	if w.ended {
		return 0, errEnded
	}
	n := len(p)
	w.bytes += int64(n)
	if w.cur == nil {
		w.cur = new(batch)
	}
	for {
		room := batchSize - len(w.cur.raw)
		if len(p) < room {
			w.cur.raw = append(w.cur.raw, p...)
			return n, nil
		}
		w.cur.raw = append(w.cur.raw, p[:room]...)
		p = p[room:]
		w.flush()
	}
}

// Skip notes that lines that take size bytes follow in the text and are not
// known. It must be called where a line begins. The excerpt names them as any
// other gap.
func (w *Writer) Skip(lines, size int64) {
	if w.ended || lines <= 0 {
		return
	}
	w.prepare(fewCells)
	if w.cur != nil {
		w.readLines(w.cur, w.cur.raw)
		w.keep(w.cur)
	}
	w.cur = new(batch)
	w.run, w.joint = run{}, nil
	w.bytes += size
	w.at += size
	w.num += lines
}

// max returns the largest budget that there will be.
func (w *Writer) max() int {
	if w.Max <= 0 {
		return DefaultMax
	}
	return w.Max
}

// prepare makes what is needed to read a text.
func (w *Writer) prepare(cells int) {
	if w.dict == nil {
		w.dict, w.count = words(), newSketch(cells)
		w.pool.limit = max(16*w.max(), 128<<10)
	}
}

// flush reads the whole lines of the current batch. The unfinished one goes to
// the next batch; if that had no room for more, its parts are pieces.
func (w *Writer) flush() {
	w.prepare(manyCells)
	if w.memo == nil {
		w.memo = new(memo)
	}
	b := w.cur
	rest := w.readLines(b, b.raw)
	if len(rest) > batchSize/2 {
		from, _ := lastState(rest)
		w.skip += from
		rest = rest[from:]
	}
	if len(rest) > batchSize/2 {
		n := cutBefore(rest, len(rest)-utf8.UTFMax)
		w.addParts(b, rest[:n], n, false)
		rest = rest[n:]
	}
	next := w.fresh()
	next.raw = append(next.raw, rest...)
	w.keep(b)
	w.cur = next
}

// readLines makes pieces of the whole lines of raw and returns what is left.
func (w *Writer) readLines(b *batch, raw []byte) []byte {
	for {
		n := bytes.IndexByte(raw, '\n')
		if n < 0 {
			return raw
		}
		w.addLine(b, raw[:n], n+1)
		raw = raw[n+1:]
	}
}

// addLine makes pieces of a line, or of the end of one, that has n bytes in the
// text, with its newline.
func (w *Writer) addLine(b *batch, line []byte, n int) {
	if len(line) > wholeLine || w.within {
		w.addLong(b, line, n)
		return
	}
	if isBlob(line) { // and plain
		w.scan = scan{facts: blobFacts}
		w.addWhole(b, line, n, &w.scan.facts, false)
		return
	}
	known, key := w.memo.at(line)
	if known != nil && known.key == key {
		w.addWhole(b, line, n, &known.facts, false)
		return
	}
	text, red := b.cleaned(line)
	if len(text) > wholeLine {
		w.addParts(b, line, n, true)
		return
	}
	if known == nil || len(text) == 0 || &text[0] != &line[0] {
		if known, key = w.memo.at(text); known != nil && known.key == key {
			w.addWhole(b, text, n, &known.facts, red)
			return
		}
	}
	w.scan.read(w.dict, text)
	if known != nil && !w.scan.matched {
		*known = remembered{key, w.scan.facts}
	}
	w.addWhole(b, text, n, &w.scan.facts, red)
}

// addLong makes pieces of a line of which more is stored than one piece has.
func (w *Writer) addLong(b *batch, line []byte, n int) {
	text, red := b.cleaned(line)
	if len(text) > wholeLine || w.within {
		w.addParts(b, line, n, true)
		return
	}
	w.scan.read(w.dict, text)
	w.addWhole(b, text, n, &w.scan.facts, red)
}

// addWhole makes a piece of a line.
func (w *Writer) addWhole(b *batch, text []byte, n int, f *facts, red bool) {
	p := b.add()
	p.off, p.num, p.raw, p.first, p.last, p.text = w.at, w.num+1, int64(n+w.skip), true, true, text
	w.join(p, f.shape)
	w.judge(p, f, red)
	w.next(p)
}

// addParts makes pieces of the parts of a long line.
func (w *Writer) addParts(b *batch, line []byte, n int, last bool) {
	from, to := lastState(line)
	clean, _ := b.cleaned(line[from:to])
	w.scan.read(w.dict, clean)
	whole := w.scan.facts
	begin := 0
	for first := true; ; first = false {
		end := to
		if to-max(begin, from) > pieceSize+pieceSize/4 {
			end = cutBefore(line, max(begin, from)+pieceSize)
		}
		p := b.add()
		p.off, p.num, p.raw, p.first = w.at, w.num+1, int64(end-begin+w.skip), !w.within
		if end == to {
			p.raw += int64(n - end)
			p.last = last
		}
		if w.line == nil {
			w.line = &long{begin: w.at}
		}
		p.long = w.line
		text, red := b.cleaned(line[max(begin, from):end])
		p.text = text
		w.scan.read(w.dict, p.text)
		f := &w.scan.facts
		if failure := f.kinds[rareFailure]; first && p.first {
			f.kinds, f.shape = whole.kinds, whole.shape
			f.kinds[rareFailure] = failure
		} else {
			f.kinds, f.shape = [rareKinds]uint32{rareFailure: failure}, 0
		}
		w.run, w.joint = run{}, nil
		w.judge(p, f, red)
		w.next(p)
		if begin = end; end == to {
			return
		}
	}
}

// cutBefore returns where to cut b at n or a little before: between words, and
// not within a character or an escape sequence.
func cutBefore(b []byte, n int) int {
	for i := n; i > n-pieceSize/8; i-- {
		if b[i-1] == ' ' || b[i-1] == ',' {
			return i
		}
	}
	for i := n; i > n-pieceSize/8; i-- {
		if b[i-1] == esc {
			return i - 1
		}
	}
	for i := n; i > n-utf8.UTFMax && n < len(b); i-- {
		if utf8.RuneStart(b[i]) {
			return i
		}
	}
	return n
}

// next moves on from p to the piece that follows.
func (w *Writer) next(p *piece) {
	w.at += p.raw
	w.skip = 0
	w.clean += int64(len(p.text) + 1)
	w.within = !p.last
	if p.long != nil {
		p.long.end = w.at
	}
	if p.last {
		w.num++
		w.line = nil
	}
}

// join finds the run of lines alike that p belongs to.
func (w *Writer) join(p *piece, shape uint32) {
	if shape == 0 || shape != w.run.shape || !p.first {
		w.run, w.joint = run{shape: shape, n: 1}, nil
		return
	}
	w.run.n++
	if w.joint == nil {
		w.joint = &run{shape: shape}
	}
	w.joint.n = w.run.n
	p.run, p.nth = w.joint, w.run.n-1
}

// judge scores p by what was read in it, and by how rare that is.
func (w *Writer) judge(p *piece, f *facts, red bool) {
	if red && f.score*6 >= 0 {
		f.score += redScore
		f.why += redScore / 2
	}
	p.score, p.place, p.kinds = int16(f.score-f.score*w.density/(2<<16)), f.place, f.kinds
	w.density -= w.density >> 6
	if f.score >= 30 {
		w.density += 1 << 10
	}
	alike := uint16(0)
	for k, h := range f.kinds {
		if h == 0 {
			continue
		}
		n, surprise := w.count.add(k, h)
		p.surprise[k] = uint8(surprise)
		switch k {
		case rareShape, rareFailure:
			p.seen = uint16(min(n, 1<<16-1))
			alike = p.seen
		case rareOpening:
			p.seen = max(p.seen, uint16(min(n, 1<<16-1)/16))
		}
	}
	if w.why.open > 0 && p.first {
		w.why.follow(p.text)
	}
	if f.ended && w.why.words.text == nil && w.why.ends < endsMost {
		w.why.ends++
		w.why.words = lastWords(w.preceding(lastWordsFrom))
	}
	if f.why > 0 {
		w.why.add(p, f, alike)
		if w.why.open > 0 && announces(p.text) == toInnerLine {
			w.why.explain(p, w.preceding(lastWordsFrom))
		}
		if f.why >= evidence {
			w.why.cause(p)
		}
	}
}

// redScore is what the colour of errors adds to a line.
const redScore = 22

// finish reads what is left. Nothing can be written after it.
func (w *Writer) finish() {
	if w.ended {
		return
	}
	w.ended = true
	if w.bytes == 0 {
		return
	}
	w.prepare(fewCells)
	if rest := w.readLines(w.cur, w.cur.raw); len(rest) > 0 {
		w.addLine(w.cur, rest, len(rest))
		w.unfinished = true
	} else if w.within { // the text ended with a piece
		w.unfinished = true
		w.num++
		w.lastPiece().last = true
	}
}

// preceding returns up to n pieces before the one that was read last, the nearest
// first.
func (w *Writer) preceding(n int) []*piece {
	var ps []*piece
	skip := 1
	for _, b := range []*batch{w.cur, last(w.tails), last(w.heads)} {
		if b == nil {
			continue
		}
		for i := len(b.pieces) - 1 - skip; i >= 0 && len(ps) < n; i-- {
			ps = append(ps, &b.pieces[i])
		}
		skip = 0
		if len(ps) == n || b == last(w.tails) {
			break
		}
	}
	return ps
}

// lastPiece returns the piece that was read last.
func (w *Writer) lastPiece() *piece {
	for _, b := range []*batch{w.cur, last(w.tails), last(w.heads)} {
		if b != nil && len(b.pieces) > 0 {
			return &b.pieces[len(b.pieces)-1]
		}
	}
	return new(piece)
}

// fresh returns an empty batch.
func (w *Writer) fresh() *batch {
	b := w.free
	w.free = nil
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
		w.free = old
	}
}
