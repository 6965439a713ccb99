package redact

import "encoding/binary"

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
// one for each parity, chosen as rare. Where both halves agree the literals of
// the window's middle bytes are compared.
type prefilter struct {
	lits  []literal
	table [1 << 16]uint16
	heads [1 << 10]uint16 // by hash of the middle bytes: index into chain, plus 1
	chain []link
}

// A link is a window in the list of those with the same middle bytes.
type link struct {
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

const buckets = 8

func middle(a, b byte) uint32 { return (uint32(a)*33 ^ uint32(b)*7) & (1<<10 - 1) }

// newPrefilter builds the table. choices has two windows for each literal, of
// even and of odd offset.
func newPrefilter(lits []literal, choices [][2]windowChoice) *prefilter {
	p := &prefilter{lits: lits, chain: make([]link, 0, 2*len(lits))}
	for i, l := range lits {
		for _, c := range choices[i] {
			p.add(i, l, c)
		}
	}
	return p
}

func (p *prefilter) add(i int, l literal, c windowChoice) {
	at := func(k int) (byte, bool) {
		if k += int(c.off); k < 0 || k >= len(l.text) {
			return 0, false
		}
		return l.text[k], true
	}
	p.fill(at, 0, 1<<c.bucket, l.fold)
	p.fill(at, 2, 1<<(c.bucket+buckets), l.fold)
	b1, _ := at(1)
	b2, _ := at(2)
	h := middle(fold(b1), fold(b2))
	p.chain = append(p.chain, link{lit: uint16(i), next: p.heads[h], off: c.off})
	p.heads[h] = uint16(len(p.chain))
}

// fill sets bits for every pair that the window's bytes k and k+1 can be.
func (p *prefilter) fill(at func(int) (byte, bool), k int, bits uint16, folded bool) {
	a, aKnown := at(k)
	b, bKnown := at(k + 1)
	for _, x := range spellings(a, aKnown, folded) {
		for _, y := range spellings(b, bKnown, folded) {
			p.table[uint16(x)|uint16(y)<<8] |= bits
		}
	}
}

func spellings(c byte, known, folded bool) []byte {
	switch {
	case !known:
		all := make([]byte, 256)
		for i := range all {
			all[i] = byte(i)
		}
		return all
	case folded && is(c, lower):
		return []byte{c, c - 0x20}
	}
	return []byte{c}
}

// find appends the literals in b to hits, in the order of their windows.
func (p *prefilter) find(hits []hit, b []byte) []hit {
	i := 0
	if len(b) >= 10 {
		t0 := p.table[binary.LittleEndian.Uint16(b)]
		for ; i+10 <= len(b); i += 8 {
			w := b[i : i+10 : i+10]
			x := binary.LittleEndian.Uint64(w)
			t1 := p.table[uint16(x>>16)]
			t2 := p.table[uint16(x>>32)]
			t3 := p.table[uint16(x>>48)]
			t4 := p.table[binary.LittleEndian.Uint16(w[8:])]
			m0, m1, m2, m3 := t0&(t1>>buckets), t1&(t2>>buckets), t2&(t3>>buckets), t3&(t4>>buckets)
			t0 = t4
			if (m0|m1|m2|m3)&(1<<buckets-1) == 0 {
				continue
			}
			for k, m := range [4]uint16{m0, m1, m2, m3} {
				if m&(1<<buckets-1) != 0 {
					hits = p.verify(hits, b, i+2*k)
				}
			}
		}
	}
	// The end, where a window may hang over: every even offset is tried.
	for ; i < len(b); i += 2 {
		hits = p.verify(hits, b, i)
	}
	return hits
}

// verify appends the literals that have a window at b[i:].
func (p *prefilter) verify(hits []hit, b []byte, i int) []hit {
	if i+2 > len(b) {
		return hits
	}
	c2 := byte(0)
	if i+2 < len(b) {
		c2 = b[i+2]
	}
	for n := p.heads[middle(fold(b[i+1]), fold(c2))]; n != 0; {
		l := p.chain[n-1]
		n = l.next
		start := i - int(l.off)
		if start >= 0 && p.matches(b[start:], int(l.lit)) {
			hits = append(hits, hit{int(l.lit), start})
		}
	}
	return hits
}

func (p *prefilter) matches(b []byte, lit int) bool {
	l := p.lits[lit]
	if len(b) < len(l.text) {
		return false
	}
	if l.fold {
		return hasFold(b, l.text)
	}
	return string(b[:len(l.text)]) == l.text
}
