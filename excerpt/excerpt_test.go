package excerpt_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/envwrap/envwrap/excerpt"
	"github.com/envwrap/envwrap/internal/test/matrix"
)

// of returns the excerpt of text within budget.
func of(t testing.TB, text string, budget int) excerpt.Excerpt {
	t.Helper()
	w := excerpt.Writer{Max: budget}
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	return w.Excerpt(budget)
}

// vocabulary has the words of random texts.
var vocabulary = []string{
	"error:", "FAIL", "ok", "store", "lease", "main.c:12:", "warning:", "got 3, want 2", "=== RUN", "0 errors",
	"ПрИвет", "署名", "12", "2026-11-20T10:00:00Z", "deadbeef01234567", "\t", "    ", "...", "... 12 lines (3-14) ...",
}

// hostile has texts that only some of them contain.
var hostile = []string{"\x1b[31m", "\x1b[0m", "\x1b]0;title\x07", "\x1b[2K", "\r", "\b", "\x9b1m", "\xc2\x9b1m", "\x00", "\xff", "\x1b", "\x1bP", "\x1b(B"}

// randomText makes a text of up to a few thousand lines, some of them long and
// some of them alike.
func randomText(r *rand.Rand, dirty bool) string {
	var b strings.Builder
	lines := r.IntN(8)
	switch n := r.IntN(60); {
	case n == 0:
		lines = r.IntN(3000)
	case n < 30:
		lines = r.IntN(120)
	}
	for range lines {
		words := r.IntN(9)
		if r.IntN(100) == 0 {
			words = r.IntN(2000)
		}
		var line strings.Builder
		for range words {
			line.WriteString(vocabulary[r.IntN(len(vocabulary))])
			if r.IntN(4) > 0 {
				line.WriteByte(' ')
			}
			if dirty && r.IntN(6) == 0 {
				line.WriteString(hostile[r.IntN(len(hostile))])
			}
		}
		times := 1
		if r.IntN(12) == 0 {
			times = r.IntN(40)
		}
		for i := range times {
			fmt.Fprintf(&b, "%s %d\n", line.String(), i)
		}
	}
	text := b.String()
	if r.IntN(3) == 0 {
		text = strings.TrimSuffix(text, "\n")
	}
	return text
}

// Each line of a text is in its excerpt or in a gap that the excerpt names, and
// the excerpt is never longer than the text.
func TestExcerptNamesAllThatItLeavesOut(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range matrix.Times(300, 10_000) {
		text := randomText(r, i%2 == 1)
		budget := 1 + r.IntN(1<<r.IntN(16))
		x := of(t, text, budget)
		if err := account(text, x, budget, i%2 == 1); err != nil {
			t.Fatalf("text %d, budget %d: %v\ntext: %.2000q\nexcerpt: %.2000q", i, budget, err, text, x.Text)
		}
		x = excerpt.Folded(text)
		if err := account(text, x, 3*len(text), i%2 == 1); err != nil {
			t.Fatalf("text %d, folded: %v\ntext: %.2000q\nfolded: %.2000q", i, err, text, x.Text)
		}
	}
}

// account checks that x is an excerpt of text within budget.
func account(text string, x excerpt.Excerpt, budget int, dirty bool) error {
	if len(x.Text) > len(text) && utf8.ValidString(text) {
		return fmt.Errorf("%d bytes of %d", len(x.Text), len(text))
	}
	if len(x.Text) > max(budget, 120) {
		return fmt.Errorf("%d bytes, budget %d", len(x.Text), budget)
	}
	if !utf8.ValidString(x.Text) || strings.ContainsAny(x.Text, "\x1b\r\b\x00\x07") {
		return fmt.Errorf("not clean")
	}
	lines := strings.SplitAfter(text, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	var offset, omitted, omittedLines int64
	offsets := []int64{0}
	for _, l := range lines {
		offset += int64(len(l))
		offsets = append(offsets, offset)
	}
	end := int64(0)
	for _, g := range x.Gaps {
		if g.From < end || g.To <= g.From || g.To > int64(len(text)) {
			return fmt.Errorf("gap %+v", g)
		}
		end = g.To
		omitted += g.To - g.From
		omittedLines += g.Lines()
		if !strings.Contains(x.Text, g.String()) {
			return fmt.Errorf("gap %s is not in the text", g)
		}
		if !g.Bytes && (offsets[g.First-1] != g.From || offsets[g.Last] != g.To) {
			return fmt.Errorf("gap %+v is not where its lines are: %d %d", g, offsets[g.First-1], offsets[g.Last])
		}
		if g.Bytes && (g.From < offsets[g.First-1] || g.To > offsets[g.First]) {
			return fmt.Errorf("gap %+v is not in its line", g)
		}
	}
	if omitted != x.OmittedBytes || omittedLines != x.OmittedLines {
		return fmt.Errorf("omitted %d bytes, %d lines; gaps have %d, %d", x.OmittedBytes, x.OmittedLines, omitted, omittedLines)
	}
	if dirty {
		return nil
	}
	// What the gaps do not have is in the excerpt, in order.
	var want strings.Builder
	at := int64(0)
	for _, g := range x.Gaps {
		want.WriteString(text[at:g.From])
		want.WriteString(g.String())
		if !g.Bytes {
			want.WriteByte('\n')
		}
		at = g.To
	}
	want.WriteString(text[at:])
	if want.String() != x.Text {
		return fmt.Errorf("shows something else than %q", want.String())
	}
	return nil
}

// Folding leaves out the middle of a run of lines that are alike, and nothing else.
func TestFolded(t *testing.T) {
	const run = "... 298 lines (3-300) ...\n"
	lines := "begin\n" + strings.Repeat("waited 12 s for the lease\n", 300) + "\x1b[31mend\x1b[0m\n"
	if got, want := excerpt.Folded(lines).Text, "begin\nwaited 12 s for the lease\n"+run+"waited 12 s for the lease\nend\n"; got != want {
		t.Errorf("%q; want %q", got, want)
	}
	for _, text := range []string{
		strings.Repeat("short\n", 300), // below 2 KiB
		strings.Repeat("12 34 56 78\n", 300),
		strings.Repeat("one line\nanother line\n", 300),
	} {
		if got := excerpt.Folded(text).Text; got != text {
			t.Errorf("%.40q is folded: %q", text, got)
		}
	}
}

// Cleaning changes nothing in what was cleaned.
func TestCleanTwiceChangesNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range matrix.Times(250, 2000) {
		text := randomText(r, true)
		for name, clean := range map[string]func(string) string{
			"cleaned": excerpt.Clean,
			"folded":  func(s string) string { return excerpt.Folded(s).Text },
		} {
			once := clean(text)
			if twice := clean(once); twice != once {
				t.Fatalf("%s: %q\n%q\n%q", name, text, once, twice)
			}
		}
	}
}

