package literal

import "encoding/binary"

// A neighborTable has, by a hash of a window, which bytes may be beside it in a literal: a
// bit for each byte modulo 32, in which letters differ, but not their cases. Zero is no
// window.
type neighborTable struct {
	whole  [1 << neighborBits]uint64 // before a window of four bytes, and after it in the upper half
	before [1 << neighborBits]uint32 // one whose last byte is after its literal
	after  [1 << neighborBits]uint32 // one whose first byte is before its literal
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
func (t *neighborTable) enter(w *pattern, l *Literal, off int) {
	x := binary.LittleEndian.Uint32(w.bytes[:]) | caseBits
	before, after := neighborOf(l, off-1), neighborOf(l, off+windowSize)
	switch {
	case !w.known[0]:
		t.after[neighborHash(x>>8)] |= after
	case !w.known[windowSize-1]:
		t.before[neighborHash(x<<8)] |= before
	default:
		t.whole[neighborHash(x)] |= uint64(after)<<32 | uint64(before)
	}
}

// neighborOf returns the bit of the byte of l at i, or all bits if l has no byte there.
func neighborOf(l *Literal, i int) uint32 {
	if i < 0 || i >= len(l.Text) {
		return anyByte
	}
	return 1 << (l.Text[i] & 31)
}

// keep keeps of the first n windows that were noted those that are in the table with the
// bytes beside them in b, which begins with the byte before the first. It has no branch that
// depends on the text.
func (t *neighborTable) keep(b []byte, at *Scratch, n uint32) uint32 {
	m := uint32(0)
	for _, i := range at.windows[:n] {
		y := binary.LittleEndian.Uint64(b[i:])
		x, before, after := uint32(y>>8)|caseBits, y&31, y>>40&31
		whole := t.whole[neighborHash(x)]
		one := uint32(whole>>before) & uint32(whole>>32>>after)
		one |= t.before[neighborHash(x<<8)]>>before | t.after[neighborHash(x>>8)]>>after
		at.windows[m%uint32(len(at.windows))] = i
		m += one & 1
	}
	return m
}
