package excerpt

import (
	"bytes"
	"unicode/utf8"
)

// readLines makes pieces of the whole lines of raw and returns the unfinished one.
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
	known, key := w.cache.at(line)
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
		if known, key = w.cache.at(text); known != nil && known.key == key {
			w.addWhole(b, text, n, &known.facts, red)
			return
		}
	}
	w.scan.read(w.dict, text)
	if known != nil && !w.scan.matched {
		*known = cachedFacts{key, w.scan.facts}
	}
	w.addWhole(b, text, n, &w.scan.facts, red)
}

// addLong makes pieces of a line that is longer than one piece before it is cleaned, or
// that continues an earlier piece.
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
	w.joinRun(p, f.shape)
	w.scorePiece(p, f, red)
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
			w.line = &longLine{begin: w.at}
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
		w.run, w.sharedRun = lineRun{}, nil
		w.scorePiece(p, f, red)
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

// next advances the offsets past p.
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
