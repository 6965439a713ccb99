package excerpt

import (
	"errors"
	"unicode/utf8"
)

// DefaultMax is the default of Writer.Max, in bytes.
const DefaultMax = 16 << 10

// A Writer reads a text and keeps what an excerpt of it may need. The zero value
// is ready to use. Its memory is bounded, whatever the length of the text and of its
// lines. It is not safe for concurrent use.
type Writer struct {
	// Max is the largest budget, in bytes, that Excerpt will be called with; 0 is
	// DefaultMax. It must be set before the first Write.
	Max int

	// FirstLine and FirstByte are the number of the text's first line and the offset of
	// its first byte if the text is part of a longer one; 0 means the beginning. They
	// must be set before Excerpt is called.
	FirstLine, FirstByte int64

	bytes      int64 // of the text
	clean      int64 // bytes of it once cleaned
	ended      bool  // no more will be written
	unfinished bool  // the text does not end with a newline

	cur    *batch
	at     int64     // offset of the next piece
	num    int64     // number of the next piece's line, from 0
	within bool      // the next piece does not begin its line
	line   *longLine // the long line that the next piece is a part of
	skip   int       // bytes of the current line that a carriage return discarded, and are in no piece yet

	dict      *dictionary
	scan      scan
	cache     *factCache // of a text of more than one batch
	count     *sketch
	run       lineRun  // the last line's
	sharedRun *lineRun // the same where a piece belongs to it
	why       explanations

	density int // share of evidence among the last lines, in 1/(1<<16)

	heads, tails        []*batch
	headBytes, tailSize int
	pool                pool
	warmth              [linesAfter]int // shares of the priority of the last pieces that the next ones get
	free                *batch
}

// errEnded is the error of a Write after Excerpt or Best.
var errEnded = errors.New("excerpt: write after the excerpt was made")

// Write reads the next bytes of the text. It fails only after a call of Excerpt or
// Best.
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

// Skip adds lines of unknown content to the text, size bytes in all, which the excerpt
// shows as a gap. It must be called at the beginning of a line.
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
	w.run, w.sharedRun = lineRun{}, nil
	w.bytes += size
	w.at += size
	w.num += lines
}

// max returns the largest budget that Excerpt may be called with.
func (w *Writer) max() int {
	if w.Max <= 0 {
		return DefaultMax
	}
	return w.Max
}

// prepare builds the dictionary and the sketch before the first line is read.
func (w *Writer) prepare(cells int) {
	if w.dict == nil {
		w.dict, w.count = evidenceDictionary(), newSketch(cells)
		w.pool.limit = max(16*w.max(), 128<<10)
	}
}

// flush reads the whole lines of the current batch. The unfinished one goes to
// the next batch; if that had no room for more, its parts are pieces.
func (w *Writer) flush() {
	w.prepare(manyCells)
	if w.cache == nil {
		w.cache = new(factCache)
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

// keep stores a batch that was read, as one of the first or of the last. Pieces of a
// batch that is dropped may stay in the pool.
func (w *Writer) keep(b *batch) {
	if w.headBytes < w.max() {
		w.heads = append(w.heads, b)
		w.headBytes += len(b.raw)
		return
	}
	w.tails = append(w.tails, b)
	w.tailSize += len(b.raw)
	if old := w.tails[0]; len(w.tails) > 2 && w.tailSize-len(old.raw) >= w.max() {
		rankPieces(old.pieces, w.tails[1].pieces, &w.warmth, nil)
		for i := range old.pieces {
			w.pool.add(&old.pieces[i])
		}
		w.tails = append(w.tails[:0], w.tails[1:]...)
		w.tailSize -= len(old.raw)
		w.free = old
	}
}

// finish reads the rest of the text. Nothing can be written after it.
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
