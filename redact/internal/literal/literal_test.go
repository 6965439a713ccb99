package literal

import (
	"bytes"
	"cmp"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/redact/internal/ascii"
)

// everywhere returns the hits of literals in b, found by comparing each of them at each
// position but those from from to to.
func everywhere(s *Searcher, b []byte, from, to int) (hits []Hit) {
	var byFirst [256][]int
	for i := range s.Len() {
		c := ascii.Fold(s.Literal(i).Text[0])
		byFirst[c] = append(byFirst[c], i)
	}
	for at := range b {
		if at > from && at < to {
			continue
		}
		for _, i := range byFirst[ascii.Fold(b[at])] {
			if l := s.Literal(i); l.At(b[at:]) && (!l.Start || !withinWord(b, at)) && l.goesOn(b[at+len(l.Text):]) {
				hits = append(hits, Hit{i, at})
			}
		}
	}
	return hits
}

func sameHits(t *testing.T, b []byte, got, want []Hit) {
	t.Helper()
	for _, hits := range [][]Hit{got, want} {
		slices.SortFunc(hits, func(a, b Hit) int { return cmp.Or(cmp.Compare(a.Pos, b.Pos), cmp.Compare(a.Index, b.Index)) })
	}
	got = slices.Compact(got)
	if !slices.Equal(got, want) {
		t.Fatalf("%.80q: got %d literals, want %d", b, len(got), len(want))
	}
}

// FuzzSearcher finds in a long text each literal that is there, and a candidate near each
// needle.
func FuzzSearcher(f *testing.F) {
	f.Add([]byte("password=hunter2x9 "), byte(0))
	f.Add([]byte("ghp_s3cr3t-V4lueeyJ"), byte(1))
	f.Add([]byte("AUTHORIZATION: https://a:b@c\n"), byte(7))
	f.Add([]byte("\x00\xff-----BEGIN PRIVATE KEY"), byte(15))
	needles := [][]byte{[]byte("s3cr3t-V4lue"), []byte("czNjcjN0L"), []byte("7326498")}
	with := Builtin().With(needles, 4)
	f.Fuzz(func(t *testing.T, scrap []byte, shift byte) {
		if len(scrap) == 0 || len(scrap) > 1<<10 {
			return
		}
		b := append(bytes.Repeat([]byte{' '}, int(shift)), bytes.Repeat(scrap, 1+1<<10/len(scrap))...)
		from := len(b)
		b = append(b, strings.Repeat(".", shortText)...)
		to := len(b) - 64
		b = append(b, scrap...)
		want := everywhere(Builtin(), b, from, to)
		var at Scratch
		sameHits(t, b, Builtin().Find(nil, b, &at), want)
		var got []Hit
		var candidates []int
		for i := range with.Candidates(b, &at) {
			got = with.Verify(got, b, i)
			candidates = append(candidates, i)
		}
		sameHits(t, b, got, want)
		for _, n := range needles {
			for at := 0; ; at++ {
				i := bytes.Index(b[at:], n)
				if i < 0 {
					break
				}
				at += i
				if !slices.ContainsFunc(candidates, func(c int) bool { return c >= at && c+windowSize <= at+len(n) }) {
					t.Fatalf("%.80q: no candidate in %q at %d", b, n, at)
				}
			}
		}
	})
}

// The searcher finds each literal at even and at odd offsets, whatever is beside it.
func TestEachLiteral(t *testing.T) {
	rnd := rand.New(rand.NewPCG(0, 1))
	s := Builtin()
	var b []byte
	for i := range s.Len() {
		for range 4 {
			for range 1 + rnd.IntN(4) {
				b = append(b, byte(rnd.IntN(256)))
			}
			b = append(b, s.Literal(i).Text...)
		}
	}
	var at Scratch
	sameHits(t, b, s.Find(nil, b, &at), everywhere(s, b, len(b), len(b)))
}
