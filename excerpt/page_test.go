package excerpt_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/excerpt"
	"github.com/envwrap/envwrap/internal/test/matrix"
)

// The command for the next page prints at most 16 KiB of what is left out, however unequal the
// lines are and however many.
func TestPageIsBounded(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 19))
	for i := range matrix.Times(40, 400) {
		var b strings.Builder
		longest := []int{3, 80, 2000, 40_000}[i%4]
		for n := 1 + rnd.IntN(matrix.Times(300<<10, 3<<20)); b.Len() < n; {
			switch line := fmt.Sprintf("word%d %s", rnd.IntN(1e6), strings.Repeat("text ", rnd.IntN(1+rnd.IntN(longest)/5+1))); rnd.IntN(200) {
			case 0:
				b.WriteString("error: cannot open " + line + "\n")
			case 1:
				b.WriteString("\n")
			default:
				b.WriteString(line + "\n")
			}
		}
		text := b.String()
		lines := strings.SplitAfter(text, "\n")
		w := excerpt.Writer{Max: 32 << 10}
		_, _ = w.Write([]byte(text))
		budget := 50 + rnd.IntN(16<<10)
		for kind, x := range map[string]excerpt.Excerpt{"chosen": w.Excerpt(budget), "front": w.Front([]byte(text[:min(len(text), 32<<10)]), budget+200)} {
			g, ok := x.Next()
			if !ok {
				continue
			}
			page := text[g.From:g.To]
			if !g.Bytes && page != strings.Join(lines[g.First-1:g.Last], "") {
				t.Fatalf("%s: %s is not bytes %d to %d", kind, g.Option(), g.From, g.To)
			}
			if len(page) == 0 || len(page) > 16<<10 {
				t.Errorf("%s, text %d: %s prints %d bytes", kind, i, g.Option(), len(page))
			}
			hidden := int64(0)
			for _, gap := range x.Gaps {
				hidden += max(0, min(gap.To, g.To)-max(gap.From, g.From))
			}
			if hidden < g.To-g.From-1 { // a newline after a part of a line
				t.Errorf("%s, text %d: of %s only %d bytes were left out", kind, i, g.Option(), hidden)
			}
		}
	}
}

// A list of more files than there is room for shows each directory, or each directory above
// those, with the number of its lines, and fills the budget.
func TestOutlineOfDirectories(t *testing.T) {
	const budget = 12_000
	for _, c := range []struct {
		files, directories int
		name               string // of those that are shown
		shown              int
	}{
		{2000, 100, "/sub%d/", 100},
		{9000, 100, "/sub%d/", 100}, // more files than are kept
		{9000, 3000, "/top%d/", 10}, // more directories than there is room for
	} {
		var text strings.Builder
		for i := range c.files {
			dir := i * c.directories / c.files
			fmt.Fprintf(&text, "src/top%d/sub%d/file%d.go:%d:\treturn nil, fmt.Errorf(\"%d\")\n", dir*10/c.directories, dir, i, i, i)
		}
		var o excerpt.Outline
		_, _ = o.Write([]byte(text.String()))
		x, ok := o.Excerpt(budget)
		if !ok || len(x.Text) > budget || len(x.Text) < budget*3/4 {
			t.Errorf("%d files: %d bytes, %t", c.files, len(x.Text), ok)
		}
		for n := range c.shown {
			if name := fmt.Sprintf(c.name, n); !strings.Contains(x.Text, name) {
				t.Errorf("%d files: %s is not shown", c.files, name)
			}
		}
		lines := int64(strings.Count(x.Text, "\n"))
		for _, g := range x.Gaps {
			if lines += g.Lines(); !g.Bytes {
				lines--
			}
		}
		if lines != int64(c.files) {
			t.Errorf("%d of %d lines are shown or counted", lines, c.files)
		}
		if g, _ := x.Next(); g.To-g.From > 16<<10 {
			t.Errorf("the next page has %d bytes", g.To-g.From)
		}
	}
}
