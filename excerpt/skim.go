package excerpt

import "slices"

// A skim decides which lines of a long text in which most lines are new are not read: those
// that would leave the pool at once, by an upper bound of their priority. Of them, one in
// skimSample is read all the same, so that the rarity of lines follows the text.
type skim struct {
	novelty   int  // share of new lines among the last ones that were looked up, in 1/(1<<16)
	skimmed   int  // lines that would not be read
	sampled   bool // the line that is read stands for skimSample lines
	rare      rarity
	rareKnown bool // rare was computed from the present rates
}

const (
	skimFrom   = 1 << 13 // least share of new lines, in 1/(1<<16)
	skimSample = 128
)

// skims reports whether lines may be skipped: the beginning of the text, all of which is kept, was
// read, and many lines are new.
func (r *reader) skims() bool { return r.novelty >= skimFrom && len(r.tails) > 0 }

// skipsDull reports whether, where lines are skipped, the next one may be.
func (r *reader) skipsDull() bool {
	return r.near == 0 && r.why.open == 0 && !r.within && r.rarity().dull <= int(r.pool.floor)
}

// placesMatter reports whether a line may be kept that has a place in a file, and no evidence.
func (r *reader) placesMatter() bool { return r.rarity().dull+placeMost > int(r.pool.floor) }

// sifts reports whether b has another whole line that was sifted. at is where it begins.
func (r *reader) sifts(b *batch, at int) bool {
	if b.next >= len(b.lines) {
		b.next = 0
		b.sift(evidenceSieve(), r.dict, b.raw[:b.whole], at)
	}
	return len(b.lines) > 0
}

// skimLines adds sifted lines of b from the one on that begins at begin, as long as lines may be
// skipped and b has room. It returns where the next line begins.
func (r *reader) skimLines(b *batch, begin int) int {
	var (
		first, lines = begin, 0 // the run of skipped lines
		room         = batchPieces - len(b.pieces) - b.hidden
		skips, busy  = r.skipsDull(), r.placesMatter()
	)
	for b.next < len(b.lines) && lines < room {
		if skips && !busy {
			n := r.skipDull(b.raw, b.lines[b.next:min(len(b.lines), b.next+room-lines)], begin)
			if n > 0 {
				b.next, lines = b.next+n, lines+n
				begin = int(b.lines[b.next-1].end) + 1
				continue
			}
		}
		found, end := b.lines[b.next].found, int(b.lines[b.next].end)
		b.next++
		if empty := isEmpty(b.raw, begin, end); skips && (empty || found != strangeLine && r.skipsLine(b, begin, end, found, busy)) {
			if empty {
				r.addDensity(0)
			}
			lines++
			begin = end + 1
			continue
		}
		if lines > 0 {
			r.addRun(b, b.raw[first:begin-1], b.lines[b.next-1-lines:b.next-1])
			lines = 0
		}
		line := b.raw[begin:end]
		if !skips && r.passes(b, begin, end, found, busy) {
			r.addUnread(b, line, b.lines[b.next-1:b.next])
		} else {
			r.addLine(b, line, len(line)+1)
		}
		if begin = end + 1; !r.skims() {
			return begin
		}
		first, room = begin, batchPieces-len(b.pieces)-b.hidden
		skips, busy = r.skipsDull(), r.placesMatter()
	}
	if lines > 0 {
		r.addRun(b, b.raw[first:begin-1], b.lines[b.next-lines:b.next])
	}
	return begin
}

// skipDull counts the first of lines as skipped, as many as have no evidence, and returns their
// number. begin is where the first one begins. The one that is a sample is not skipped.
func (r *reader) skipDull(raw []byte, lines []siftedLine, begin int) int {
	skimmed, density := r.skimmed, r.density
	n := 0
	for ; n < len(lines) && lines[n].found == dullLine; n++ {
		end := int(lines[n].end)
		if !isEmpty(raw, begin, end) {
			if (skimmed+1)%skimSample == 0 {
				break
			}
			skimmed++
		}
		density -= density >> 6
		begin = end + 1
	}
	r.skimmed, r.density = skimmed, density
	return n
}

// isEmpty reports whether the line of raw from begin to its newline, at end, has nothing but a
// carriage return at most. Such lines are no samples.
func isEmpty(raw []byte, begin, end int) bool {
	return end == begin || end == begin+1 && raw[begin] == '\r'
}

// passes reports whether a line need not be read although not any line may be skipped.
func (r *reader) passes(b *batch, begin, end int, found uint16, busy bool) bool {
	return end > begin && found != strangeLine && !r.within && r.rarity().dull <= int(r.pool.floor) && r.skipsLine(b, begin, end, found, busy)
}

// skipsLine reports whether a sifted line is skipped, and counts it if it is. busy means that
// places matter.
func (r *reader) skipsLine(b *batch, begin, end int, found uint16, busy bool) bool {
	var e bounds
	if found != dullLine {
		e = b.bounds[found-firstBounds]
	}
	if (found != dullLine || busy) && r.mayStay(b.raw[begin:end], e) {
		return false
	}
	r.skimmed++
	if r.sampled = r.skimmed%skimSample == 0; r.sampled {
		return false
	}
	r.addDensity(int(e.top))
	return true
}

