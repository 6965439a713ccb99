package search

import (
	"bytes"
	"regexp"
	"regexp/syntax"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/internal/shared/dfa"
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
		find, err := New(pattern)
		if err != nil {
			t.Fatal(err)
		}
		re := regexp.MustCompile(pattern)
		tree, err := syntax.Parse(pattern, syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		automaton, _ := dfa.Compile(tree)
		each := func([]byte) int { return 0 } // line may match
		finders := []Finder{
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
}

// The clause of which the fewest lines have one is looked for, of two such the
// longer one, and none that most lines have.
func TestRareClause(t *testing.T) {
	a, bb, ccc := literal{text: "a"}, literal{text: "bb"}, literal{text: "ccc"}
	const most = sampleSize
	for _, c := range []struct {
		all    []clause
		sample string
		want   string // finds this
	}{
		{[]clause{{a}, {bb}}, "x", "bb"},
		{[]clause{{bb}, {a}}, "x", "bb"},
		{[]clause{{a}, {bb}}, "bb\nbb\n", "a"},
		{[]clause{{a}, {bb}}, strings.Repeat("bb\n", 4*rareLine), "a"},
		{[]clause{{a, ccc}, {bb}}, "x", "bb"},
		{[]clause{{a}}, "a\n", ""},
		{[]clause{{a}}, "a\n" + strings.Repeat("x", rareLine), "a"},
		{[]clause{{a}}, "a\na\n" + strings.Repeat("x", rareLine), ""},
		{[]clause{{a}}, strings.Repeat("x", most) + strings.Repeat("a\n", 999), "a"},
		{nil, "x", ""},
	} {
		find := rareClause(c.all, []byte(c.sample))
		if find == nil != (c.want == "") {
			t.Errorf("%v of %.20q: is there one: %t", c.all, c.sample, find != nil)
		} else if find != nil && find([]byte("x"+c.want)) < 0 {
			t.Errorf("%v of %.20q: %q is not looked for", c.all, c.sample, c.want)
		}
	}
	both := clause{{text: "x"}, {text: "z"}}.finder()
	for text, want := range map[string]int{"z\nx\n": 0, "x\nz\n": 0, "-\nz": 2, "-": -1, "": -1, strings.Repeat("-\n", 300) + "z": 600} {
		if got := both([]byte(text)); got != want {
			t.Errorf("x or z is at %d of %.20q, want %d", got, text, want)
		}
	}
	for text, want := range map[string]int{"": 0, "z": 1, "z\nz": 2, "z\n-\nz\n": 2, "zz": 1} {
		if got := countLines(textFinder("z", false), []byte(text)); got != want {
			t.Errorf("%d lines of %q have a z, want %d", got, text, want)
		}
	}
	for text, want := range map[string]int{"e\x00": 1, "\x00e": 0, "ze": 0, "ez": 1, "Zz": 0} {
		if got := rarest([]byte(text)); got != want {
			t.Errorf("the rarest byte of %q is %d, want %d", text, got, want)
		}
	}
}

func TestClauses(t *testing.T) {
	for expression, want := range map[string]string{
		"a.*bcd|xyz.*w":              "[[bcd xyz]]",
		"abc.*d|x.*yz":               "[[abc yz]]",
		"(ab)+c{2,}d*":               "[[ab] [c]]",
		"a|b.*":                      "[[a b]]",
		"a|.*":                       "[]",
		"(?i)ab.*é":                  "[[ab]]",
		"ab|bc|cd|de|ef|fg|gh|hi|ij": "[]",
	} {
		re, err := syntax.Parse(expression, syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		got := "["
		for i, c := range clauses(re) {
			got += strings.Repeat(" ", min(i, 1)) + "["
			for j, l := range c {
				got += strings.Repeat(" ", min(j, 1)) + strings.ToLower(l.text)
			}
			got += "]"
		}
		if got += "]"; got != want {
			t.Errorf("%s: got %s, want %s", expression, got, want)
		}
	}
}

// The texts are looked for in steps that end between lines, so that none is cut.
func TestFirstOf(t *testing.T) {
	finders := []Finder{textFinder("needle", false), textFinder("PIN", true)}
	for n := range 600 {
		for end, want := range map[string]int{"needle": n, "needle\n": n, "pin": n, "\nneedle pin\n": n + 1, "\npin needle": n + 1, "needl\ne\n": -1} {
			if got := firstOf(finders, []byte(strings.Repeat("x", n)+end)); got != want {
				t.Errorf("%q after %d bytes: %d, want %d", end, n, got, want)
			}
		}
	}
	if got := after(5, -1); got != -1 {
		t.Errorf("nothing after 5 bytes is at %d", got)
	}
	if got := after(5, 0); got != 5 {
		t.Errorf("the beginning after 5 bytes is at %d", got)
	}
	if _, err := New("("); err == nil {
		t.Error("no expression is one")
	}
}
