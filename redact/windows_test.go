package redact

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/binary"
	"flag"
	"fmt"
	"go/format"
	"io"
	"maps"
	"os"
	"slices"
	"testing"
)

var (
	generate = flag.Bool("generate", false, "write windows_gen.go")
	count    = flag.String("grams", "", "write testdata/grams.gz, counted over the `file`")
)

// Each literal has a window of each parity in windows_gen.go. With -generate
// the windows are chosen anew, as rare as they can be in ordinary text, going
// by testdata/grams.gz. With -grams that file is made anew from a text.
func TestWindows(t *testing.T) {
	entries := newEntries()
	if *count != "" {
		writeGrams(t, *count)
		return
	}
	if *generate {
		writeWindows(t, entries)
		return
	}
	if len(entries) != len(windows) {
		t.Fatalf("%d literals but %d windows: run go generate", len(entries), len(windows))
	}
	for i, e := range entries {
		if windows[i].text != e.text {
			t.Fatalf("window %d is of %q, literal is %q: run go generate", i, windows[i].text, e.text)
		}
		for parity, c := range windows[i].choices {
			if !fits(e.literal, int(c.off)) || (int(c.off)+2)%2 != parity {
				t.Errorf("%q: window at %d has parity %d", e.text, c.off, parity)
			}
		}
	}
}

// fits reports whether the middle bytes of a window at off are in l.
func fits(l literal, off int) bool { return off >= -1 && off+2 < len(l.text) }

// grams counts the windows of a text at all offsets, by their pairs.
type grams struct {
	byFirst, bySecond map[uint16]map[uint16]int
}

// maxGrams is how many runs of four bytes are kept, the frequent ones.
const maxGrams = 40000

// writeGrams counts the runs of four bytes in a file. The format is a gzipped
// list, in ascending order: the difference to the run before, as a big endian
// number, and the count, each as a varint.
func writeGrams(t *testing.T, name string) {
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
func readGrams(t *testing.T) grams {
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
	g := grams{map[uint16]map[uint16]int{}, map[uint16]map[uint16]int{}}
	add := func(m map[uint16]map[uint16]int, a, b uint16, n int) {
		if m[a] == nil {
			m[a] = map[uint16]int{}
		}
		m[a][b] += n
	}
	for k := uint32(0); len(list) > 0; {
		d, n := binary.Uvarint(list)
		c, m := binary.Uvarint(list[n:])
		list = list[n+m:]
		k += uint32(d)
		a, b := uint16(k>>24)|uint16(k>>8)&0xff00, uint16(k>>8)&0xff|uint16(k)<<8
		add(g.byFirst, a, b, int(c))
		add(g.bySecond, b, a, int(c))
	}
	return g
}

// A plan is which pairs begin and end windows, how many times in each bucket.
type plan struct {
	grams
	first, second [buckets]map[uint16]int
}

// passes reports whether a bucket other than k lets a window through.
func (p *plan) passes(a, b uint16, k int) bool {
	for j := range buckets {
		if j != k && p.first[j][a] > 0 && p.second[j][b] > 0 {
			return true
		}
	}
	return false
}

// cost is how many windows of the sample would be let through in addition,
// were w in bucket k.
func (p *plan) cost(w window4, k int) int {
	n := 0
	newFirst, newSecond := map[uint16]bool{}, map[uint16]bool{}
	w.pairs(0, func(a uint16) {
		if p.first[k][a] == 0 {
			newFirst[a] = true
		}
	})
	w.pairs(2, func(b uint16) {
		if p.second[k][b] == 0 {
			newSecond[b] = true
		}
	})
	for a := range newFirst {
		for b, c := range p.byFirst[a] {
			if (p.second[k][b] > 0 || newSecond[b]) && !p.passes(a, b, k) {
				n += c
			}
		}
	}
	for b := range newSecond {
		for a, c := range p.bySecond[b] {
			if p.first[k][a] > 0 && !p.passes(a, b, k) {
				n += c
			}
		}
	}
	return n
}

func (p *plan) put(w window4, k, n int) {
	w.pairs(0, func(a uint16) { p.first[k][a] += n })
	w.pairs(2, func(b uint16) { p.second[k][b] += n })
}

// choose finds the offset and bucket of the least cost.
func (p *plan) choose(l literal, parity int) windowChoice {
	best, least := windowChoice{}, -1
	for off := -1; fits(l, off); off++ {
		if (off+2)%2 != parity {
			continue
		}
		w := windowOf(l, off)
		for k := range buckets {
			if n := p.cost(w, k); least < 0 || n < least {
				best, least = windowChoice{int8(off), uint8(k)}, n
			}
		}
	}
	return best
}

func writeWindows(t *testing.T, entries []entry) {
	p := plan{grams: readGrams(t)}
	for k := range buckets {
		p.first[k], p.second[k] = map[uint16]int{}, map[uint16]int{}
	}
	choices := make([][2]windowChoice, len(entries))
	for round := range 3 {
		for i, e := range entries {
			for parity := range 2 {
				if c := choices[i][parity]; round > 0 {
					p.put(windowOf(e.literal, int(c.off)), int(c.bucket), -1)
				}
				c := p.choose(e.literal, parity)
				choices[i][parity] = c
				p.put(windowOf(e.literal, int(c.off)), int(c.bucket), 1)
			}
		}
		t.Logf("round %d: %d windows pass", round, p.total())
	}
	var b bytes.Buffer
	b.WriteString("// Code generated by go test -run TestWindows -generate; DO NOT EDIT.\n\npackage redact\n\n")
	b.WriteString("// windows are the windows of all literals, in the order of newEntries.\n")
	b.WriteString("var windows = [...]windowRecord{\n")
	for i, e := range entries {
		c := choices[i]
		fmt.Fprintf(&b, "\t{%q, [2]windowChoice{{%d, %d}, {%d, %d}}},\n", e.text, c[0].off, c[0].bucket, c[1].off, c[1].bucket)
	}
	b.WriteString("}\n")
	src, err := format.Source(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("windows_gen.go", src, 0o644); err != nil {
		t.Fatal(err)
	}
}

// total counts the windows of the sample that pass.
func (p *plan) total() int {
	n := 0
	for a, m := range p.byFirst {
		for b, c := range m {
			if p.passes(a, b, -1) {
				n += c
			}
		}
	}
	return n
}
