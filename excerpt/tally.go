package excerpt

// A tally is a run of consecutive lines that are known, or alike to known ones, have no evidence
// and follow no line that has: nothing but their places can make them matter. They are counted,
// and get pieces only at the end of the text, if they are near it.
type tally struct {
	text    []byte // of the lines
	ends    []siftedLine
	classes []*cachedFacts // of the lines
	last    *cachedFacts   // that of the line before, if that is in the tally
	quiet   bool           // the line before has no evidence

	none, blob cachedFacts // of empty lines, and of those of encoded bytes
}

// wordless returns the class of a line without words: an empty one, or one of encoded bytes. It
// returns nil for any other line.
func (r *reader) wordless(line []byte) *cachedFacts {
	switch {
	case len(line) == 0:
		return &r.tally.none
	case isBlob(line): // and plain
		return &r.tally.blob
	}
	return nil
}

// addKnown adds a line of a class, which is text when it is cleaned and not red: to the tally, if it
// may be in one.
func (r *reader) addKnown(b *batch, line, text []byte, n int, c *cachedFacts) {
	t := &r.tally
	if !t.quiet || c.telling || r.near > 0 || len(r.tails) == 0 || r.why.open > 0 || n == len(line) || r.skims() ||
		c.lines == 0 && !r.count.repeat(&c.facts.kinds, 1) {
		r.addWhole(b, text, n, &c.facts, false)
		t.quiet = !c.telling
		return
	}
	if c.lines++; c.lines == 1 {
		t.classes = append(t.classes, c)
	}
	if len(t.ends) == 0 {
		t.text = line
	} else {
		t.text = t.text[:len(t.text)+n]
	}
	t.ends = append(t.ends, siftedLine{end: uint16(len(t.text))})
	t.last = c
	r.addDensity(0)
	r.joinRun(c.facts.shape, 1)
}

// tallyEqual adds to the tally those lines from at on that equal the one before, of size bytes, and
// returns how many bytes they have.
func (r *reader) tallyEqual(b *batch, at, size int) int {
	if at+size > b.whole || b.raw[at+size-1] != '\n' {
		return 0
	}
	equal := equalBytes(b.raw[at-size:], b.raw[at:b.whole])
	if equal < size {
		return 0
	}
	t := &r.tally
	lines := min(equal/size, batchPieces-len(b.pieces)-b.hidden-len(t.ends))
	for range lines {
		t.text = t.text[:len(t.text)+size]
		t.ends = append(t.ends, siftedLine{end: uint16(len(t.text))})
	}
	b.next += lines
	t.last.lines += lines
	if t.last.key != 0 { // it was looked up
		r.novelty = decayed(r.novelty, lines)
	}
	r.density = decayed(r.density, lines)
	r.joinRun(t.last.facts.shape, int64(lines))
	return lines * size
}

// endTally ends the tally, before another line is added.
func (r *reader) endTally(b *batch) {
	t := &r.tally
	if len(t.ends) == 0 {
		return
	}
	for _, c := range t.classes {
		if c.lines > 1 {
			r.count.repeat(&c.facts.kinds, c.lines-1)
		}
		c.lines = 0
	}
	r.rareKnown = false
	r.addLines(b, t.text, t.ends, true)
	t.classes, t.ends, t.last = t.classes[:0], t.ends[:0], nil
}

// factsOf returns the facts of a line that was in a tally.
func (r *reader) factsOf(line []byte) *facts {
	if c := r.wordless(line); c != nil {
		return &c.facts
	}
	if known, key := r.cache.find(line); known != nil && known.key == key {
		return &known.facts
	}
	r.scan.read(r.dict, line)
	return &r.scan.facts
}
