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

	pieces []piece // after the end, those that are still in memory, with their final priorities
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
		w.readBatch()
		w.keep(w.cur, w.max())
	}
	w.cur = w.fresh()
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
		w.pool.limit = max(16*w.max(), 128<<10)
	}
}

// flush reads the whole lines of the current batch. The unfinished one goes to
// the next batch; if that had no room for more, its parts are pieces.
func (w *Writer) flush() {
	w.prepare(manyCells)
	if w.cache == nil {
		w.cache = newFactCache()
	}
	rest := w.readBatch()
	b := w.cur
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
	w.keep(b, w.max())
	w.cur = next
}

// readBatch reads the whole lines of the current batch and returns the unfinished one. If
// the lines are too many for one batch, the last of them go to further batches.
func (w *Writer) readBatch() []byte {
	for {
		b := w.cur
		rest, ended := w.readLines(b)
		if ended {
			return rest
		}
		b.raw = b.raw[:len(b.raw)-len(rest)]
		next := w.fresh()
		next.raw = append(next.raw, rest...)
		w.keep(b, w.max())
		w.cur = next
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
	if rest := w.readBatch(); len(rest) > 0 {
		w.addLine(w.cur, rest, len(rest), true)
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
