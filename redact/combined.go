package redact

import (
	"sync"

	"github.com/envwrap/envwrap/redact/internal/ascii"
)

// A combined finds the literals of the built-in rules and known values in one pass
// over a long text. It is the search for the literals, with windows of the
// known values in its tables besides.
type combined struct {
	known  *knownSet
	filter *prefilter
}

// maxCombined is the most needles that are put into tables with the literals: with
// more, too many windows would look like one of theirs.
const maxCombined = 512

// newCombined returns nil where the known values are better looked for by
// themselves.
func newCombined(known *knownSet) *combined {
	if len(known.needles) == 0 || len(known.needles) > maxCombined {
		return nil
	}
	rules := builtin()
	filter := indexed(rules.filter.lits, rules.filter.index)
	filter.table = sync.OnceValue(func() *pairTable {
		t := newPairTable(filter.lits)
		for i := range known.needles {
			enterNeedle(t, known.needles[i].text, i%buckets)
		}
		return t
	})
	return &combined{known, filter}
}

// enterNeedle puts the windows of the needle into the bucket k.
func enterNeedle(t *pairTable, needle []byte, k int) {
	for _, off := range windowOffsets(needle) {
		t.begin[pairAt(needle[off:])] |= 1 << k
		t.end[pairAt(needle[off+pairBytes:])] |= 1 << k
		l := literal{text: string(needle)}
		w := windowOf(l, off)
		t.near.enter(&w, l, off)
	}
}

// windowOffsets returns the offsets of two windows of the needle, one of each parity: of
// two of a parity that with more bytes that are rare in words.
func windowOffsets(needle []byte) [2]int {
	var at [2]int
	for parity := range at {
		at[parity] = parity
		if rare(needle[parity+pairBytes:][:windowSize]) > rare(needle[parity:][:windowSize]) {
			at[parity] += pairBytes
		}
	}
	return at
}

// rare counts the bytes of b that words do not have.
func rare(b []byte) int {
	n := 0
	for _, c := range b {
		if !ascii.Is(c, ascii.Lower|ascii.Blank) {
			n++
		}
	}
	return n
}

// find appends the literals in b to hits and the known values to spans, both in
// order.
func (c *combined) find(hits []hit, spans []span, b []byte, at *places) ([]hit, []span) {
	from := len(hits)
	for i := range c.filter.candidates(b, at) {
		hits = c.filter.verify(hits, b, i)
		if i+windowSize <= len(b) {
			spans = c.known.at(spans, b, i)
		}
	}
	return builtin().sift(hits, from, b), c.known.finish(spans, b)
}
