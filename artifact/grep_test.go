package artifact

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/envwrap/envwrap/internal/test/matrix"
)

// grepLines returns the lines of a search: number, a colon for a match or a dash for
// context, text.
func grepLines(t testing.TB, g Grep, text string) ([]string, GrepResult) {
	t.Helper()
	s, err := NewSearcher(g)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	r, err := s.Search(strings.NewReader(text), func(l Line) error {
		sign := "-"
		if l.Match {
			sign = ":"
		}
		if !strings.HasPrefix(text[l.Offset:], string(l.Text)) {
			t.Errorf("line %d is not at offset %d", l.Number, l.Offset)
		}
		lines = append(lines, fmt.Sprintf("%d%s%s", l.Number, sign, l.Text))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return lines, r
}

func TestGrep(t *testing.T) {
	const text = "one\ntwo\nThree\nfour\nfive\nsix three\nlast"
	for _, c := range []struct {
		name string
		g    Grep
		want string
	}{
		{"text", Grep{Pattern: "three", Fixed: true}, "6:six three"},
		{"pattern that is a text", Grep{Pattern: "three"}, "6:six three"},
		{"any case", Grep{Pattern: "THREE", IgnoreCase: true}, "3:Three 6:six three"},
		{"any case, pattern", Grep{Pattern: "t.*e", IgnoreCase: true}, "3:Three 6:six three"},
		{"fixed metacharacters", Grep{Pattern: "t.*e", Fixed: true}, ""},
		{"anchors are those of the line", Grep{Pattern: "^(one|four)$"}, "1:one 4:four"},
		{"unfinished last line", Grep{Pattern: "last"}, "7:last"},
		{"class that would match a newline", Grep{Pattern: "o[^x]t"}, ""},
		{"escaped newline", Grep{Pattern: `e\nt`}, ""},
		{"any case beyond ASCII", Grep{Pattern: "ſIX THREE", Fixed: true, IgnoreCase: true}, "6:six three"},
		{"empty line", Grep{Pattern: "^$"}, ""},
		{"context", Grep{Pattern: "four", Before: 1, After: 1}, "3-Three 4:four 5-five"},
		{"contexts that meet", Grep{Pattern: "^f", Before: 1, After: 1}, "3-Three 4:four 5:five 6-six three"},
		{"context at both ends", Grep{Pattern: "one|last", Before: 2, After: 1}, "1:one 2-two 5-five 6-six three 7:last"},
		{"limit of matches", Grep{Pattern: "o", MaxMatches: 2, After: 1}, "1:one 2:two 3-Three"},
		{"limit of bytes", Grep{Pattern: "o", MaxBytes: 9}, "1:one 2:two"},
		{"line of more bytes than the limit", Grep{Pattern: "thr", MaxBytes: 4}, "6: thr"},
		{"line after the limit is reached", Grep{Pattern: "one|three", MaxBytes: 4}, "1:one"},
		{"empty pattern", Grep{Pattern: "", MaxMatches: 2}, "1:one 2:two"},
	} {
		lines, _ := grepLines(t, c.g, text)
		if got := strings.Join(lines, " "); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func TestGrepSaysThatItStopped(t *testing.T) {
	for _, c := range []struct {
		g    Grep
		want GrepResult
	}{
		{Grep{Pattern: "a"}, GrepResult{Matches: 2}},
		{Grep{Pattern: "a", MaxMatches: 1}, GrepResult{Matches: 1, Truncated: true}},
		{Grep{Pattern: "a", MaxBytes: 2}, GrepResult{Matches: 1, Truncated: true}},
		{Grep{Pattern: "a", MaxBytes: 2, After: 1}, GrepResult{Matches: 1, Truncated: true}},
	} {
		if _, r := grepLines(t, c.g, "a\nb\na\n"); r != c.want {
			t.Errorf("%+v: got %+v", c.g, r)
		}
	}
}

// TestGrepCutsLongLines shows of a line that no limit would let pass what is
// near the match, and of its context little.
func TestGrepCutsLongLines(t *testing.T) {
	long := strings.Repeat("ä", 50_000) + "needle" + strings.Repeat("ö", 50_000)
	other := strings.Repeat("x", 50_000)
	for _, g := range []Grep{
		{Pattern: "needle", MaxBytes: 1000},
		{Pattern: "need(le)", MaxBytes: 1000},
		{Pattern: "n(ee|oo)dle", MaxBytes: 1000},
		{Pattern: "NEEDLE", IgnoreCase: true, MaxBytes: 1000, Before: 1},
	} {
		s, err := NewSearcher(g)
		if err != nil {
			t.Fatal(err)
		}
		shown, found := 0, false
		r, err := s.Search(strings.NewReader(other+"\n"+long+"\n"+other), func(l Line) error {
			shown += len(l.Text)
			if l.Match {
				found = strings.Contains(string(l.Text), "needle") && utf8.Valid(l.Text) && l.Size == len(long) && l.Number == 2
			}
			return nil
		})
		if err != nil || r.Matches != 1 || !found || shown > 1000 || shown < 500 {
			t.Errorf("%+v: %d bytes are shown, the match among them: %v; %+v, %v", g, shown, found, r, err)
		}
	}
}

func TestGrepBadPattern(t *testing.T) {
	for _, c := range []struct {
		g    Grep
		want string
	}{
		{Grep{Pattern: "a("}, `"a("`},
		{Grep{Pattern: "a\nb"}, "one line at a time"},
		{Grep{Pattern: "a\nb", Fixed: true}, "one line at a time"},
	} {
		if _, err := NewSearcher(c.g); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v gave %v", c.g, err)
		}
	}
}

// TestGrepEndlessLine searches a line that is larger than the buffer can be, with
// a match on the border of two pieces: it is found, reported once, and no context is
// kept that would fill the memory.
func TestGrepEndlessLine(t *testing.T) {
	t.Parallel()
	const longest = 2 << 20
	filler := strings.Repeat("x", longest)
	for _, c := range []struct {
		name  string
		input []string
		want  []int64 // the lines that match
	}{
		{"on the border", []string{filler[3:], "needle", filler, "\nneedle\n"}, []int64{1, 2}},
		{"in two pieces", []string{"needle", filler, "needle\nnext\nneedle"}, []int64{1, 3}},
		{"after the last border", []string{"first\n", filler, filler, "needle"}, []int64{2}},
	} {
		for _, g := range []Grep{{Pattern: "needle"}, {Pattern: "needle", Before: 2}} {
			s, err := NewSearcher(g)
			if err != nil {
				t.Fatal(err)
			}
			if s.most != 16<<20 {
				t.Errorf("lines above %d bytes are searched in pieces, want above 16 MiB", s.most)
			}
			s.most = longest
			var parts []io.Reader
			for _, p := range c.input {
				parts = append(parts, strings.NewReader(p))
			}
			var got []int64
			if _, err := s.Search(io.MultiReader(parts...), func(l Line) error {
				if l.Match {
					got = append(got, l.Number)
				}
				if l.Match && (!bytes.Contains(l.Text, []byte("needle")) || l.More != (l.Size > len("needle"))) {
					t.Errorf("%s: line %d of %d bytes (more: %v) is shown as %.20q", c.name, l.Number, l.Size, l.More, l.Text)
				}
				return nil
			}); err != nil || !slices.Equal(got, c.want) {
				t.Errorf("%s: %+v: lines %v match, want %v; %v", c.name, g, got, c.want, err)
			}
		}
	}
}

// TestGrepAgainstLineByLine compares with the plainest way to do it, on inputs
// that are larger than the buffer.
func TestGrepAgainstLineByLine(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	words := []string{"alpha", "Beta", "error: x", "", "gamma delta", strings.Repeat("long", 50)}
	var b strings.Builder
	for b.Len() < 2*grepBuffer+grepBuffer/2 {
		b.WriteString(words[r.IntN(len(words))])
		if r.IntN(4) > 0 {
			b.WriteByte('\n')
		}
	}
	text := b.String()
	for i, g := range []Grep{
		{Pattern: "error"},
		{Pattern: "ERROR", IgnoreCase: true},
		{Pattern: "a$"},
		{Pattern: `^al.*delta$`},
		{Pattern: "e(rr)or: [xyz]"},
		{Pattern: "beta|gamma", IgnoreCase: true},
		{Pattern: "(error: |gam+a )[xd]"},
		{Pattern: "(long|alpha|error).*(Beta|x$)"},
		{Pattern: "(alpha|gamma) ?d"},
		{Pattern: "(long)+alpha"},
		{Pattern: "(?i)(BETA|error)+: x"},
		{Pattern: "long(error|Beta)", IgnoreCase: true},
		{Pattern: "l.*a.*(Beta|error)+"},
		{Pattern: "[e-r]{5}:"},
		{Pattern: "g.{9}a$"},
	} {
		if i%matrix.Every(3) != 0 {
			continue
		}
		expr := g.Pattern
		if g.IgnoreCase {
			expr = "(?i)" + expr
		}
		re := regexp.MustCompile(expr)
		var want []string
		for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
			if re.MatchString(line) {
				want = append(want, fmt.Sprintf("%d:%s", i+1, line))
			}
		}
		got, _ := grepLines(t, g, text)
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("%q: %d lines, want %d", g.Pattern, len(got), len(want))
		}
		if len(want) == 0 {
			t.Errorf("%q: the input has no such line", g.Pattern)
		}
	}
}

func BenchmarkGrep(b *testing.B) {
	text := strings.Repeat("2026-11-20T10:00:00.123Z INFO handler finished in 3ms status=200 path=/v1/items\n", 1<<20/80*64)
	for _, g := range []Grep{
		{Pattern: "no such text", Fixed: true},
		{Pattern: "no such text", IgnoreCase: true},
		{Pattern: `no such \d+ text`},
		{Pattern: `status=5\d\d`},
		{Pattern: `[0-9a-f]{40}x`},
		{Pattern: `[0-9a-f]{40}[g-z]`},
	} {
		s, err := NewSearcher(g)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprintf("%s,fold=%v", g.Pattern, g.IgnoreCase), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := s.Search(strings.NewReader(text), func(Line) error { return nil }); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// trimRunes cuts a line between characters only.
func TestTrimRunes(t *testing.T) {
	for _, c := range []struct {
		b           string
		from, end   int
		wantA, end2 int
	}{
		{"a\u00e9b", 1, 3, 1, 3}, {"a\u00e9b", 2, 4, 3, 4}, {"a\u00e9b", 0, 2, 0, 1}, {"\U0001f600x", 1, 5, 4, 5}, {"\U0001f600", 0, 3, 0, 0}, {"\x80\x80\x80\x80\x80", 0, 5, 3, 5},
	} {
		if got := trimRunes([]byte(c.b), c.from, c.end); got != [2]int{c.wantA, c.end2} {
			t.Errorf("%q from %d to %d: %v", c.b, c.from, c.end, got)
		}
	}
}
