package redact

import (
	"sync"

	"github.com/envwrap/envwrap/redact/internal/ascii"
)

// A joint finds the literals of the built-in rules and known values in one pass
// over a long text. It is the prefilter of the literals, with windows of the
// known values in its tables besides.
type joint struct {
	rules  *ruleSet
	known  *knownSet
	filter *prefilter
}

// maxJoint is the most needles that are put into tables with the literals: with
// more, too many windows would look like one of theirs.
const maxJoint = 512

// newJoint returns nil where the known values are better looked for by
// themselves.
func newJoint(rules *ruleSet, known *knownSet) *joint {
	if len(known.needles) == 0 || len(known.needles) > maxJoint {
		return nil
	}
	filter := indexed(rules.filter.lits, rules.filter.index)
	filter.table = sync.OnceValue(func() *pairTable {
		t := newPairTable(filter.lits)
		for i := range known.needles {
			known.needles[i].enter(t, i%buckets)
		}
		return t
	})
	return &joint{rules, known, filter}
}

// enter puts the windows of the needle into the bucket k.
func (n *needle) enter(t *pairTable, k int) {
	for _, off := range n.offsets() {
		t.begin[pairAt(n.text[off:])] |= 1 << k
		t.end[pairAt(n.text[off+pairBytes:])] |= 1 << k
		l := literal{text: string(n.text)}
		w := windowOf(l, off)
		t.near.enter(&w, l, off)
	}
}

// offsets returns those of two windows of the needle, one of each parity: the one
// with more in it that is rare in words.
func (n *needle) offsets() [2]int {
	var at [2]int
	for parity := range at {
		at[parity] = parity
		if rare(n.text[parity+pairBytes:][:windowSize]) > rare(n.text[parity:][:windowSize]) {
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
func (j *joint) find(hits []hit, spans []span, b []byte, at *places) ([]hit, []span) {
	from := len(hits)
	for i := range j.filter.candidates(b, at) {
		hits = j.filter.verify(hits, b, i)
		if i+windowSize <= len(b) {
			spans = j.known.at(spans, b, i)
		}
	}
	return j.rules.sift(hits, from, b), j.known.finish(spans, b)
}
