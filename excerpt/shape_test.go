package excerpt_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/excerpt"
)

// The shape of a text is known by its lines.
func TestShapeOf(t *testing.T) {
	for want, texts := range map[excerpt.Shape][]string{
		excerpt.Report: {
			numbered(40, "2026-11-20 10:00:%02d INFO served a request"), numbered(40, "=== RUN   TestCase%d\n--- PASS: TestCase (0.00s)"), numbered(40, "[%d/40] CC main.o"),
			numbered(40, "ok  \texample.com/p%d\t0.01s"), numbered(40, "nothing but line %d of the same"), numbered(40, "%d"), numbered(40, "tests/test_a.py::test_%d PASSED"),
			numbered(40, "worker 1, job %d, done"), numbered(40, "%d%%|####| of 40 files"),
		},
		excerpt.Document: {
			"package main\n\nimport \"fmt\"\n\nfunc main() {\n\tfmt.Println(1)\n}\n", "# Title\n\nSome words of a document.\nMore of them.\n",
			"diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n", `{"a": [1, 2, 3], "b": {"c": null}}`, "1\n2\n3\n", "",
			numbered(40, "%d,name,7"), numbered(40, " %d | name | 7"), numbered(40, "%d\tname\t7"),
		},
		excerpt.Listing: {
			numbered(40, "src/a.go:%d:func f() {"), numbered(40, "src/p%d/main.go"), "./a:\n" + numbered(40, "file%d") + "\n./b:\n" + numbered(9, "name%d"), numbered(40, "docs/a.md:line %d without a number"),
		},
	} {
		for _, text := range texts {
			if got := excerpt.ShapeOf([]byte(text)); got != want {
				t.Errorf("%.60q: shape %d, want %d", text, got, want)
			}
		}
	}
}

// A document is shown from its beginning, and what follows is the next page.
func TestFront(t *testing.T) {
	text := numbered(2000, "line %d of a text that is read from its beginning")
	front := func(text string, budget int) excerpt.Excerpt {
		var w excerpt.Writer
		_, _ = w.Write([]byte(text))
		return w.Front([]byte(text), budget)
	}
	x := front(text, 4000)
	shown, _, _ := strings.Cut(x.Text, "... ")
	n := strings.Count(shown, "\n")
	if !strings.HasPrefix(text, shown) || len(x.Text) > 4000 || len(shown) < 3800 || x.OmittedLines != int64(2000-n) || x.OmittedBytes != int64(len(text)-len(shown)) {
		t.Errorf("%d lines in %d bytes, %+v", n, len(x.Text), x.Gaps)
	}
	if g, ok := x.Next(); !ok || g.First != int64(n+1) || g.Last >= 2000 {
		t.Errorf("the next page is %s after %d lines", g.Option(), n)
	}
	one := `{"a":"` + strings.Repeat("é", 4000) + `"}`
	x = front(one, 1000)
	if g, ok := x.Next(); !ok || !g.Bytes || !strings.HasPrefix(x.Text, one[:g.From]+"... ") || len(x.Text) > 1000 {
		t.Errorf("of one line: %q, %s", x.Text, g.Option())
	}
	if x := front("a\nb\n", 100); x.Text != "a\nb\n" || len(x.Gaps) > 0 {
		t.Errorf("of a short text: %+v", x)
	}
}

// Of a list each file is shown, with the number of its lines that are not, whatever the cut of
// the writes.
func TestOutline(t *testing.T) {
	var text strings.Builder
	for file := range 30 {
		for line := range 1 + 20*(file%3) {
			fmt.Fprintf(&text, "src/file%d.go:%d:\tresult := compute(%d)\n", file, line+1, line)
		}
	}
	fmt.Fprintf(&text, "src/long.go:1:%s\nsrc/long.go:2:x\n", strings.Repeat("0123456789 ", 200))
	var first string
	for _, size := range []int{1, 7, 1 << 20} {
		var o excerpt.Outline
		for rest := text.String(); rest != ""; {
			n := min(size, len(rest))
			_, _ = o.Write([]byte(rest[:n]))
			rest = rest[n:]
		}
		x, ok := o.Excerpt(4000)
		if !ok || len(x.Text) > 4000 {
			t.Fatalf("%d bytes, %t", len(x.Text), ok)
		}
		lines := int64(0)
		gaps := 0
		for _, g := range x.Gaps {
			if lines += g.Lines(); !g.Bytes {
				gaps++
			}
		}
		if shown := int64(strings.Count(x.Text, "\n") - gaps); shown+lines != int64(strings.Count(text.String(), "\n")) || lines != x.OmittedLines {
			t.Errorf("%d lines are shown, %d left out", shown, lines)
		}
		for file := range 30 {
			if !strings.Contains(x.Text, fmt.Sprintf("src/file%d.go:1:", file)) {
				t.Errorf("file %d is not shown", file)
			}
		}
		if first == "" {
			first = x.Text
		}
		if x.Text != first {
			t.Errorf("in pieces of %d bytes another excerpt", size)
		}
		if _, ok := o.Excerpt(300); ok {
			t.Error("30 files fit into 300 bytes")
		}
	}
}

// The excerpt of a list fills the room there is, also where files or their directories are too many.
func TestOutlineFills(t *testing.T) {
	search := func(dirs, files, lines int) string {
		var b strings.Builder
		for dir := range dirs {
			for file := range files {
				for line := range 1 + lines*(file%4) {
					fmt.Fprintf(&b, "src/part%d/dir%d/file%d.go:%d:\treturn compute(%d)\n", dir/20, dir, file, line+1, line)
				}
			}
		}
		return b.String()
	}
	for name, text := range map[string]string{
		"one large file and small ones": search(1, 2, 4000) + search(30, 1, 0), "files of directories": search(60, 30, 2), "lists of names": search(400, 12, 0),
	} {
		var o excerpt.Outline
		_, _ = o.Write([]byte(text))
		for budget := 4000; budget <= 120_000; budget += 28_990 {
			x, ok := o.Excerpt(budget)
			if !ok || len(x.Text) > budget || len(x.Text) < budget-150 {
				t.Errorf("%s: %d of %d bytes of %d, %t", name, len(x.Text), budget, len(text), ok)
			}
		}
	}
}
