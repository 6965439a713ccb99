package literal

import "math"

// A windowIndex finds the windows of literals by their hashes.
type windowIndex struct {
	groups [2 << (headBits - groupBits)]uint16 // by the upper bits of a hash: where the windows of its group begin in list
	heads  [2 << (headBits - groupBits)]group
	seen   [2 << (hashBits - 6)]uint64 // a bit for each hash
	list   []listed
}

// A group has the windows of 1<<groupBits heads: the offsets of those of each among those
// of the group, and the end of the last ones. A new window changes only its group.
type group [1<<groupBits + 1]uint16

// A window has the hash of its first three bytes. If it begins before its literal it has
// that of the last three, in a second range of as many.
const (
	hashBits  = 16
	headBits  = 12 // the upper ones of a hash
	groupBits = 5  // the lower ones of these
)

// A listed window has all that text is compared with, so that windows that are compared
// one after another are beside each other in memory.
type listed struct {
	want, mask uint32 // the bytes of the window, and the bits of them that count
	lit        uint16
	off        int8
	is         windowFlags

	// One more byte of a literal that is not within the window, far from it, and where
	// that is from the start of the window.
	far, farMask byte
	farAt        int8
}

type windowFlags uint8

const (
	isWhole windowFlags = 1 << iota // the literal is within the window
	isStart                         // the literal is not found within a word
)

// trigram returns a hash of the first three bytes of x, letters in either case.
func trigram(x uint32) uint32 {
	const mix = 0x9e3779b1 // 2^32 over the golden ratio
	return (x | caseBit<<16 | caseBit<<8 | caseBit) << 8 * mix >> (32 - hashBits)
}

// newWindowIndex lists the windows of literals.
func newWindowIndex(lits []entry) *windowIndex {
	x := &windowIndex{list: make([]listed, 2*len(lits))}
	for i := range lits {
		for _, w := range lits[i].windows {
			h := lits[i].listed(w).hash()
			x.seen[h>>6] |= 1 << (h & 63)
			g, head := headOf(h)
			x.heads[g][head]++
		}
	}
	n := uint16(0)
	for g := range x.heads {
		x.groups[g] = n
		heads := &x.heads[g]
		for i := range len(heads) - 1 {
			heads[i+1] += heads[i]
		}
		n += heads[len(heads)-1]
	}
	for i := range lits {
		for _, w := range lits[i].windows {
			l := lits[i].listed(w)
			l.lit = uint16(i)
			g, i := headOf(l.hash())
			head := &x.heads[g][i]
			*head--
			x.list[x.groups[g]+*head] = l
		}
	}
	return x
}

// headOf returns the group of the hash h, and its head there.
func headOf(h uint32) (g, head uint32) {
	h >>= hashBits - headBits
	return h >> groupBits, h & (1<<groupBits - 1)
}

// under returns the windows that may have the hash h.
func (x *windowIndex) under(h uint32) []listed {
	g, head := headOf(h)
	from, heads := x.groups[g], &x.heads[g]
	return x.list[from+heads[head] : from+heads[head+1]]
}

// listed returns w as it is listed, without the number of the literal.
func (e *entry) listed(w window) listed {
	l := listed{off: w.off}
	if l.off <= 0 && len(e.Text) <= windowSize+int(l.off) {
		l.is |= isWhole
	}
	if e.Start {
		l.is |= isStart
	}
	if l.is&isWhole == 0 {
		k := 0
		if l.off <= 0 {
			k = min(len(e.Text)-1, math.MaxInt8+int(l.off))
		}
		c := patternOf(&e.Literal, k)
		l.far, l.farMask, l.farAt = c.bytes[0], 0xff&^c.other(0), int8(k-int(l.off))
	}
	v := patternOf(&e.Literal, int(l.off))
	for i, b := range v.bytes {
		if v.known[i] {
			l.want |= uint32(b) << (8 * i)
			l.mask |= uint32(0xff&^v.other(i)) << (8 * i)
		}
	}
	return l
}

// hash returns the hash of the window.
func (l listed) hash() uint32 {
	if l.off < 0 {
		return 1<<hashBits + trigram(l.want>>8)
	}
	return trigram(l.want)
}

// has reports whether there may be a window with the hash h.
func (x *windowIndex) has(h uint32) bool { return x.seen[h>>6]>>(h&63)&1 != 0 }
