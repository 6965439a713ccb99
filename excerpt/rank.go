package excerpt

// Lines around a line of evidence share its priority, in percent, by distance.
var (
	afterPercent  = [linesAfter]int{72, 62, 52, 44, 36, 28}
	beforePercent = [linesBefore]int{58, 44, 30}
)

const (
	linesAfter  = 6
	linesBefore = 3
)

// evidence is the least priority of a line whose neighbours share it.
const evidence = 20

// rankPieces sets the priority of each piece: its own, or a share of that of a piece
// nearby. next holds the pieces after ps, warmth the shares of those before. final counts
// the lines of the whole text; nil while it is not read to its end.
func rankPieces(ps, next []piece, warmth *[linesAfter]int, final *sketch) {
	for i := range ps {
		if n := int(ps[i].lines); n > 0 {
			n = min(n, linesAfter)
			copy(warmth[:], warmth[n:])
			clear(warmth[linesAfter-n:])
			continue
		}
		own := int(ps[i].mine)
		if final != nil {
			own = ps[i].own(final)
		}
		p := max(own, warmth[0])
		copy(warmth[:], warmth[1:])
		warmth[linesAfter-1] = 0
		ps[i].prio = int16(max(p, int(ps[i].prio)))
		if own < evidence {
			continue
		}
		for d, percent := range afterPercent {
			warmth[d] = max(warmth[d], own*percent/100)
		}
		for d, percent := range beforePercent {
			if j := i - 1 - d; j >= 0 {
				ps[j].prio = max(ps[j].prio, int16(own*percent/100))
			}
		}
	}
	for i := range min(linesBefore, len(next)) {
		own := int(next[i].mine)
		for d := i; d < linesBefore && own >= evidence; d++ {
			if j := len(ps) - 1 - (d - i); j >= 0 {
				ps[j].prio = max(ps[j].prio, int16(own*beforePercent[d]/100))
			}
		}
	}
}

// own returns the priority that a piece has by itself.
func (p *piece) own(final *sketch) int {
	if final == nil && p.score == 0 && p.surprise == [rareKinds]uint8{} {
		return 0
	}
	total := 0
	score := int(p.score) * repeatPercent[min(log2(int64(p.seen), 1), len(repeatPercent)-1)] / 100
	rare, second := 0, 0
	for k, h := range p.kinds {
		if h == 0 {
			continue
		}
		n := 1
		bits := int(p.surprise[k])
		if final != nil {
			n = final.count(k, h)
			if n <= 2 && k != rareFailure {
				bits = max(bits, final.surprise(k))
			}
		}
		if k == rareFailure {
			total = n
		}
		switch {
		case n > 8:
			bits = 0
		case n > 2:
			bits /= 2
		}
		if bits > rare {
			rare, second = bits, rare
		} else if bits > second {
			second = bits
		}
	}
	for t := range repeatPercent {
		if total>>(4+t) == 0 {
			break
		}
		score = score * 88 / 100
	}
	return score + rarityWeight(rare, second)
}

// rarityWeight returns what the two rarest parts of a line weigh, by their bits.
func rarityWeight(rare, second int) int {
	return min(rare, maxBits)*bitWeight + min(second, maxBits)*bitWeight/3
}

const (
	maxBits   = 10
	bitWeight = 4
)

// repeatPercent is the share of a line's score that is left after similar lines were read
// once, twice, four times, ...: a line that occurs 300 times is noise.
var repeatPercent = [...]int{100, 80, 66, 52, 42, 34, 28, 22, 18}
