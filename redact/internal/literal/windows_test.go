package literal

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/binary"
	"io"
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/envwrap/envwrap/redact/internal/ascii"
)

// grams counts the windows of a text at all offsets, by their pairs.
type grams struct {
	byFirst, bySecond [1 << 16][]gram
}

// A gram is the other pair of a window, and how often the window is there.
type gram struct {
	other uint16
	n     int
}

// maxGrams is how many runs of four bytes are kept, the frequent ones.
const maxGrams = 120_000

// writeGrams counts the runs of four bytes in a file. The format is a gzipped
// list, in ascending order: the difference to the run before, as a big endian
// number, and the count, each as a varint.
func writeGrams(t *testing.T, name string) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	counts := map[uint32]uint64{}
	for i := 0; i+4 <= len(text); i++ {
		counts[binary.BigEndian.Uint32(text[i:])]++
	}
	keys := slices.SortedFunc(maps.Keys(counts), func(a, b uint32) int { return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b)) })
	keys = keys[:min(len(keys), maxGrams)]
	slices.Sort(keys)
	var list []byte
	last := uint32(0)
	for _, k := range keys {
		list = binary.AppendUvarint(list, uint64(k-last))
		list = binary.AppendUvarint(list, counts[k])
		last = k
	}
	var b bytes.Buffer
	z, _ := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if _, err := z.Write(list); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("testdata/grams.gz", b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// readGrams reads testdata/grams.gz.
func readGrams(t *testing.T) *grams {
	t.Helper()
	f, err := os.Open("testdata/grams.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	list, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	g := new(grams)
	for k := uint32(0); len(list) > 0; {
		d, n := binary.Uvarint(list)
		c, m := binary.Uvarint(list[n:])
		list = list[n+m:]
		k += uint32(d)
		a, b := uint16(k>>24)|uint16(k>>8)&0xff00, uint16(k>>8)&0xff|uint16(k)<<8
		g.byFirst[a] = append(g.byFirst[a], gram{b, int(c)})
		g.bySecond[b] = append(g.bySecond[b], gram{a, int(c)})
	}
	return g
}

// pairs lists what the bytes k and k+1 can be.
func (w *pattern) pairs(k int) []uint16 {
	var list []uint16
	add := func(x, y byte) { list = append(list, uint16(pair16(x, y))) }
	x, y := w.bytes[k], w.bytes[k+1]
	x2, y2 := x-w.other(k), y-w.other(k+1)
	for c := range 256 {
		switch {
		case !w.known[k]:
			add(byte(c), y)
			add(byte(c), y2)
		case !w.known[k+1] && (w.next == 0 || ascii.Is(byte(c), w.next)):
			add(x, byte(c))
			add(x2, byte(c))
		}
	}
	if w.known[k] && w.known[k+1] {
		add(x, y)
		add(x2, y)
		add(x, y2)
		add(x2, y2)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// fits reports whether the middle bytes of a window at off are in l.
func fits(l *Literal, off int) bool { return off >= -1 && off+2 < len(l.Text) }

// A plan is which pairs begin and end windows: the buckets, and how many
// windows of each.
type plan struct {
	*grams
	first, second   [1 << 16]uint32
	firsts, seconds [buckets][1 << 16]int16
}

// without lists those of pairs that table does not have in bucket k.
func without(table *[1 << 16]uint32, pairs []uint16, k int) []uint16 {
	var out []uint16
	for _, x := range pairs {
		if table[x]>>k&1 == 0 {
			out = append(out, x)
		}
	}
	return out
}

// cost is how many windows of the sample would be let through in addition,
// were a window with these pairs in bucket k.
func (p *plan) cost(begin, end []uint16, k int) int {
	n := 0
	bit := uint32(1) << k
	end = without(&p.second, end, k)
	for _, b := range end {
		p.second[b] |= bit
	}
	for _, a := range without(&p.first, begin, k) {
		for _, g := range p.byFirst[a] {
			if s := p.second[g.other]; s&bit != 0 && p.first[a]&s&^bit == 0 {
				n += g.n
			}
		}
	}
	for _, b := range end {
		for _, g := range p.bySecond[b] {
			if f := p.first[g.other]; f&bit != 0 && f&p.second[b]&^bit == 0 {
				n += g.n
			}
		}
	}
	for _, b := range end {
		p.second[b] &^= bit
	}
	return n
}

// own is how many windows of the sample have these pairs.
func (p *plan) own(begin, end []uint16) int {
	n := 0
	for _, a := range begin {
		for _, g := range p.byFirst[a] {
			if _, found := slices.BinarySearch(end, g.other); found {
				n += g.n
			}
		}
	}
	return n
}

// comparing is how much more it costs to compare a window with literals than to let it
// through to the check of the bytes beside it.
const comparing = 3

// put puts n windows like w into bucket k.
func (p *plan) put(w pattern, k, n int) {
	put := func(table *[1 << 16]uint32, counts *[1 << 16]int16, pairs []uint16) {
		for _, x := range pairs {
			counts[x] += int16(n)
			table[x] &^= 1 << k
			if counts[x] > 0 {
				table[x] |= 1 << k
			}
		}
	}
	put(&p.first, &p.firsts[k], w.pairs(0))
	put(&p.second, &p.seconds[k], w.pairs(2))
}

// choose finds the offset and bucket of the least cost.
func (p *plan) choose(l *Literal, parity int) window {
	best, least := window{}, -1
	for off := -1; fits(l, off); off++ {
		if (off+2)%2 != parity {
			continue
		}
		w := patternOf(l, off)
		begin, end := w.pairs(0), w.pairs(2)
		own := comparing * p.own(begin, end)
		for k := range buckets {
			if n := own + p.cost(begin, end, k); least < 0 || n < least {
				best, least = window{off: int8(off), bucket: uint8(k)}, n
			}
		}
	}
	return best
}

// chooseWindows gives each of the literals its windows. The first kept of them have
// theirs already.
func chooseWindows(lits []entry, kept int, g *grams) {
	p := &plan{grams: g}
	for _, l := range lits[:kept] {
		for _, w := range l.windows {
			p.put(patternOf(&l.Literal, int(w.off)), int(w.bucket), 1)
		}
	}
	for round := range 3 {
		for i := kept; i < len(lits); i++ {
			for parity := range 2 {
				w := &lits[i].windows[parity]
				if round > 0 {
					p.put(patternOf(&lits[i].Literal, int(w.off)), int(w.bucket), -1)
				}
				*w = p.choose(&lits[i].Literal, parity)
				p.put(patternOf(&lits[i].Literal, int(w.off)), int(w.bucket), 1)
			}
		}
	}
}
