package redact

import (
	"encoding/binary"
	"iter"
	"math"
	"sync"

	"github.com/envwrap/envwrap/redact/internal/ascii"
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

// A prefilter finds many literals at once. It looks at windows of four bytes
// at even offsets only: each literal has one for each parity, in or around it,
// chosen as rare in ordinary text. Of a long text, a table of pairs of bytes
// shows where windows may be (see sieve.go); of a short one every even offset is
// tried.
type prefilter struct {
	lits  []record
	index *windowIndex
	table func() *pairTable
}

// A windowIndex finds the windows of literals by their hashes.
type windowIndex struct {
	heads [2<<headBits + 1]uint16     // by the upper bits of a hash: where its windows begin in list
	seen  [2 << (hashBits - 6)]uint64 // a bit for each hash
	list  []listed
}

// A hash of a window is that of its first three bytes. Where the window begins
// before its literal it is that of the last three, in a second range of as many.
const (
	hashBits = 16
	headBits = 12 // the upper ones of a hash
)

// A record is a literal, the rule that it is of, and its windows: one for each parity.
type record struct {
	literal
	of      kind
	arg     uint16 // which rule of the kind
	windows [2]window
}

// A window is four bytes in or around a literal.
type window struct {
	off    int8 // of its first byte in the literal; -1 is before it
	bucket uint8
}

// A listed window has what text is compared with, so that windows that are compared
// one after another are beside each other in memory.
type listed struct {
	want, mask uint32 // what is there, in those bits that count
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
	isWhole  windowFlags = 1 << iota // the literal is within the window
	isPrefix                         // the literal is the prefix of tokens
)

// A kind says what a literal is of.
type kind uint8

const (
	ofToken   kind = iota // the prefix of tokens
	ofEncoded             // the prefix of tokens, in base64
	ofName                // a keyword of names
	ofInfix               // the fixed part of an infix
	ofVendor              // the name of a vendor
	ofWebhook             // the host and path of a webhook
	ofProgram             // the name of a program, and a space
	ofMatcher             // what a matcher of its own begins with
	ofService             // the name of a service
)

// minWithin is the least length of a prefix that is known within a word, too.
const minWithin = 8

// shortText is the most bytes that are searched without the table: commands,
// messages, and the output of most commands.
const shortText = 16 << 10

// beforeTable is how many bytes of a stream are searched without the table: to search
// as many again costs what it costs to make the table in a new process.
const beforeTable = 64 << 10

// buckets is how many there are for windows. One bit more of a set is for pairs that are
// not of words.
const (
	buckets    = 31
	bucketBits = 1<<buckets - 1
	otherPair  = 1 << buckets
)

// trigram hashes the first three bytes of x, letters in either case.
func trigram(x uint32) uint32 {
	const mix = 0x9e3779b1 // 2^32 over the golden ratio
	return (x | caseBit<<16 | caseBit<<8 | caseBit) << 8 * mix >> (32 - hashBits)
}

// newPrefilter makes the index of the literals.
func newPrefilter(lits []record) *prefilter { return indexed(lits, newWindowIndex(lits)) }

// indexed returns the prefilter of literals that have an index.
func indexed(lits []record, x *windowIndex) *prefilter {
	return &prefilter{lits: lits, index: x, table: sync.OnceValue(func() *pairTable { return newPairTable(lits) })}
}

// newWindowIndex lists the windows of literals.
func newWindowIndex(lits []record) *windowIndex {
	x := &windowIndex{list: make([]listed, 2*len(lits))}
	for i := range lits {
		for _, w := range lits[i].windows {
			h := lits[i].listed(w).hash()
			x.seen[h>>6] |= 1 << (h & 63)
			x.heads[h>>(hashBits-headBits)]++
		}
	}
	for i := range len(x.heads) - 1 {
		x.heads[i+1] += x.heads[i]
	}
	for i := range lits {
		for _, w := range lits[i].windows {
			l := lits[i].listed(w)
			l.lit = uint16(i)
			head := &x.heads[l.hash()>>(hashBits-headBits)]
			*head--
			x.list[*head] = l
		}
	}
	return x
}

// listed returns w as it is listed, without the number of the literal.
func (r *record) listed(w window) listed {
	l := listed{off: w.off}
	if l.off <= 0 && len(r.text) <= windowSize+int(l.off) {
		l.is |= isWhole
	}
	if r.of == ofToken && len(r.text) < minWithin {
		l.is |= isPrefix
	}
	if l.is&isWhole == 0 {
		k := 0
		if l.off <= 0 {
			k = min(len(r.text)-1, math.MaxInt8+int(l.off))
		}
		c := windowOf(r.literal, k)
		l.far, l.farMask, l.farAt = c.bytes[0], 0xff&^c.other(0), int8(k-int(l.off))
	}
	v := windowOf(r.literal, int(l.off))
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

// other returns the bit in which byte k may differ, 0 where there is none.
func (w *window4) other(k int) byte {
	if w.fold && ascii.Is(w.bytes[k], ascii.Lower) {
		return caseBit
	}
	return 0
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

// has reports whether there may be a window with the hash h.
func (x *windowIndex) has(h uint32) bool { return x.seen[h>>6]>>(h&63)&1 != 0 }

// compare appends those of the literals with the hash h whose window is x, at
// b[i:].
func (p *prefilter) compare(hits []hit, b []byte, i int, x, h uint32) []hit {
	k := h >> (hashBits - headBits)
	list := p.index.list[p.index.heads[k]:p.index.heads[k+1]]
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

// withinWord reports whether b[i] is right after a letter that ends no escape, as no
// short prefix of a token is. It does not know of all such letters.
func withinWord(b []byte, i int) bool {
	return i > 1 && b[i-1] > 'f' && b[i-1] <= 'z' && b[i-1] != 'm' && b[i-2] != '\\'
}

// at reports whether b begins with the literal.
func (l *literal) at(b []byte) bool {
	if len(b) < len(l.text) {
		return false
	}
	if l.fold {
		return ascii.HasFold(b, l.text)
	}
	return string(b[:len(l.text)]) == l.text
}

// A pairTable has for each pair of bytes a bit for each bucket in which it
// begins or ends a window. The gap puts the pairs of letters of the two tables into
// different sets of a cache whose ways have 4 KiB.
type pairTable struct {
	begin [1 << 16]bucketSet
	_     [128]bucketSet
	end   [1 << 16]bucketSet
	near  nearTable
}

// A bucketSet has a bit for each bucket, and otherPair.
type bucketSet uint32

// newPairTable makes the table of the windows of literals.
func newPairTable(lits []record) *pairTable {
	t := new(pairTable)
	var begin, end edges
	for i := range lits {
		for _, c := range lits[i].windows {
			w := windowOf(lits[i].literal, int(c.off))
			begin.set(&t.begin, &w, 0, 1<<c.bucket)
			end.set(&t.end, &w, 2, 1<<c.bucket)
			t.near.enter(&w, lits[i].literal, int(c.off))
		}
	}
	begin.spread(&t.begin)
	end.spread(&t.end)
	t.enterOthers()
	return t
}

// edges are the buckets of pairs of which any byte will do for the first or the
// second, by the other one.
type edges struct{ anyFirst, anySecond [256]bucketSet }

// set sets bits for every pair that the bytes k and k+1 of w can be.
func (e *edges) set(t *[1 << 16]bucketSet, w *window4, k int, bits bucketSet) {
	x, y := w.bytes[k], w.bytes[k+1]
	x2, y2 := x-w.other(k), y-w.other(k+1)
	switch {
	case !w.known[k]:
		e.anyFirst[y] |= bits
		e.anyFirst[y2] |= bits
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

// spread sets the bits of the pairs of which any byte will do for one.
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
