package redact

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/base64"
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
	generate = flag.Bool("generate", false, "write literals_gen.go")
	count    = flag.String("grams", "", "write testdata/grams.gz, counted over the `file`")
)

// literals_gen.go is what the tables of rules say. With -generate it is made
// anew, with windows that are as rare as they can be in ordinary text, going
// by testdata/grams.gz. With -grams that file is made anew from a text.
func TestLiterals(t *testing.T) {
	want, groups := tableLiterals()
	switch {
	case *count != "":
		writeGrams(t, *count)
		return
	case *generate:
		writeLiterals(t, want, groups)
		return
	}
	if len(want) != len(literals) || len(groups) != len(prefixes) {
		t.Fatalf("%d literals of %d, %d prefixes of %d: run go generate", len(literals), len(want), len(prefixes), len(groups))
	}
	for i := range want {
		got := literals[i]
		for parity, c := range got.windows {
			if !fits(got.literal, int(c.off)) || (int(c.off)+2)%2 != parity {
				t.Errorf("%q: window at %d has parity %d", got.text, c.off, parity)
			}
		}
		got.windows = want[i].windows
		if got != want[i] {
			t.Fatalf("literal %d is %+v, the tables say %+v: run go generate", i, got, want[i])
		}
	}
	for i := range groups {
		if !slices.Equal(prefixes[i], groups[i]) {
			t.Fatalf("prefix %d is %v, the tables say %v: run go generate", i, prefixes[i], groups[i])
		}
	}
}

// tableLiterals lists the literals that the tables of rules have, without
// windows, and the tokens of each prefix.
func tableLiterals() (lits []record, groups []prefixed) {
	on := func(of kind, arg int, text string, fold bool) {
		lits = append(lits, record{literal: literal{text, fold}, of: of, arg: uint16(arg)})
	}
	byPrefix := map[string]int{}
	for ti, table := range tokenTables {
		for fi, f := range *table {
			for i, tok := range f.tokens {
				g, ok := byPrefix[tok.prefix]
				if !ok {
					g = len(groups)
					byPrefix[tok.prefix] = g
					groups = append(groups, nil)
					for _, l := range longEnough(tok.prefix, tok.class) {
						on(ofToken, g, l, false)
					}
				}
				groups[g] = append(groups[g], tokenRef{uint8(ti), uint8(fi), uint8(i)})
			}
		}
	}
	for g := range groups {
		r := groups[g][0]
		_, tok := r.get()
		if !slices.Contains(usualTokens[:], tok.prefix) {
			continue
		}
		for shift := range 3 {
			if s := aligned(base64.RawStdEncoding, tok.prefix, shift); len(s) >= minEncoded {
				on(ofEncoded, 3*g+shift, s, false)
			}
		}
	}
	for i, k := range keywords {
		on(ofName, i, k.text, !k.exact)
	}
	for i, x := range infixes {
		if len(x.literal) >= 3 {
			on(ofInfix, i, x.literal, false)
			continue
		}
		for d := '0'; d <= '9'; d++ {
			on(ofInfix, i, string(d)+x.literal, false)
		}
	}
	for i, d := range vendors {
		on(ofVendor, i, d.name, true)
	}
	for i, w := range webhooks {
		on(ofWebhook, i, w.literal, false)
	}
	for i, p := range programs {
		on(ofProgram, i, p.name+" ", true)
	}
	for i, m := range matchers {
		for _, l := range m.literals {
			on(ofMatcher, i, l, m.fold)
		}
	}
	return lits, groups
}

// longEnough is prefix, or where that is too short for a window, prefix with
// every byte that may follow it.
func longEnough(prefix string, k class) []string {
	if len(prefix) >= 3 {
		return []string{prefix}
	}
	var out []string
	for c := range 256 {
		if is(byte(c), k) {
			out = append(out, prefix+string(rune(c)))
		}
	}
	return out
}

// pairs lists what the bytes k and k+1 can be.
func (w *window4) pairs(k int) []uint16 {
	var list []uint16
	x, y := int(w.bytes[k]), int(w.bytes[k+1])
	xs, ys := int(w.other(k)), int(w.other(k+1))
	switch {
	case !w.known[k]:
		list = make([]uint16, 0, 512)
		for x := range 256 {
			list = append(list, uint16(x|y<<8), uint16(x|(y-ys)<<8))
		}
	case !w.known[k+1]:
		list = make([]uint16, 0, 512)
		for y := range 256 {
			list = append(list, uint16(x|y<<8), uint16(x-xs|y<<8))
		}
	default:
		list = append(make([]uint16, 0, 4), uint16(x|y<<8), uint16(x-xs|y<<8), uint16(x|(y-ys)<<8), uint16(x-xs|(y-ys)<<8))
	}
	return list
}

// fits reports whether the middle bytes of a window at off are in l.
func fits(l literal, off int) bool { return off >= -1 && off+2 < len(l.text) }

// grams counts the windows of a text at all offsets, by their pairs.
type grams struct {
	byFirst, bySecond map[uint16]map[uint16]int
}

// maxGrams is how many runs of four bytes are kept, the frequent ones.
const maxGrams = 80000

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
	for _, a := range w.pairs(0) {
		if p.first[k][a] == 0 {
			newFirst[a] = true
		}
	}
	for _, b := range w.pairs(2) {
		if p.second[k][b] == 0 {
			newSecond[b] = true
		}
	}
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
	for _, a := range w.pairs(0) {
		p.first[k][a] += n
	}
	for _, b := range w.pairs(2) {
		p.second[k][b] += n
	}
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

func writeLiterals(t *testing.T, lits []record, groups []prefixed) {
	p := plan{grams: readGrams(t)}
	for k := range buckets {
		p.first[k], p.second[k] = map[uint16]int{}, map[uint16]int{}
	}
	for round := range 3 {
		for i := range lits {
			for parity := range 2 {
				c := &lits[i].windows[parity]
				if round > 0 {
					p.put(windowOf(lits[i].literal, int(c.off)), int(c.bucket), -1)
				}
				*c = p.choose(lits[i].literal, parity)
				p.put(windowOf(lits[i].literal, int(c.off)), int(c.bucket), 1)
			}
		}
		t.Logf("round %d: %d windows pass", round, p.total())
	}
	var b bytes.Buffer
	b.WriteString("// Code generated by go test -run TestLiterals -generate; DO NOT EDIT.\n\npackage redact\n\n")
	b.WriteString("// literals are those of all rules, with their windows.\nvar literals = [...]record{\n")
	for _, l := range lits {
		fmt.Fprintf(&b, "\t{literal{%q, %v}, %d, %d, [2]windowChoice{{%d, %d}, {%d, %d}}},\n", l.text, l.fold, l.of, l.arg,
			l.windows[0].off, l.windows[0].bucket, l.windows[1].off, l.windows[1].bucket)
	}
	b.WriteString("}\n\n// prefixes are the tokens of each prefix.\nvar prefixes = [...]prefixed{\n")
	for _, g := range groups {
		b.WriteString("\t{")
		for i, r := range g {
			if i > 0 {
				b.WriteString(", ")
			}
			fmt.Fprintf(&b, "{%d, %d, %d}", r.table, r.family, r.token)
		}
		b.WriteString("},\n")
	}
	b.WriteString("}\n")
	src, err := format.Source(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("literals_gen.go", src, 0o644); err != nil {
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
