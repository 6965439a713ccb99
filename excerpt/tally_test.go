package excerpt

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// Lines that are counted together leave the counts that they leave one by one.
func TestCountedTogether(t *testing.T) {
	for _, n := range []int{1, 2, 30, 700, 1 << 17} {
		one, together := newSketch(fewCells), newSketch(fewCells)
		kinds := [rareKinds]uint32{5, 7, 0, 9}
		if together.repeat(&kinds, 1) {
			t.Error("a new line is taken for a known one")
		}
		for _, s := range []*sketch{one, together} {
			for k, h := range kinds {
				s.add(k, h)
				s.add(k, h+100)
			}
		}
		var a, b reader
		for i := range n {
			for k, h := range kinds {
				if h != 0 {
					one.add(k, h)
				}
			}
			if run, nth := a.joinRun(3, 1); (run == nil) != (i == 0) || nth != int64(i) {
				t.Fatalf("line %d is line %d of %v", i, nth, run)
			}
			a.addDensity(0)
		}
		if !together.repeat(&kinds, n) {
			t.Error("a known line is taken for a new one")
		}
		for k, h := range kinds {
			if one.count(k, h) != together.count(k, h) {
				t.Errorf("kind %d: %d lines, one by one %d", k, together.count(k, h), one.count(k, h))
			}
		}
		if one.seen != together.seen || one.rate != together.rate || one.novel != together.novel {
			t.Errorf("%d lines: %v, one by one %v", n, together, one)
		}
		b.joinRun(3, int64(n))
		a.joinRun(3, 1)
		if b.joinRun(3, 1); a.run != b.run || *a.sharedRun != *b.sharedRun {
			t.Errorf("run of %v, one by one %v", b.run, a.run)
		}
	}
}

// Blocks of lines that are new, known and equal follow each other within a batch, in which lines
// are sifted, counted and read. Each line is where the excerpt says that it is.
func TestBlocksOfNewAndKnownLines(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	var lines []string
	for len(lines) < 100_000 {
		n, m := 1+r.IntN(120), r.IntN(3)
		for range n {
			switch {
			case m == 0:
				var line []byte
				for range 40 {
					line = append(line, "klmnopqrstuvwxyz "[r.IntN(17)])
				}
				lines = append(lines, string(line)+"-")
			case m == 1 && r.IntN(30) == 0:
				lines = append(lines, "error: it failed at "+strconv.Itoa(len(lines)))
			case m == 1 && r.IntN(5) == 0:
				lines = append(lines, "\x1b[32mok\x1b[0m\tpart "+strconv.Itoa(len(lines)))
			case m == 1:
				lines = append(lines, "step "+strconv.Itoa(len(lines))+[]string{" is done", " is next"}[r.IntN(2)])
			default:
				lines = append(lines, "y")
			}
		}
	}
	w := Writer{Max: 4 << 10}
	_, _ = w.Write([]byte(strings.Join(lines, "\n")))
	w.finish()
	for _, p := range w.candidates() {
		if string(p.text) != Clean(lines[p.num-1]) {
			t.Fatalf("line %d is said to be %q, is %q", p.num, p.text, Clean(lines[p.num-1]))
		}
	}
	if w.skimmed == 0 {
		t.Error("all lines were read")
	}
}

// Known lines are counted once each, and a run of them is folded wherever batches are cut.
func TestKnownLines(t *testing.T) {
	const n = 20_000
	var w Writer
	for i := range n {
		fmt.Fprintf(&w, "step %d of %d is done\n", i, n)
	}
	if x := w.Excerpt(4000); strings.Count(x.Text, "\n") != 3 || len(x.Gaps) != 1 {
		t.Errorf("the run is not folded:\n%s", x.Text)
	}
	if w.count.seen[rareShape] != n || len(w.tally.ends) > 0 {
		t.Errorf("%d lines of %d were counted", w.count.seen[rareShape], n)
	}
}
