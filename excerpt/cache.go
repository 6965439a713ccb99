package excerpt

import "unicode/utf8"

// A factCache stores the facts of lines by their classes: see [pairTable]. Most lines of a
// long log repeat an earlier one but for numbers and digests, and are not scanned again.
// The facts of a line with a word of evidence depend on which of its numbers are 0, too;
// those that depend on other digits are not stored. Two lines of the same words in another
// order are of one class if they begin and end alike.
type factCache struct {
	pairs *pairTable
	lines [1 << memoBits]cachedFacts
	base  uint64 // key of the line that was looked up last, without zeroes
}

const memoBits = 12

type cachedFacts struct {
	key     uint64
	facts   facts
	zeroes  bool // lines of this key have evidence, and entries for each choice of zeroes
	telling bool // the lines may matter for other reasons than their rarity
	lines   int  // in the tally
}

func newFactCache() *factCache { return &factCache{pairs: linePairs()} }

// find returns the entry for a line, and the line's key; nil if the line has control
// characters, is not UTF-8 or is longer than one piece. The entry has the line's facts if
// it has the same key.
func (m *factCache) find(line []byte) (*cachedFacts, uint64) {
	if m == nil || len(line) > wholeLine {
		return nil, 0
	}
	sum, key := m.pairs.of(line)
	if sum&(pairField*controlCount) != 0 || sum&(pairField*foreignCount) != 0 && !utf8.Valid(line) {
		return nil, 0
	}
	known := m.entry(key)
	m.base = key
	if known.key == key && known.zeroes {
		return m.withZeroes(line)
	}
	return known, key
}

// entry returns the place of the entry for a key.
func (m *factCache) entry(key uint64) *cachedFacts {
	return &m.lines[key>>(64-memoBits)]
}

// withZeroes returns the entry for the line that was looked up last by the numbers in it
// that are 0, too, and its key.
func (m *factCache) withZeroes(line []byte) (*cachedFacts, uint64) {
	key := mixAt(m.base+zeroes(line), 4) | 1
	return m.entry(key), key
}

// store keeps the facts of the line that was looked up last, unless they depend on
// digits. known and key are the result of find.
func (m *factCache) store(known *cachedFacts, key uint64, s *scan) {
	if s.digits {
		return
	}
	if s.matched && key == m.base {
		*known = cachedFacts{key: key, zeroes: true}
		known, key = m.withZeroes(s.text)
	}
	f := &s.facts
	*known = cachedFacts{key: key, facts: *f, telling: f.score != 0 || f.why != 0 || f.ended || f.cause}
}
