package redact

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/internal/test/matrix"
	"github.com/envwrap/envwrap/redact/internal/ascii"
)

// everywhere is the literals in b, and the needles of k, found by comparing
// each of them at each place but those within the middle, which has only dots.
func everywhere(k *knownSet, b []byte, middle span) (hits []hit, known []int) {
	var byFirst [256][]int
	for l := range literals {
		c := ascii.Fold(literals[l].text[0])
		byFirst[c] = append(byFirst[c], l)
	}
	for i := range b {
		if i > middle.start && i < middle.end-64 {
			continue
		}
		for _, l := range byFirst[ascii.Fold(b[i])] {
			short := literals[l].of == ofToken && len(literals[l].text) < minWithin
			if literals[l].at(b[i:]) && !(short && withinWord(b, i)) {
				hits = append(hits, hit{l, i})
			}
		}
		for n := range k.needles {
			if k.needles[n].mixed == nil && bytes.HasPrefix(b[i:], k.needles[n].text) {
				known = append(known, i)
			}
		}
	}
	return hits, slices.Compact(known)
}

// The sieve finds in a long text what is there, and so does that of a combined search.
func FuzzSieve(f *testing.F) {
	f.Add([]byte("password=hunter2x9 "), byte(0))
	f.Add([]byte("ghp_"+known+"eyJ"), byte(1))
	f.Add([]byte("AUTHORIZATION: https://a:b@c\n"), byte(7))
	f.Add([]byte("\x00\xff-----BEGIN PRIVATE KEY"), byte(15))
	k := testRedactor().set.known()
	for i := range k.needles {
		k.needles[i].around = 0
	}
	j := newCombined(k)
	f.Fuzz(func(t *testing.T, scrap []byte, shift byte) {
		if len(scrap) == 0 || len(scrap) > 1<<10 {
			return
		}
		b := append(bytes.Repeat([]byte{' '}, int(shift)), bytes.Repeat(scrap, 1+1<<10/len(scrap))...)
		middle := span{start: len(b), end: len(b) + shortText}
		b = append(b, strings.Repeat(".", shortText)...)
		b = append(b, scrap...)
		wantHits, wantKnown := everywhere(k, b, middle)
		var at places
		got := builtin().filter.find(nil, b, &at)
		sameHits(t, "sieve", b, got, wantHits)
		var spans []span
		got = got[:0]
		for i := range j.filter.candidates(b, &at) {
			got = j.filter.verify(got, b, i)
			if i+windowSize <= len(b) {
				spans = k.at(spans, b, i)
			}
		}
		sameHits(t, "combined", b, got, wantHits)
		for _, i := range wantKnown {
			if !slices.ContainsFunc(spans, func(s span) bool { return s.start <= i && i < s.end }) {
				t.Fatalf("%.80q: the known value at %d is not found", b, i)
			}
		}
	})
}

func sameHits(t *testing.T, name string, b []byte, got, want []hit) {
	t.Helper()
	for _, hits := range [][]hit{got, want} {
		slices.SortFunc(hits, func(a, b hit) int { return cmp.Or(cmp.Compare(a.pos, b.pos), cmp.Compare(a.lit, b.lit)) })
	}
	got = slices.Compact(got)
	if !slices.Equal(got, want) {
		t.Fatalf("%s: %.80q: got %d literals, want %d", name, b, len(got), len(want))
	}
}

// The sieve finds each literal at even and at odd offsets, whatever is beside it.
func TestSieveOfLiterals(t *testing.T) {
	rnd := random()
	var b []byte
	for i := range literals {
		for range 4 {
			for range 1 + rnd.IntN(4) {
				b = append(b, byte(rnd.IntN(256)))
			}
			b = append(b, literals[i].text...)
		}
	}
	var at places
	want, _ := everywhere(&knownSet{}, b, span{start: len(b), end: len(b)})
	sameHits(t, "sieve", b, builtin().filter.find(nil, b, &at), want)
}

// Where a line stands in what is written changes nothing: its windows are then
// others.
func TestParity(t *testing.T) {
	rnd := random()
	all, r := scraps(), testRedactor()
	for range 2000 {
		text := strings.ReplaceAll(scrapText(rnd, all, 24), "\n", " ")
		even := masked(t, r, usual, []byte("x\n"+text))
		odd := masked(t, r, usual, []byte("xy\n"+text))
		if !bytes.Equal(even[2:], odd[3:]) {
			t.Fatalf("%q:\n at even offsets %q\n  at odd offsets %q", text, even[2:], odd[3:])
		}
	}
}

// A long text, which goes through the sieve, comes out as its lines do, which
// do not.
func TestSieveOfLines(t *testing.T) {
	t.Parallel()
	rnd := random()
	all, r := scraps(), testRedactor()
	for range matrix.Times(12, 36) {
		var text []byte
		var ends []int
		for len(text) < beforeTable+shortText {
			text = append(text, strings.ReplaceAll(scrapText(rnd, all, 12), "\n", " ")...)
			text = append(text, '\n')
			ends = append(ends, len(text))
		}
		want := masked(t, r, usual, text, ends...)
		if got := masked(t, r, usual, text); !bytes.Equal(got, want) {
			i := 0
			for i < min(len(got), len(want)) && got[i] == want[i] {
				i++
			}
			t.Fatalf("in one Write: ...%q\nline by line: ...%q", got[max(0, i-80):min(len(got), i+80)], want[max(0, i-80):min(len(want), i+80)])
		}
	}
}

// A token that is cut by the end of its line is none, whatever the next line has.
func TestQuickStaysOnItsLine(t *testing.T) {
	for _, p := range prefixes {
		for _, r := range p {
			f, tok := r.get()
			if tok.Min < 3 {
				continue
			}
			b := []byte(tok.Prefix + tok.Sample[:tok.Min-2] + "\n" + strings.Repeat(tok.Sample, 2))
			if tok.Quick(b, len(tok.Prefix)) {
				t.Errorf("%s: %q is taken for a token", f.Rule, tok.Prefix)
			}
		}
	}
}
