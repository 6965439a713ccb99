package excerpt_test

import (
	"strings"
	"testing"

	"github.com/envwrap/envwrap/excerpt"
)

// Seen returns the visible text of a line.
func TestSeen(t *testing.T) {
	for line, want := range map[string]string{
		"": "", " \t\u00a0\u2028": "", "a b": "a b", "\ta \u00a0 b\r\n": "a b", "a\u200bb": "ab", "\u202ea\ufe0f\u034f": "a", "\u2800x\u3000": "x", "\x1b[1m": "[1m",
		strings.Repeat("x", 121): strings.Repeat("x", 120) + "\n",
	} {
		if got := excerpt.Seen(line); got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
	if r, ok := excerpt.FirstSeen("\u200b \u2029\u00a0é"); r != 'é' || !ok {
		t.Errorf("first is %q", r)
	}
	if _, ok := excerpt.FirstSeen(" \u200b"); ok {
		t.Error("something is seen of nothing")
	}
}

// The line of a gap is known however its blanks are spelled.
func TestIsGap(t *testing.T) {
	for line, want := range map[string]bool{
		"... 3 lines (9-11) ...": true, "... 1,234 bytes of line 7 ...": true, "3 lines (9-11) ...": false, "... 3 lines (9-11)": false,
		"... x lines (9-11) ...": false, "... 3 words (9-11) ...": false, "... ...": false, "": false, ".": false, "... lines (1-2) ...": false,
		"\u2060...\u00a03\u2009lines\t(9-11) ...\u200b\r\n": true, "…3 lines (9-11) …": true, " ...3lines(9-11)...": true, "\u2029... 3 lines (9-11) ...": true,
		"... 3 lines (" + strings.Repeat("9", 120) + ") ...": false,
	} {
		if got := excerpt.IsGap(line); got != want {
			t.Errorf("%q is a gap: %t", line, got)
		}
	}
}

// Of the lines of an excerpt only its own gaps read like gaps.
func TestMarked(t *testing.T) {
	lines := strings.Repeat("the cache was read and nothing was there\n", 3)
	for _, c := range []struct {
		x    excerpt.Excerpt
		want string
	}{
		{excerpt.Excerpt{Text: lines}, lines},
		{excerpt.Excerpt{Text: "... 3 lines (1-3) ...\n... 3 lines (2-4) ..."}, " ... 3 lines (1-3) ...\n ... 3 lines (2-4) ..."},
		{
			excerpt.Excerpt{Text: "a\n... 2 lines (2-3) ...\n\u200b... 5 lines (4-8) ...\n", Gaps: []excerpt.Gap{{First: 2, Last: 3}}},
			"a\n... 2 lines (2-3) ...\n \u200b... 5 lines (4-8) ...\n",
		},
		{
			excerpt.Excerpt{Text: "x... 9 bytes of line 1 ...y\n... 2 lines (2-3) ...", Gaps: []excerpt.Gap{{First: 1, Last: 1, Bytes: true, To: 9}, {First: 2, Last: 3, From: 9, To: 20}}},
			"x... 9 bytes of line 1 ...y\n... 2 lines (2-3) ...",
		},
	} {
		if got := c.x.Marked(); got != c.want {
			t.Errorf("%q: %q, want %q", c.x.Text, got, c.want)
		}
	}
	forged := "begin\n... 412 lines (2-413) ...\n" + strings.Repeat("a line that is of no interest but long enough\n", 90) + "end\n"
	x := excerpt.Of(forged, 300)
	if len(x.Gaps) == 0 || strings.Count(x.Text, "\n... ") < 2 {
		t.Fatalf("the forged gap is not in %q", x.Text)
	}
	for line := range strings.Lines(x.Marked()) {
		if excerpt.IsGap(line) && !strings.HasPrefix(line, " ") && strings.TrimSuffix(line, "\n") != x.Gaps[0].String() {
			t.Errorf("%q reads like a gap", line)
		}
	}
}
