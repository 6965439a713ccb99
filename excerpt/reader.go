package excerpt

import (
	"bytes"
	"unicode/utf8"

	"github.com/envwrap/envwrap/internal/shared/escape"
)

// A reader makes pieces of the lines of a text, and scores them.
type reader struct {
	batches

	clean  int64 // bytes of the pieces' text, with newlines
	at     int64 // offset of the next piece
	num    int64 // number of the next piece's line, from 0
	index  lineIndex
	within bool      // the next piece does not begin its line
	line   *longLine // the long line that the next piece is a part of
	part   partSieve // of its parts
	skip   int       // bytes of the current line that a carriage return discarded, and are in no piece yet

	dict      *dictionary
	scan      scan
	cache     *factCache // of a text of more than one batch
	count     *sketch
	run       lineRun                 // the last line's
	sharedRun *lineRun                // the same where a piece belongs to it
	runs      [linesBefore]linesOfRun // those before
	why       explanations
	near      int  // how many of the next lines may share the priority of one before
	escapes   bool // the line before has escape sequences, or is not plain for other reasons
	tally     tally

	skim

	density int // share of evidence among the last lines, in 1/(1<<16)
}

// readBatch reads what b has of whole lines and of parts of lines. If the lines are too many for
// one batch, the last of them go to further batches. The last batch is cur then, the others are kept.
func (r *reader) readBatch(b *batch, most int) {
	for {
		r.begin(b)
		b.run, b.sharedRun = r.run, r.sharedRun
		n := r.readLines(b)
		if n == b.whole {
			break
		}
		next := r.fresh()
		b.cutAt(n, next)
		r.keep(b, most)
		b = next
	}
	r.skip += b.skip
	if from := b.whole + b.skip; b.part > 0 {
		r.addParts(b, b.raw[from:from+b.part], b.part, false)
	}
}

// readLines makes pieces of the whole lines of b, as many as a batch may have, and returns where
// the others begin.
func (r *reader) readLines(b *batch) (at int) {
	for at < b.whole && len(b.pieces)+b.hidden+len(r.tally.ends) < batchPieces {
		if r.skims() {
			r.endTally(b)
			if r.sifts(b, at) {
				at = r.skimLines(b, at)
				continue
			}
		}
		n := bytes.IndexByte(b.raw[at:], '\n')
		b.next++
		r.addLine(b, b.raw[at:at+n], n+1)
		at += n + 1
		if r.tally.last != nil {
			at += r.tallyEqual(b, at, n+1)
		}
	}
	r.endTally(b)
	return at
}

// addLine makes pieces of a line, or of the end of one, that has n bytes in the
// text, with its newline.
func (r *reader) addLine(b *batch, line []byte, n int) {
	r.tally.last = nil
	if len(line) > wholeLine || r.within {
		r.addLong(b, line, n)
		return
	}
	text := withoutCR(line)
	if c := r.wordless(text); c != nil {
		r.addKnown(b, line, text, n, c)
		return
	}
	var known *cachedFacts
	var key uint64
	if !r.escapes || bytes.IndexByte(line, escape.Esc) < 0 {
		known, key = r.cache.find(text)
		r.escapes = known == nil
	}
	r.novelty -= r.novelty >> 6
	if known != nil && known.key == key {
		r.addKnown(b, line, text, n, known)
		return
	}
	red := false
	if known == nil {
		if r.cache == nil {
			text, red = b.cleaned(line)
		} else {
			text, red = b.cleanedCopy(line)
		}
		if len(text) > wholeLine {
			r.addParts(b, line, n, true)
			return
		}
		if known, key = r.cache.find(text); known != nil && known.key == key {
			if red {
				r.addWhole(b, text, n, &known.facts, red)
			} else {
				r.addKnown(b, line, text, n, known)
			}
			return
		}
	}
	r.endTally(b)
	r.novelty += 1 << 10
	r.scan.read(r.dict, text)
	if known != nil {
		r.cache.store(known, key, &r.scan)
	}
	r.addWhole(b, text, n, &r.scan.facts, red)
}

// addLong makes pieces of a line that is longer than one piece before it is cleaned, or
// that continues an earlier piece.
func (r *reader) addLong(b *batch, line []byte, n int) {
	text, red := b.cleaned(line)
	if len(text) > wholeLine || r.within {
		r.addParts(b, line, n, true)
		return
	}
	r.scan.read(r.dict, text)
	r.addWhole(b, text, n, &r.scan.facts, red)
}

// addWhole makes a piece of a line.
func (r *reader) addWhole(b *batch, text []byte, n int, f *facts, red bool) {
	r.endTally(b)
	r.tally.quiet = false
	p := b.add()
	p.off, p.num, p.raw, p.first, p.last, p.text = r.at, r.num+1, int64(n+r.skip), true, true, text
	p.run, p.nth = r.joinRun(f.shape, 1)
	r.scorePiece(p, f, red)
	r.next(p)
}

