package artifact

import (
	"bytes"
	"regexp"
	"regexp/syntax"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/internal/dfa"
)

// TestFinders compares what a search finds with what regexp finds line by line, in
// texts in which the rarest byte of a pattern is everywhere, or nowhere, and at both
// ends of a line.
func TestFinders(t *testing.T) {
	texts := []string{
		"", "\n", "needle", "a needle\n", "x\nneedle", "Needle\nNEEDLE\n", "needl\needle\n", strings.Repeat("z", 200) + "\nneezle z\n",
		strings.Repeat("zz n\n", 60) + "neezle\nthe end", strings.Repeat("the error\n", 40) + "error: Zq\n",
		strings.Repeat("x", longLine) + "needle" + strings.Repeat("y", longLine) + "\nshort needle\n", "caf\u00e9\nCAF\u00c9\n", "n\n\n\nz\n",
		strings.Repeat("nee", 30) + "\n" + strings.Repeat("q", 40) + "neezle", "\xff\xfeneedle\xff\n",
	}
	for _, pattern := range []string{
		"needle", "(?i)needle", "neezle", "(?i)neezle", "z", "(?i)Z", "nee+dle", "ne.*le", "^needle$", "^$", "x|z", "(?i)caf\u00e9", "error: [A-Z]q",
		"q{3,}nee", "[^n]eedle", "", "a?", "needle$", `\bz\b`, `(a|b|c|d|e){2,9}.{0,50}z`,
	} {
		find, err := newFinder(pattern)
		if err != nil {
			t.Fatal(err)
		}
		re := regexp.MustCompile(pattern)
		tree, err := syntax.Parse(pattern, syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		automaton, _ := dfa.New(tree)
		each := func([]byte) int { return 0 } // line may match
		finders := []finder{
			find,
			(&matcher{re: re, learned: true}).find,
			(&matcher{re: re, learned: true, rare: each}).find,
			(&matcher{re: re, learned: true, rare: each, dfa: automaton}).find,
		}
		for i, text := range texts {
			if text == "" {
				continue // no line
			}
			want, at := -1, 0
			for line := range strings.Lines(text) {
				if line = strings.TrimSuffix(line, "\n"); re.MatchString(line) {
					want = at
					break
				}
				at += len(line) + 1
			}
			for kind, find := range finders {
				got := find([]byte(text))
				if got >= 0 {
					got = bytes.LastIndexByte([]byte(text)[:got], '\n') + 1
				}
				if got != want {
					t.Errorf("%q in text %d, finder %d: the line at %d, want %d", pattern, i, kind, got, want)
				}
			}
		}
	}
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