// mayStay reports whether the pool may keep a line, or the line may explain the failure.
func (r *reader) mayStay(line []byte, e bounds) bool {
	floor, rare := int(r.pool.floor), r.rarity()
	weight := rare.dull
	if e.telling {
		weight = rare.telling
	}
	score, why := int(e.score), int(e.why)
	withPlace := r.thinned(score+placeMost)+weight > floor
	if !withPlace && e.telling && !r.explains(e, why+placeMost) {
		return false
	}
	if (withPlace || e.telling) && mayHavePlace(line) {
		score, why = score+placeMost, why+placeMost
	}
	if stays := r.thinned(score)+weight > floor || why > 0 && r.explains(e, why); !stays || e.phrase == nil {
		return stays
	}
	h := phraseAt(line, e.phrase, int(e.after))
	n := r.count.count(rareFailure, h)
	if h == 0 || n == 1 { // or it is new
		return true
	}
	percent := repeatPercent[min(log2(int64(n), 1), len(repeatPercent)-1)]
	return r.thinned(score)*percent/100+rare.dull > floor || why > 0 && r.explains(e, why)
}

// explains reports whether a line of the weight may change what explains the failure.
func (r *reader) explains(e bounds, why int) bool {
	return r.why.takes(why) || r.why.words.text == nil && r.why.ends < endsMost && e.mayEnd ||
		why >= evidence && e.mayBeCause
}

// A rarity is the most that the rarity of the next line weighs: of one without a word of
// evidence, and of any.
type rarity struct{ dull, telling int }

func (r *reader) rarity() rarity {
	if r.rareKnown {
		return r.rare
	}
	first, second := 0, 0
	for k, rate := range r.count.rate {
		if k == rareFailure {
			r.rare.dull = rarityWeight(first, second)
		}
		bits := rateBits(rate)
		first, second = max(first, bits), max(second, min(first, bits))
	}
	r.rare.telling = rarityWeight(first, second)
	r.rareKnown = true
	return r.rare
}

// addUnread adds a line that was not read, whose newline is at end: to a run of such lines,
// unless it may share the priority of a line before.
func (r *reader) addUnread(b *batch, line []byte, end []siftedLine) {
	if r.why.open > 0 {
		r.why.follow(line)
	}
	if r.near == 0 {
		r.addRun(b, line, end)
		return
	}
	p := b.add()
	p.off, p.num, p.raw, p.first, p.last, p.text, p.unread = r.at, r.num+1, int64(len(line)+1+r.skip), true, true, withoutCR(line), true
	r.joinRun(0, 1)
	r.next(p)
}

// addRun adds lines that were not read, text, whose newlines are at ends.
func (r *reader) addRun(b *batch, text []byte, ends []siftedLine) {
	r.joinRun(0, int64(len(ends)))
	r.addLines(b, text, ends, false)
}

// addLines adds lines to a run of lines that have no pieces of their own.
func (r *reader) addLines(b *batch, text []byte, ends []siftedLine, counted bool) {
	lines, n := int64(len(ends)), int64(len(text)+1)
	p, known := b.addRun(text, len(ends), counted)
	if !known {
		p.off, p.num, p.first, p.last, p.unread, p.counted = r.at, r.num+1, true, true, true, counted
	}
	p.raw += n + int64(r.skip)
	r.clean += n
	r.at += int64(r.skip)
	r.skip = 0
	for i := max(r.index.next-r.num-2, 0); i < lines; i = r.index.next - r.num - 2 {
		r.index.add(r.num+i+2, r.at+n-int64(ends[lines-1].end-ends[i].end))
	}
	r.num += lines
	r.at += n
}

// readSkipped reads the skipped and counted lines that are still in memory.
func (r *reader) readSkipped() {
	r.readUnread(r.pool.heap)
	skipped := false
	last := append(slices.Clone(r.tails), r.cur)
	for _, b := range last {
		b.splitAll()
	}
	for _, b := range last {
		skipped = r.readUnread(b.pieces) || skipped
	}
	if !skipped {
		return
	}
	r.run, r.sharedRun = last[0].run, last[0].sharedRun
	for _, b := range last {
		for i := range b.pieces {
			p := &b.pieces[i]
			shape := p.kinds[rareShape]
			if shape == blobFacts.kinds[rareShape] || p.long != nil {
				shape = 0
			}
			p.run, p.nth = r.joinRun(shape, 1)
		}
	}
}

// readUnread reads those of ps that were skipped and reports whether there are any.
func (r *reader) readUnread(ps []piece) bool {
	found := false
	for i := range ps {
		if p := &ps[i]; p.unread {
			found = true
			p.unread = false
			if p.counted {
				p.kinds = r.factsOf(p.text).kinds
				continue
			}
			r.scan.read(r.dict, p.text)
			r.weighPiece(p, &r.scan.facts)
		}
	}
	return found
}
