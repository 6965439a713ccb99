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
// The table takes a millisecond to fill, so that short texts go without: they
// look for windows at every even offset.
type prefilter struct {
	lits    []literal
	choices [][2]windowChoice
	table   func() *[1 << 16]uint16 // made when it is first needed
	heads   [1 << 11]uint16         // by hash of the middle bytes: index into chain, plus 1
	chain   []link
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
	buckets    = 8
	bucketBits = 1<<buckets - 1
)

func middle(a, b byte) uint32 { return (uint32(a)*37 ^ uint32(b)*11) & (1<<11 - 1) }

// newPrefilter lists the windows. choices has two for each literal, of even
// and of odd offset.
func newPrefilter(lits []literal, choices [][2]windowChoice) *prefilter {
	p := &prefilter{lits: lits, choices: choices, chain: make([]link, 0, 2*len(lits))}
	for i := range lits {
		for _, c := range choices[i] {
			p.add(i, c)
		}
	}
	p.table = sync.OnceValue(p.fill)
	return p
}

// fill makes the table.
func (p *prefilter) fill() *[1 << 16]uint16 {
	table := new([1 << 16]uint16)
	for i := range p.lits {
		for _, c := range p.choices[i] {
			w := windowOf(p.lits[i], int(c.off))
			w.pairs(0, func(pair uint16) { table[pair] |= 1 << c.bucket })
			w.pairs(2, func(pair uint16) { table[pair] |= 1 << (c.bucket + buckets) })
		}
	}
	return table
}

func (p *prefilter) add(i int, c windowChoice) {
	w := windowOf(p.lits[i], int(c.off))
	l := link{lit: uint16(i), off: c.off}
	for k, b := range w.bytes {
		if !w.known[k] {
			continue
		}
		l.mask |= 0xff << (8 * k)
		if w.fold && is(b, lower) {
			l.fold |= 0x20 << (8 * k)
		}
		l.want |= uint32(b) << (8 * k)
	}
	h := middle(w.bytes[1]|0x20, w.bytes[2]|0x20)
	l.next = p.heads[h]
	p.chain = append(p.chain, l)
	p.heads[h] = uint16(len(p.chain))
}

// A window is four bytes of a literal, or beyond its ends, where any will do.
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

// pairs calls f with every pair that the window's bytes k and k+1 can be.
func (w *window4) pairs(k int, f func(uint16)) {
	for _, x := range w.spellings(k) {
		for _, y := range w.spellings(k + 1) {
			f(uint16(x) | uint16(y)<<8)
		}
	}
}

func (w *window4) spellings(k int) []byte {
	c := w.bytes[k]
	switch {
	case !w.known[k]:
		all := make([]byte, 256)
		for i := range all {
			all[i] = byte(i)
		}
		return all
	case w.fold && is(c, lower):
		return []byte{c, c - 0x20}
	}
	return []byte{c}
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
func (p *prefilter) group(hits []hit, b []byte, i int, t0, t1, t2, t3, t4 uint16) []hit {
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
	n := p.heads[middle(b[i+1]|0x20, b[i+2]|0x20)]
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