// addParts makes pieces of the parts of a long line.
func (r *reader) addParts(b *batch, line []byte, n int, last bool) {
	r.endTally(b)
	from, to := lastState(line)
	var whole facts // of the line, as far as it is here
	if !r.within {
		clean, _ := b.cleaned(line[from:to])
		r.scan.read(r.dict, clean)
		whole = r.scan.facts
	}
	begin := 0
	for first := true; ; first = false {
		end := to
		if to-max(begin, from) > pieceSize+pieceSize/4 {
			end = cutBefore(line, max(begin, from)+pieceSize)
		}
		p := b.add()
		p.off, p.num, p.raw, p.first = r.at, r.num+1, int64(end-begin+r.skip), !r.within
		if end == to {
			p.raw += int64(n - end)
			p.last = last
		}
		if r.line == nil {
			r.line = &longLine{begin: r.at}
		}
		p.long = r.line
		text, red := b.cleaned(line[max(begin, from):end])
		p.text = text
		f := r.readPart(text)
		if failure := f.kinds[rareFailure]; first && p.first {
			f.kinds, f.shape = whole.kinds, whole.shape
			f.kinds[rareFailure] = failure
		} else {
			f.kinds, f.shape = [rareKinds]uint32{rareFailure: failure}, 0
		}
		r.joinRun(0, 1)
		r.scorePiece(p, f, red)
		r.next(p)
		if begin = end; end == to {
			return
		}
	}
}

// readPart returns the facts of a part of a long line, all of which but the hashes count. Most
// parts have none, which the sieve finds sooner than a scan.
func (r *reader) readPart(text []byte) *facts {
	if r.cache != nil && r.part.isDull(r.dict, text) {
		r.scan = scan{}
	} else {
		r.scan.read(r.dict, text)
	}
	return &r.scan.facts
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
		if b[i-1] == escape.Esc {
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
func (r *reader) next(p *piece) {
	r.at += p.raw
	r.skip = 0
	r.clean += int64(len(p.text) + 1)
	r.within = !p.last
	if r.near > 0 {
		r.near--
	}
	if p.long != nil {
		p.long.end = r.at
	}
	if p.last {
		r.num++
		r.line = nil
		r.index.add(r.num+1, r.at)
	}
	if r.cache == nil || p.unread { // of a text whose lines all have pieces, or a line that cannot matter
		return
	}
	if own := int(p.mine); own >= evidence && (!r.skims() || own*afterPercent[0]/100 > int(r.pool.floor)) {
		r.near = linesAfter
		r.separateLines()
	}
}

// joinRun finds the run of similar lines that the next lines belong to, all of one shape. It
// returns the run and the number of the first of them in it, from 0; nil if that is the first.
func (r *reader) joinRun(shape uint32, lines int64) (run *lineRun, nth int64) {
	if shape == 0 || shape != r.run.shape {
		copy(r.runs[1:], r.runs[:])
		r.runs[0] = linesOfRun{r.sharedRun, r.run.n}
		r.run, r.sharedRun = lineRun{shape: shape}, nil
	}
	if shape == 0 {
		if r.run.n = 1; lines > 1 {
			clear(r.runs[:])
		}
		return nil, 0
	}
	nth = r.run.n
	if r.run.n += lines; r.run.n == 1 {
		return nil, 0
	}
	if r.sharedRun == nil {
		r.sharedRun = &lineRun{shape: shape}
	}
	if r.sharedRun.n = r.run.n; nth == 0 {
		return nil, 0
	}
	return r.sharedRun, nth
}

// separateLines makes pieces of the lines before the last piece that share its priority.
func (r *reader) separateLines() {
	r.separate(linesBefore)
	run, n, i := r.sharedRun, r.run.n-1, 0
	for _, p := range r.preceding(linesBefore) {
		for ; n <= 0 && i < len(r.runs); i++ {
			run, n = r.runs[i].run, r.runs[i].n
		}
		if n--; p.counted && n > 0 {
			p.run, p.nth = run, n
		}
	}
}

// redScore is added to the score of a line in red, the colour of errors.
const redScore = 22

// scorePiece sets the score of p, by the facts of its line and by their rarity.
func (r *reader) scorePiece(p *piece, f *facts, red bool) {
	if red {
		coloured := *f
		coloured.score += redScore
		coloured.why += redScore / 2
		f = &coloured
	}
	alike := r.weighPiece(p, f)
	p.mine = int16(p.own(nil))
	if r.why.open > 0 && p.first {
		r.why.follow(p.text)
	}
	if f.ended && r.why.words.text == nil && r.why.ends < endsMost {
		r.why.ends++
		r.why.words = lastWords(r.preceding(lastWordsFrom))
	}
	if f.why > 0 && !isBanner(p.text, r.preceding) {
		r.why.add(p, f, alike)
		if r.why.open > 0 && continuationOf(p.text) == onInnerLine {
			r.why.explain(p, r.preceding(lastWordsFrom))
		}
		if f.cause {
			r.why.cause(p)
		}
	}
}

// weighPiece sets the score of p and returns how often similar lines were read.
func (r *reader) weighPiece(p *piece, f *facts) (alike uint16) {
	p.score, p.located, p.kinds = int16(r.thinned(f.score)), f.located, f.kinds
	r.addDensity(f.score)
	r.rareKnown = false
	for k, h := range f.kinds {
		if h == 0 {
			continue
		}
		n, surprise := r.count.add(k, h)
		if r.sampled && k == rareFailure {
			n = r.count.raise(k, h, skimSample-1)
		}
		p.surprise[k] = uint8(surprise)
		switch k {
		case rareShape, rareFailure:
			p.seen = uint16(min(n, 1<<16-1))
			alike = p.seen
		case rareOpening:
			p.seen = max(p.seen, uint16(min(n, 1<<16-1)/16))
		}
	}
	r.sampled = false
	return alike
}

// thinned returns a score as it is where lines of evidence are frequent.
func (r *reader) thinned(score int) int { return score - score*r.density/(2<<16) }

// addDensity counts a line of the score among the last ones.
func (r *reader) addDensity(score int) {
	r.density -= r.density >> 6
	if score >= 30 {
		r.density += 1 << 10
	}
}
