package excerpt_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/excerpt"
	"github.com/envwrap/envwrap/internal/test/matrix"
)

// A shortened excerpt names the lines of the text, and leaves out what the longer
// one did and more.
func TestShorten(t *testing.T) {
	text := numbered(400, "same text over and over again %d") + "main.c:3:5: error: no member\n" + numbered(300, "and another %d text of it")
	long := of(t, text, 3000)
	short := excerpt.Shorten(long, 600)
	if len(short.Text) > 600 || !strings.Contains(short.Text, "main.c:3:5: error: no member\n") {
		t.Errorf("%s", short.Text)
	}
	lines := strings.SplitAfter(text, "\n")
	shown, next := 0, 1
	for _, line := range strings.SplitAfter(strings.TrimSuffix(short.Text, "\n"), "\n") {
		for _, g := range short.Gaps {
			if strings.TrimSuffix(line, "\n") == g.String() {
				next += int(g.Lines())
				line = ""
			}
		}
		if line == "" {
			continue
		}
		if line = strings.TrimSuffix(line, "\n") + "\n"; line != lines[next-1] {
			t.Errorf("line %d is %q, want %q", next, line, lines[next-1])
		}
		next++
		shown += len(line)
	}
	if int(short.OmittedBytes) != len(text)-shown || int(short.OmittedLines) < int(long.OmittedLines) {
		t.Errorf("left out: %d bytes, %d lines; %d of %d bytes are shown", short.OmittedBytes, short.OmittedLines, shown, len(text))
	}
}

// Shortening any excerpt, with any text in its gaps, ends without a panic.
func TestShortenOfAnything(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range matrix.Times(350, 2000) {
		text := randomText(r, true)
		budget := 1 + r.IntN(1000)
		x := excerpt.Excerpt{Text: text, OmittedBytes: r.Int64N(100), OmittedLines: r.Int64N(100)}
		if r.IntN(2) == 0 {
			x = of(t, text, 1+r.IntN(2000))
		}
		y := excerpt.Shorten(x, budget)
		if len(y.Text) > max(len(x.Text), 120) {
			t.Fatalf("%d bytes of %d, budget %d", len(y.Text), len(x.Text), budget)
		}
	}
}
