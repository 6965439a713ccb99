package excerpt

// joinRun finds the run of similar lines that p belongs to.
func (w *Writer) joinRun(p *piece, shape uint32) {
	if shape == 0 || shape != w.run.shape || !p.first {
		w.run, w.sharedRun = lineRun{shape: shape, n: 1}, nil
		return
	}
	w.run.n++
	if w.sharedRun == nil {
		w.sharedRun = &lineRun{shape: shape}
	}
	w.sharedRun.n = w.run.n
	p.run, p.nth = w.sharedRun, w.run.n-1
}

// redScore is added to the score of a line in red, the colour of errors.
const redScore = 22

// scorePiece sets the score of p, by the facts of its line and by their rarity.
func (w *Writer) scorePiece(p *piece, f *facts, red bool) {
	if red && f.score*6 >= 0 {
		f.score += redScore
		f.why += redScore / 2
	}
	p.score, p.located, p.kinds = int16(f.score-f.score*w.density/(2<<16)), f.located, f.kinds
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
		if w.why.open > 0 && continuationOf(p.text) == onInnerLine {
			w.why.explain(p, w.preceding(lastWordsFrom))
		}
		if f.why >= evidence {
			w.why.cause(p)
		}
	}
}

// preceding returns up to n pieces before the one that was read last, the nearest
// first.
func (w *Writer) preceding(n int) []*piece {
	var ps []*piece
	skip := 1
	for _, b := range []*batch{w.cur, lastBatch(w.tails), lastBatch(w.heads)} {
		if b == nil {
			continue
		}
		for i := len(b.pieces) - 1 - skip; i >= 0 && len(ps) < n; i-- {
			ps = append(ps, &b.pieces[i])
		}
		skip = 0
		if len(ps) == n || b == lastBatch(w.tails) {
			break
		}
	}
	return ps
}

// lastPiece returns the piece that was read last.
func (w *Writer) lastPiece() *piece {
	for _, b := range []*batch{w.cur, lastBatch(w.tails), lastBatch(w.heads)} {
		if b != nil && len(b.pieces) > 0 {
			return &b.pieces[len(b.pieces)-1]
		}
	}
	return new(piece)
}
