package literal

import (
	"encoding/binary"
	"math/bits"

	"github.com/envwrap/envwrap/redact/internal/ascii"
)

// A neighborTable has, by a hash of a window, which bytes may be beside it where its literal
// is: a bit for each byte modulo 32, in which letters differ, but not their cases. Zero is no
// window.
type neighborTable struct {
	whole  [1 << neighborBits]uint64 // before a window of four bytes, and after it in the upper half
	before [1 << neighborBits]uint64 // the same of one whose last byte is after its literal
	after  [1 << neighborBits]uint64 // of one whose first byte is before its literal: the two after it
}

const (
	neighborBits = 13
	anyByte      = 1<<32 - 1
)

// neighborHash returns a hash of the bytes of a window that count, letters in either case.
func neighborHash(x uint32) uint32 {
	const mix = 0x9e3779b1 // 2^32 over the golden ratio
	return x * mix >> (32 - neighborBits)
}

const caseBits = caseBit<<24 | caseBit<<16 | caseBit<<8 | caseBit

// enter notes the bytes beside w, the pattern of the window of l at off.
func (t *neighborTable) enter(w *pattern, l *Literal, off int, sets *classSets) {
	x := binary.LittleEndian.Uint32(w.bytes[:]) | caseBits
	before, after := sets.neighborOf(l, off-1), sets.neighborOf(l, off+windowSize)
	switch {
	case !w.known[0]:
		t.after[neighborHash(x>>8)] |= sets.neighborOf(l, off+windowSize+1)<<32 | after
	case !w.known[windowSize-1]:
		t.before[neighborHash(x<<8)] |= after<<32 | before
	default:
		t.whole[neighborHash(x)] |= after<<32 | before
	}
}

// classSets has the bytes of each bit of a class: a bit for each byte modulo 32.
type classSets [16]uint32

func newClassSets() *classSets {
	sets := new(classSets)
	for c := range byte(128) {
		for k := ascii.ClassOf(c); k != 0; k &= k - 1 {
			sets[bits.TrailingZeros16(uint16(k))] |= 1 << (c & 31)
		}
	}
	return sets
}

// neighborOf returns the bit of the byte of l at i, or those of the bytes that may be there
// outside of l.
func (s *classSets) neighborOf(l *Literal, i int) uint64 {
	if i >= 0 && i < len(l.Text) {
		return 1 << (l.Text[i] & 31)
	}
	if i < 0 || l.next(i-len(l.Text)) == 0 {
		return anyByte
	}
	set := uint32(0)
	for k := l.Next; k != 0; k &= k - 1 {
		set |= s[bits.TrailingZeros16(uint16(k))]
	}
	return uint64(set)
}

// keep keeps of the first n windows that were noted those that are in the table with the
// bytes beside them in b, which begins with the byte before the first. It has no branch that
// depends on the text.
func (t *neighborTable) keep(b []byte, at *Scratch, n uint32) uint32 {
	m := uint32(0)
	for _, i := range at.windows[:n] {
		y := binary.LittleEndian.Uint64(b[i:])
		x, before, after, second := uint32(y>>8)|caseBits, y&31, y>>40&31, y>>48&31
		whole := t.whole[neighborHash(x)] | t.before[neighborHash(x<<8)]
		next := t.after[neighborHash(x>>8)]
		one := uint32(whole>>before)&uint32(whole>>32>>after) | uint32(next>>after)&uint32(next>>32>>second)
		at.windows[m%uint32(len(at.windows))] = i
		m += one & 1
	}
	return m
}
