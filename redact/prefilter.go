package redact

import (
	"encoding/binary"
	"sync"
)

// A literal is a fixed string that every match of some rule contains.
type literal struct {
	text string
	fold bool // in either case; text is in lower case
}

// A hit is a literal found in a text.
type hit struct {
	lit int
	pos int
}

// A prefilter finds many literals at once. It looks at pairs of bytes at even
// offsets only, through one table: the low half of an entry has a bit for each
// bucket in which the pair begins a window, the high half for each in which it
// ends one. A window is four bytes in or around a literal; each literal has
// one for each parity, chosen as rare in ordinary text. Where both halves
// agree, the windows with the same middle bytes are compared.
//
// Short texts go without the table, which is made when it is first needed:
// they look for windows at every even offset.
type prefilter struct {
	lits  []record
	table func() *pairTable
	heads [1 << 11]uint16 // by hash of the middle bytes: index into chain, plus 1
	chain []link
}

// A pairTable tells of each pair of bytes where in windows it stands.
type pairTable [1 << 16]uint32

// A record is a literal, the rule that it is of, and its windows.
type record struct {
	literal
	of      kind
	arg     uint16 // which rule of the kind
	windows [2]windowChoice
}

// shortText is the most bytes that are searched without the table: commands,
// messages, and the output of most commands.
const shortText = 16 << 10

// A link is a window in the list of those with the same hash.
type link struct {
	want uint32 // the window's bytes, under mask, letters folded where fold has a bit
	mask uint32
	fold uint32
	lit  uint16
	next uint16
	off  int8 // of the window's first byte in the literal; -1 is before it
}

// A windowChoice says where a literal's window of one parity is, and its
// bucket.
type windowChoice struct {
	off    int8
	bucket uint8
}

const (
	buckets    = 16
	bucketBits = 1<<buckets - 1
)

func middle(a, b byte) uint32 { return (uint32(a)*37 ^ uint32(b)*11) & (1<<11 - 1) }

// newPrefilter lists the windows.
func newPrefilter(lits []record) *prefilter {
	p := &prefilter{lits: lits, chain: make([]link, 0, 2*len(lits))}
	for i := range lits {
		for _, c := range lits[i].windows {
			p.add(i, int(c.off))
		}
	}
	p.table = sync.OnceValue(p.fill)
	return p
}

// add puts the window at off of the literal i into its list.
func (p *prefilter) add(i, off int) {
	w := windowOf(p.lits[i].literal, off)
	l := link{lit: uint16(i), off: int8(off)}
	for k, b := range w.bytes {
		if w.known[k] {
			l.mask |= 0xff << (8 * k)
			l.want |= uint32(b) << (8 * k)
			l.fold |= uint32(w.other(k)) << (8 * k)
		}
	}
	h := middle(w.bytes[1]|caseBit, w.bytes[2]|caseBit)
	l.next = p.heads[h]
	p.chain = append(p.chain, l)
	p.heads[h] = uint16(len(p.chain))
}

// fill makes the table.
func (p *prefilter) fill() *pairTable {
	t := new(pairTable)
	for i := range p.lits {
		for _, c := range p.lits[i].windows {
			w := windowOf(p.lits[i].literal, int(c.off))
			t.set(w, 0, 1<<c.bucket)
			t.set(w, 2, 1<<(c.bucket+buckets))
		}
	}
	return t
}

// set sets bits for every pair that the bytes k and k+1 of w can be.
func (t *pairTable) set(w window4, k int, bits uint32) {
	x, y := int(w.bytes[k]), int(w.bytes[k+1])<<8
	x2, y2 := x-int(w.other(k)), y-int(w.other(k+1))<<8
	switch {
	case !w.known[k]:
		for i := range 256 {
			t[y|i] |= bits
			t[y2|i] |= bits
		}
	case !w.known[k+1]:
		for i := range 256 {
			t[i<<8|x] |= bits
			t[i<<8|x2] |= bits
		}
	default:
		t[y|x] |= bits
		t[y|x2] |= bits
		t[y2|x] |= bits
		t[y2|x2] |= bits
	}
}

// caseBit is what small and capital letters differ in.
const caseBit = 0x20

// A window4 is four bytes of a literal, or beyond its ends, where any will do.
type window4 struct {
	bytes [4]byte
	known [4]bool
	fold  bool
}

func windowOf(l literal, off int) window4 {
	w := window4{fold: l.fold}
	for k := range w.bytes {
		if i := off + k; i >= 0 && i < len(l.text) {
			w.bytes[k], w.known[k] = l.text[i], true
		}
	}
	return w
}

// other is the bit in which byte k may differ, 0 where there is none.
func (w *window4) other(k int) byte {
	if w.fold && is(w.bytes[k], lower) {
		return caseBit
	}
	return 0
}

// find appends the literals in b to hits, in the order of their windows.
func (p *prefilter) find(hits []hit, b []byte) []hit {
	i := 0
	if len(b) > shortText {
		table := p.table()
		t0 := table[binary.LittleEndian.Uint16(b)]
		for ; i+10 <= len(b); i += 8 {
			w := b[i : i+10 : i+10]
			x := binary.LittleEndian.Uint64(w)
			t1 := table[uint16(x>>16)]
			t2 := table[uint16(x>>32)]
			t3 := table[uint16(x>>48)]
			t4 := table[binary.LittleEndian.Uint16(w[8:])]
			m := t0&(t1>>buckets) | t1&(t2>>buckets) | t2&(t3>>buckets) | t3&(t4>>buckets)
			if m&bucketBits != 0 {
				hits = p.group(hits, b, i, t0, t1, t2, t3, t4)
			}
			t0 = t4
		}
	}
	// The end, where a window may hang over: every even offset is tried.
	for ; i+2 < len(b); i += 2 {
		hits = p.verify(hits, b, i)
	}
	return hits
}

// group verifies those of the four pairs at b[i:] that begin a window.
func (p *prefilter) group(hits []hit, b []byte, i int, t0, t1, t2, t3, t4 uint32) []hit {
	if t0&(t1>>buckets)&bucketBits != 0 {
		hits = p.verify(hits, b, i)
	}
	if t1&(t2>>buckets)&bucketBits != 0 {
		hits = p.verify(hits, b, i+2)
	}
	if t2&(t3>>buckets)&bucketBits != 0 {
		hits = p.verify(hits, b, i+4)
	}
	if t3&(t4>>buckets)&bucketBits != 0 {
		hits = p.verify(hits, b, i+6)
	}
	return hits
}

// verify appends the literals that have a window at b[i:], of which three
// bytes are there.
func (p *prefilter) verify(hits []hit, b []byte, i int) []hit {
	n := p.heads[middle(b[i+1]|caseBit, b[i+2]|caseBit)]
	if n == 0 {
		return hits
	}
	var x uint32
	if i+4 <= len(b) {
		x = binary.LittleEndian.Uint32(b[i:])
	} else {
		x = uint32(b[i]) | uint32(b[i+1])<<8 | uint32(b[i+2])<<16
	}
	for n != 0 {
		l := &p.chain[n-1]
		n = l.next
		if (x|l.fold)&l.mask != l.want {
			continue
		}
		if start := i - int(l.off); start >= 0 && p.lits[l.lit].at(b[start:]) {
			hits = append(hits, hit{int(l.lit), start})
		}
	}
	return hits
}

// at reports whether b begins with the literal.
func (l *literal) at(b []byte) bool {
	if len(b) < len(l.text) {
		return false
	}
	if l.fold {
		return hasFold(b, l.text)
	}
	return string(b[:len(l.text)]) == l.text
}