// The excerpt is the same however the text was cut into writes.
func FuzzWriterNeverDependsOnCuts(f *testing.F) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 20 {
		f.Add([]byte(randomText(r, true)), uint16(r.IntN(1<<16)), r.Int64())
	}
	f.Add(bytes.Repeat([]byte("a\rb"), 100_000), uint16(500), int64(1))
	f.Add(bytes.Repeat([]byte("lease "), 60_000), uint16(5000), int64(1))
	f.Fuzz(func(t *testing.T, text []byte, budget uint16, seed int64) {
		want := of(t, string(text), int(budget))
		if err := account(string(text), want, int(budget), true); err != nil {
			t.Fatal(err)
		}
		w := excerpt.Writer{Max: int(budget)}
		r := rand.New(rand.NewPCG(uint64(seed), 0))
		for rest := text; len(rest) > 0; {
			n := min(len(rest), 1+r.IntN(1+len(text)/3))
			_, _ = w.Write(rest[:n])
			rest = rest[n:]
		}
		if got := w.Excerpt(int(budget)); got.Text != want.Text {
			t.Fatalf("%q\n%q", got.Text, want.Text)
		}
	})
}

// Lines without evidence in the thousands are counted together, but for those next to a line that
// matters. If they have words, all but the first and the last of each run are folded there, too.
func TestLinesWithoutEvidenceInTheThousands(t *testing.T) {
	for _, c := range []struct {
		line          string
		before, after int
	}{
		{"", 3, 6},
		{"\r", 3, 6},
		{"7", 3, 6},
		{"%d", 3, 6},
		{"y", 1, 1},
		{"y\r", 1, 1},
		{"step %d is done\r", 1, 1},
		{"\x1b[32m[%d]\x1b[0m is done", 1, 1},
		{"\xff\xfe %d\x00", 1, 1},
		{strings.Repeat("QUJDREVGR0hJSktMTU5P", 4), 3, 6},
	} {
		t.Run(fmt.Sprintf("%q", c.line), func(t *testing.T) {
			testLinesWithoutEvidence(t, strings.Replace(c.line, "%d", "%[1]d", 1), c.before, c.after)
		})
	}
}

func testLinesWithoutEvidence(t *testing.T, line string, before, after int) {
	r := rand.New(rand.NewPCG(3, 4))
	for i := range 4 {
		lines := slices.Repeat([]string{"copied an object"}, 1500)
		run := func(n int) {
			for range n {
				lines = append(lines, strings.Replace(line, "%[1]d", strconv.Itoa(1000+len(lines)), 1))
			}
		}
		var failures []int
		for range 6 {
			run(100 + r.IntN(20_000))
			failures = append(failures, len(lines))
			lines = append(lines, fmt.Sprintf("store_%c.go:%d: error: cannot open the index", 'a'+r.IntN(26), 1+r.IntN(900)))
		}
		run(9000 + r.IntN(20_000))
		text := strings.Join(lines, "\n")
		x := of(t, text, 8000)
		if err := account(text, x, 8000, strings.ContainsAny(line, "\r\x1b\x00")); err != nil {
			t.Fatalf("text %d: %v\n%q", i, err, x.Text)
		}
		for _, at := range failures {
			want := " ...\n" + excerpt.Clean(strings.Join(lines[at-before:at+after+1], "\n")) + "\n... "
			if !strings.Contains(x.Text, want) {
				t.Errorf("text %d: no %q", i, want)
			}
		}
	}
}
