package excerpt

import "math/bits"

// A sketch counts hashes in constant memory: a table of two-way sets in which a
// hash that is seen often stays, and others come and go.
type sketch struct {
	cells []cell           // a power of two
	seen  [rareKinds]int64 // hashes that were counted
	novel [rareKinds]int64 // of those, the ones that were new
	rate  [rareKinds]int32 // how much of the last hashes was new, of 1<<16
}

type cell struct{ tag, count uint16 }

const (
	fewCells  = 1 << 11 // for a text of one batch
	manyCells = 1 << 15
)

func newSketch(cells int) *sketch { return &sketch{cells: make([]cell, cells)} }

func (s *sketch) at(kind int, h uint32) (*cell, *cell, uint16) {
	h = (h + uint32(kind)*0x61c88647) * 0x9e3779b1
	i := h >> 16 & uint32(len(s.cells)-1)
	return &s.cells[i], &s.cells[i^1], uint16(h)
}

// add counts h and returns how often it was seen. If it is new, surprise is the rarity
// of new hashes among the last ones of its kind, in bits.
func (s *sketch) add(kind int, h uint32) (count, surprise int) {
	a, b, tag := s.at(kind, h)
	s.seen[kind]++
	rate := s.rate[kind]
	if s.seen[kind] == 1 {
		rate = 1 << 16
	}
	switch {
	case a.tag == tag && a.count > 0:
		count = a.bump()
	case b.tag == tag && b.count > 0:
		count = b.bump()
	default:
		if b.count < a.count {
			a = b
		}
		if a.count > 1 {
			a.count /= 2
		} else {
			*a = cell{tag, 1}
		}
		s.novel[kind]++
		s.rate[kind] = rate + (1<<16-rate)>>6
		return 1, rateBits(rate)
	}
	s.rate[kind] = rate - rate>>6
	return count, 0
}

// repeat counts the hashes of so many lines alike if none of them is new, and reports whether
// none is.
func (s *sketch) repeat(kinds *[rareKinds]uint32, lines int) bool {
	var cells [rareKinds]*cell
	for k, h := range kinds {
		if h == 0 {
			continue
		}
		a, b, tag := s.at(k, h)
		if a.tag != tag || a.count == 0 {
			if a = b; a.tag != tag || a.count == 0 {
				return false
			}
		}
		cells[k] = a
	}
	for k, c := range cells {
		if c != nil {
			c.count += uint16(min(lines, 1<<16-1-int(c.count)))
			s.seen[k] += int64(lines)
			s.rate[k] = decayed(s.rate[k], lines)
		}
	}
	return true
}

// decayed returns a share among the last lines, after so many lines that do not count for it.
func decayed[T int | int32](share T, lines int) T {
	for ; lines > 0 && share>>6 > 0; lines-- {
		share -= share >> 6
	}
	return share
}

// raise counts h, which was added, n more times and returns how often it was seen.
func (s *sketch) raise(kind int, h uint32, n uint16) int {
	a, b, tag := s.at(kind, h)
	switch {
	case a.tag == tag:
	case b.tag == tag:
		a = b
	default:
		return 1
	}
	a.count += min(n, 1<<16-1-a.count)
	return int(a.count)
}

func (c *cell) bump() int {
	if c.count < 1<<16-1 {
		c.count++
	}
	return int(c.count)
}

// count returns how often h was seen, and 1 if its cell was reused.
func (s *sketch) count(kind int, h uint32) int {
	a, b, tag := s.at(kind, h)
	switch {
	case a.tag == tag && a.count > 0:
		return int(a.count)
	case b.tag == tag && b.count > 0:
		return int(b.count)
	}
	return 1
}

// surprise returns the rarity, in bits, of a hash that occurs once in all of the text.
func (s *sketch) surprise(kind int) int { return log2(s.seen[kind], s.novel[kind]) }

// rateBits returns the rarity, in bits, of what has a share of rate/(1<<16).
func rateBits(rate int32) int {
	if rate <= 0 {
		return 0
	}
	return 16 - bits.Len32(uint32(rate-1))
}

// log2 returns the binary logarithm of n/m, rounded down.
func log2(n, m int64) int {
	if m <= 0 || n <= m {
		return 0
	}
	return bits.Len64(uint64(n/m)) - 1
}
