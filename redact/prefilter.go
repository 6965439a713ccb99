package redact

import (
	"encoding/binary"
	"iter"
	"sync"
)

// A prefilter finds many literals at once. It looks at windows of four bytes
// at even offsets only: each literal has one for each parity, in or around it,
// chosen as rare in ordinary text. In a long text, a table of pairs of bytes
// shows where windows may be (see sieve.go); in a short one every even offset is
// tried.
type prefilter struct {
	lits  []record
	index *windowIndex
	table func() *pairTable
}

// shortText is the most bytes that are searched without the table: commands,
// messages, and the output of most commands.
const shortText = 16 << 10

// beforeTable is how many bytes of a stream are searched without the table: to search
// as many again costs what it costs to make the table in a new process.
const beforeTable = 64 << 10

// newPrefilter makes the index of the literals.
func newPrefilter(lits []record) *prefilter { return indexed(lits, newWindowIndex(lits)) }

// indexed returns the prefilter of literals that have an index.
func indexed(lits []record, x *windowIndex) *prefilter {
	return &prefilter{lits: lits, index: x, table: sync.OnceValue(func() *pairTable { return newPairTable(lits) })}
}

// find appends the literals in b to hits. at is scratch space for a search with the
// table; without it the table is not made.
func (p *prefilter) find(hits []hit, b []byte, at *places) []hit {
	for i := range p.candidates(b, at) {
		hits = p.verify(hits, b, i)
	}
	return hits
}

// candidates returns the even offsets in b where windows may be, in order.
func (p *prefilter) candidates(b []byte, at *places) iter.Seq[int] {
	return func(yield func(int) bool) {
		i := 0
		if at != nil {
			t := p.table()
			if !yield(i) {
				return // of the first window nothing is before it
			}
			at.begin()
			for i += pairBytes; i+groupBytes+beyond <= len(b); {
				size := min(stretch, (len(b)-i-beyond)/groupBytes*groupBytes)
				for _, k := range at.windows[:t.sieve(b[i-1:i+size+beyond], i, at)] {
					if !yield(i + int(k)) {
						return
					}
				}
				i += size
			}
		}
		// The end, where a window may hang over.
		for ; i+2 < len(b); i += 2 {
			if !yield(i) {
				return
			}
		}
	}
}

// verify appends the literals that have a window at b[i:], of which three
// bytes are there.
func (p *prefilter) verify(hits []hit, b []byte, i int) []hit {
	var x uint32
	if i+4 <= len(b) {
		x = binary.LittleEndian.Uint32(b[i:])
	} else {
		x = uint32(b[i]) | uint32(b[i+1])<<8 | uint32(b[i+2])<<16
	}
	if h := trigram(x); p.index.has(h) {
		hits = p.compare(hits, b, i, x, h)
	}
	if h := 1<<hashBits + trigram(x>>8); p.index.has(h) {
		hits = p.compare(hits, b, i, x, h)
	}
	return hits
}

// compare appends those of the literals with the hash h whose window is x, at
// b[i:].
func (p *prefilter) compare(hits []hit, b []byte, i int, x, h uint32) []hit {
	list := p.index.under(h)
	for j := range list {
		w := &list[j]
		if (x^w.want)&w.mask != 0 {
			continue
		}
		if k := i + int(w.farAt); k < 0 || k >= len(b) || (b[k]^w.far)&w.farMask != 0 {
			continue
		}
		start := i - int(w.off)
		if start < 0 || w.is&isPrefix != 0 && withinWord(b, start) {
			continue
		}
		if w.is&isWhole != 0 || p.lits[w.lit].at(b[start:]) {
			hits = append(hits, hit{int(w.lit), start})
		}
	}
	return hits
}
