package excerpt

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

// redScore is what the colour of errors adds to a line.
const redScore = 22

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
