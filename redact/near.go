package redact

import "encoding/binary"

// A nearTable has, by a hash of a window, what may be beside it: a bit for each byte
// modulo 32, in which letters differ, but not their cases. Zero is no window.
type nearTable struct {
	whole  [1 << nearBits]uint64 // before a window of four bytes, and after it in the upper half
	before [1 << nearBits]uint32 // one whose last byte is after its literal
	after  [1 << nearBits]uint32 // one whose first byte is before its literal
}

const (
	nearBits = 13
	anyByte  = 1<<32 - 1
)

// nearHash hashes the bytes of a window that count, letters in either case.
func nearHash(x uint32) uint32 {
	const mix = 0x9e3779b1 // 2^32 over the golden ratio
	return x * mix >> (32 - nearBits)
}

const caseBits = caseBit<<24 | caseBit<<16 | caseBit<<8 | caseBit

// enter notes what is beside w, the window of l at off.
func (t *nearTable) enter(w *window4, l literal, off int) {
	x := binary.LittleEndian.Uint32(w.bytes[:]) | caseBits
	before, after := besideOf(l, off-1), besideOf(l, off+windowSize)
	switch {
	case !w.known[0]:
		t.after[nearHash(x>>8)] |= after
	case !w.known[windowSize-1]:
		t.before[nearHash(x<<8)] |= before
	default:
		t.whole[nearHash(x)] |= uint64(after)<<32 | uint64(before)
	}
}

// besideOf returns the bit of the byte of l at i, or of any where l is not there.
func besideOf(l literal, i int) uint32 {
	if i < 0 || i >= len(l.text) {
		return anyByte
	}
	return 1 << (l.text[i] & 31)
}

// keep keeps of the first n windows that were noted those that are in the table, and
// beside which in b is what may be there; b begins with the byte before the first. It
// has no branch that depends on the text.
func (t *nearTable) keep(b []byte, at *places, n uint32) uint32 {
	m := uint32(0)
	for _, i := range at.windows[:n] {
		y := binary.LittleEndian.Uint64(b[i:])
		x, before, after := uint32(y>>8)|caseBits, y&31, y>>40&31
		whole := t.whole[nearHash(x)]
		one := uint32(whole>>before) & uint32(whole>>32>>after)
		one |= t.before[nearHash(x<<8)]>>before | t.after[nearHash(x>>8)]>>after
		at.windows[m%uint32(len(at.windows))] = i
		m += one & 1
	}
	return m
}
