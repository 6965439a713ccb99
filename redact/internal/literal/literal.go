// Package literal finds many fixed strings in a text at once.
//
// A [Searcher] looks at windows of four bytes at even offsets only: each literal has one
// for each parity, in or around it, chosen as rare in ordinary text. In a long text a table
// of pairs of bytes shows where windows may be (filter.go); in a short one every even
// offset is tried. An index of the windows (index.go) then names the literals to compare.
//
// The literals of the built-in rules, with windows chosen over samples of logs and the
// index of them, are linked into the program (builtin_gen.go): nothing is made of them when
// it starts.
package literal

import (
	"encoding/binary"
	"iter"
	"sync"
)

// A Hit is a literal, by its index in the searcher's list, found at a position.
type Hit struct{ Index, Pos int }

// A Searcher finds literals. It is safe for concurrent use.
type Searcher struct {
	lits  []entry
	index *windowIndex
	table func() *pairTable
}

// New returns a searcher for literals of three bytes and more.
func New(lits []Literal) *Searcher {
	entries := make([]entry, len(lits))
	for i, l := range lits {
		b := uint8(i % buckets)
		entries[i] = entry{Literal: l, windows: [2]window{{off: 0, bucket: b}, {off: -1, bucket: b}}}
	}
	return indexed(entries, newWindowIndex(entries))
}

// Builtin returns the searcher for the literals of the built-in rules.
var Builtin = sync.OnceValue(func() *Searcher { return indexed(builtin[:], &builtinIndex) })

// indexed returns the searcher for literals that have an index.
func indexed(lits []entry, x *windowIndex) *Searcher {
	return &Searcher{lits: lits, index: x, table: sync.OnceValue(func() *pairTable { return newPairTable(lits) })}
}

// With returns a searcher whose Candidates in a long text are also the offsets of windows
// of the needles, which begin in their first step bytes and which Verify does not know.
// The needles have three bytes more than step.
func (s *Searcher) With(needles [][]byte, step int) *Searcher {
	with := &Searcher{lits: s.lits, index: s.index}
	with.table = sync.OnceValue(func() *pairTable {
		t := newPairTable(s.lits)
		for i, n := range needles {
			t.enterNeedle(n, step, i%buckets)
		}
		return t
	})
	return with
}

// Len returns the number of literals.
func (s *Searcher) Len() int { return len(s.lits) }

// Literal returns the literal with an index.
func (s *Searcher) Literal(i int) *Literal { return &s.lits[i].Literal }

// Find appends the literals in b to hits, nearly in order. at is scratch space for a search
// with the table; without it the table is not made.
func (s *Searcher) Find(hits []Hit, b []byte, at *Scratch) []Hit {
	for i := range s.Candidates(b, at) {
		hits = s.Verify(hits, b, i)
	}
	return hits
}

// Candidates returns the even offsets in b where windows may be, in order. at is the
// scratch of Find.
func (s *Searcher) Candidates(b []byte, at *Scratch) iter.Seq[int] {
	return func(yield func(int) bool) {
		i := 0
		if at != nil {
			t := s.table()
			if !yield(i) {
				return // of the first window nothing is before it
			}
			at.begin()
			for i += pairBytes; i+GroupBytes+beyond <= len(b); {
				size := min(stretch, (len(b)-i-beyond)/GroupBytes*GroupBytes)
				for _, k := range at.windows[:t.filter(b[i-1:i+size+beyond], i, at)] {
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

// Verify appends to hits the literals that have a window at b[i:], of which three bytes
// are there.
func (s *Searcher) Verify(hits []Hit, b []byte, i int) []Hit {
	var x uint32
	if i+4 <= len(b) {
		x = binary.LittleEndian.Uint32(b[i:])
	} else {
		x = uint32(b[i]) | uint32(b[i+1])<<8 | uint32(b[i+2])<<16
	}
	if h := trigram(x); s.index.has(h) {
		hits = s.compare(hits, b, i, x, s.index.under(h))
	}
	if h := 1<<hashBits + trigram(x>>8); s.index.has(h) {
		hits = s.compare(hits, b, i, x, s.index.under(h))
	}
	return hits
}

// compare appends those of the literals of list whose window is x, at b[i:].
func (s *Searcher) compare(hits []Hit, b []byte, i int, x uint32, list []listed) []Hit {
	for j := range list {
		if w := &list[j]; (x^w.want)&w.mask == 0 && s.at(w, b, i) {
			hits = append(hits, Hit{int(w.lit), i - int(w.off)})
		}
	}
	return hits
}

// at reports whether the literal of w, the window at b[i:], is there.
func (s *Searcher) at(w *listed, b []byte, i int) bool {
	if k := i + int(w.farAt); uint(k) >= uint(len(b)) || (b[k]^w.far)&w.farMask != 0 {
		return false
	}
	start := i - int(w.off)
	if start < 0 || w.is&isStart != 0 && withinWord(b, start) {
		return false
	}
	l := &s.lits[w.lit].Literal
	return (w.is&isWhole != 0 || l.At(b[start:])) && (l.Nexts == 0 || l.goesOn(b[min(len(b), start+len(l.Text)):]))
}
