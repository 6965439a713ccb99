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
	ended      bool  // no more will be written
	unfinished bool  // the text does not end with a newline

	filling *batch  // the beginning of the batch that is read next
	forks   bool    // Fork was called, and not Join
	side    *side   // while there is a second goroutine
	pieces  []piece // after the end, those that are still in memory, with their final priorities
	reader
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
	if w.filling == nil {
		w.filling = new(batch)
	}
	for {
		room := batchSize - len(w.filling.raw)
		if len(p) < room {
			w.filling.raw = append(w.filling.raw, p...)
			return n, nil
		}
		w.filling.raw = append(w.filling.raw, p[:room]...)
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
	w.Join()
	w.prepare(fewCells)
	if w.filling != nil {
		w.filling.endLines()
		w.read(w.filling)
	}
	w.filling = w.fresh()
	w.run, w.sharedRun = lineRun{}, nil
	w.bytes += size
	w.at += size
	w.num += lines
	w.index.skipped = true
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
		w.tally.blob.facts = blobFacts
		w.pool.limit = max(16*w.max(), 128<<10)
		w.free = make(chan *batch, freeBatches)
	}
}

// flush reads the whole lines of the batch that is full, or has a second goroutine read them. The
// unfinished one goes to the next batch; if that had no room for more, its parts are pieces.
func (w *Writer) flush() {
	w.prepare(manyCells)
	if w.cache == nil {
		w.cache = newFactCache()
	}
	b := w.filling
	w.filling = w.fresh()
	b.cut(w.filling)
	if !w.onSide(b) {
		w.read(b)
	}
}

// cut ends the batch at its last newline, and moves the unfinished line after that to next. If
// that has no room for more, a part of it stays.
func (b *batch) cut(next *batch) {
	b.endLines()
	rest := b.raw[b.whole:]
	if len(rest) > batchSize/2 {
		b.skip, _ = lastState(rest)
		rest = rest[b.skip:]
	}
	if len(rest) > batchSize/2 {
		b.part = cutBefore(rest, len(rest)-utf8.UTFMax)
		rest = rest[b.part:]
	}
	next.raw = append(next.raw, rest...)
}

// read reads a batch that is not the last one.
func (w *Writer) read(b *batch) {
	w.readBatch(b, w.max())
	w.keep(w.cur, w.max())
}

// finish reads the rest of the text. Nothing can be written after it.
func (w *Writer) finish() {
	if w.ended {
		return
	}
	w.Join()
	w.ended = true
	if w.bytes == 0 {
		return
	}
	w.prepare(fewCells)
	w.filling.endLines()
	w.readBatch(w.filling, w.max())
	w.free, w.filling = nil, nil
	if rest := w.cur.raw[w.cur.whole:]; len(rest) > 0 {
		w.addLine(w.cur, rest, len(rest))
		w.unfinished = true
	} else if w.within { // the text ended with a piece
		w.unfinished = true
		w.num++
		w.lastPiece().last = true
	}
	w.readSkipped()
}

// candidates returns all pieces that are still in memory, in the order of the text,
// with their final priorities. The caller must not change them.
func (w *Writer) candidates() []piece {
	if w.pieces != nil {
		return w.pieces
	}
	all := w.all()
	for i := range all {
		all[i].prio = 0
	}
	for from := 0; from < len(all); {
		to := from + 1
		for to < len(all) && all[to].off == all[to-1].end() {
			to++
		}
		rankPieces(all[from:to], nil, new([linesAfter]int), w.count)
		from = to
	}
	w.pieces = all
	return all
}
