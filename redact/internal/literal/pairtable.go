package literal

import (
	"encoding/binary"

	"github.com/envwrap/envwrap/redact/internal/ascii"
)

// A pairTable has for each pair of bytes a bit for each bucket in which it begins or ends
// a window. The gap puts the pairs of letters of the two tables into different sets of a
// cache whose ways have 4 KiB.
type pairTable struct {
	begin [1 << 16]bucketSet
	_     [128]bucketSet
	end   [1 << 16]bucketSet
	near  neighborTable
	sets  *classSets
}

// A bucketSet has a bit for each bucket, and otherPair.
type bucketSet uint32

// buckets is how many there are for windows. One bit more of a set is for pairs that are
// not of words.
const (
	buckets    = 31
	bucketBits = 1<<buckets - 1
	otherPair  = 1 << buckets
)

// newPairTable makes the table of the windows of literals.
func newPairTable(lits []entry) *pairTable {
	t := &pairTable{sets: newClassSets()}
	var begin, end edges
	for i := range lits {
		for _, c := range lits[i].windows {
			w := patternOf(&lits[i].Literal, int(c.off))
			begin.set(&t.begin, &w, 0, 1<<c.bucket)
			end.set(&t.end, &w, 2, 1<<c.bucket)
			t.near.enter(&w, &lits[i].Literal, int(c.off), t.sets)
		}
	}
	begin.spread(&t.begin)
	end.spread(&t.end)
	t.enterOthers()
	return t
}

// enterNeedle puts two windows of a needle into the bucket k.
func (t *pairTable) enterNeedle(needle []byte, step, k int) {
	l := Literal{Text: string(needle)}
	for _, off := range needleWindows(needle, step) {
		t.begin[pairAt(needle[off:])] |= 1 << k
		t.end[pairAt(needle[off+pairBytes:])] |= 1 << k
		w := patternOf(&l, off)
		t.near.enter(&w, &l, off, t.sets)
	}
}

// needleWindows returns the offsets of two windows of the needle, one of each parity, of
// those that begin in its first step bytes: that with more bytes that are rare in text.
func needleWindows(needle []byte, step int) [2]int {
	var at [2]int
	for parity := range at {
		at[parity] = parity
		for off := parity + pairBytes; off < step && off+windowSize <= len(needle); off += pairBytes {
			if rare(needle[off:][:windowSize]) > rare(needle[at[parity]:][:windowSize]) {
				at[parity] = off
			}
		}
	}
	return at
}

// rare returns how rare b is in text: words do not have capitals and signs, and have few
// digits.
func rare(b []byte) int {
	n := 0
	for _, c := range b {
		switch {
		case ascii.Is(c, ascii.Lower|ascii.Blank):
		case ascii.Is(c, ascii.Digit):
			n++
		default:
			n += 2
		}
	}
	return n
}

// edges are the buckets of pairs of which one byte may be any, by the other one.
type edges struct{ anyFirst, anySecond [256]bucketSet }

// set sets bits for every pair that the bytes k and k+1 of w can be.
func (e *edges) set(t *[1 << 16]bucketSet, w *pattern, k int, bits bucketSet) {
	x, y := w.bytes[k], w.bytes[k+1]
	x2, y2 := x-w.other(k), y-w.other(k+1)
	switch {
	case !w.known[k]:
		e.anyFirst[y] |= bits
		e.anyFirst[y2] |= bits
	case !w.known[k+1] && w.next != 0:
		for y := range byte(128) {
			if ascii.Is(y, w.next) {
				t[pair16(x, y)] |= bits
				t[pair16(x2, y)] |= bits
			}
		}
	case !w.known[k+1]:
		e.anySecond[x] |= bits
		e.anySecond[x2] |= bits
	default:
		t[pair16(x, y)] |= bits
		t[pair16(x2, y)] |= bits
		t[pair16(x, y2)] |= bits
		t[pair16(x2, y2)] |= bits
	}
}

// spread sets the bits of the pairs of which one byte may be any.
func (e *edges) spread(t *[1 << 16]bucketSet) {
	seconds := make([]int, 0, 256) // of anySecond: most bytes have none
	for x, bits := range e.anySecond {
		if bits != 0 {
			seconds = append(seconds, x)
		}
	}
	for y, first := range e.anyFirst {
		row := t[pair16(0, byte(y)):][:256] // of the pairs that end in y
		if first != 0 {
			for x := range row {
				row[x] |= first
			}
		}
		for _, x := range seconds {
			row[x] |= e.anySecond[x]
		}
	}
}

func pair16(x, y byte) int { return int(x) | int(y)<<8 }

// enterOthers sets otherPair for the pairs that words with one space between them do not
// have: all begin such a window, and these end it.
func (t *pairTable) enterOthers() {
	for x := range t.begin {
		t.begin[x] |= otherPair
		t.end[x] |= otherPair
	}
	for x := byte('a'); x <= 'z'; x++ {
		t.end[pair16(x, ' ')] &^= otherPair
		t.end[pair16(' ', x)] &^= otherPair
		for y := byte('a'); y <= 'z'; y++ {
			t.end[pair16(x, y)] &^= otherPair
		}
	}
}

func pairAt(b []byte) uint16 { return binary.LittleEndian.Uint16(b) }
