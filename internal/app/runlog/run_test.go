package runlog

import (
	"strings"
	"testing"
)

// A command line is one that a shell reads back, and shows where it was cut.
func TestCommandLine(t *testing.T) {
	for _, c := range []struct {
		run  Run
		want string
	}{
		{Run{Argv: []string{"echo", "a b", ""}}, "echo 'a b' ''"},
		{Run{Argv: []string{"bash", "-c", ""}, Text: "ls | wc"}, "bash -c 'ls | wc'"},
		{Run{Argv: []string{"ls", "a"}, Text: "x"}, "ls a"},
		{Run{Argv: []string{"ls"}, Cut: &Cut{Bytes: 5000}}, "ls ..."},
	} {
		if got := c.run.CommandLine(); got != c.want {
			t.Errorf("%+v: %s, want %s", c.run, got, c.want)
		}
	}
}

// A line of a run that began has an id, that of one that ended an outcome, too.
func TestWhole(t *testing.T) {
	for _, c := range []struct {
		run  Run
		want bool
	}{
		{Run{Kind: RunEnded, Time: noon, ID: "1", Outcome: "success"}, true},
		{Run{Kind: RunEnded, Time: noon, ID: "1"}, false},
		{Run{Kind: RunEnded, Time: noon, Outcome: "success"}, false},
		{Run{Kind: RunEnded, ID: "1", Outcome: "success"}, false},
		{Run{Kind: RunBegun, Time: noon, ID: "1"}, true},
		{Run{Kind: RunBegun, Time: noon}, false},
		{Run{Kind: "later", Time: noon}, true},
		{Run{Time: noon, ID: "1", Outcome: "success"}, false},
	} {
		if got := c.run.whole(); got != c.want {
			t.Errorf("%+v: %t", c.run, got)
		}
	}
}

// What was cut of either the words or the text is counted, and both are digested.
func TestShorten(t *testing.T) {
	long := strings.Repeat("x", 2000)
	for _, c := range []struct {
		run   Run
		bytes int
	}{
		{Run{Argv: []string{"ls", "a"}, Text: "ls"}, 0},
		{Run{Argv: []string{"ls", long}, Text: "ls"}, 3 + 2001 + 3},
		{Run{Argv: []string{"sh"}, Text: long}, 3 + 2001},
	} {
		c.run.shorten(1)
		got := 0
		if c.run.Cut != nil {
			got = c.run.Cut.Bytes
		}
		if got != c.bytes {
			t.Errorf("%.20q: %d bytes, want %d", c.run.Argv, got, c.bytes)
		}
	}
}

// Texts are cut between characters, and words from the first that does not fit.
func TestCut(t *testing.T) {
	for _, c := range []struct {
		s          string
		most       int
		head, tail string
	}{
		{"abc", 3, "abc", "abc"},
		{"abcd", 3, "abc", "bcd"},
		{"aéb", 2, "a", "b"},
		{"éab", 3, "éa", "ab"},
		{"one\ntwo", 5, "one\nt", "two"},
		{"one\ntwo\n", 4, "one\n", "two\n"},
		{"abcdef\n", 3, "abc", "ef\n"},
		{"ééé", 3, "é", "é"},
	} {
		if got := cutText(c.s, c.most); got != c.head {
			t.Errorf("cutText(%q, %d) = %q, want %q", c.s, c.most, got, c.head)
		}
		if got := tailText(c.s, c.most); got != c.tail {
			t.Errorf("tailText(%q, %d) = %q, want %q", c.s, c.most, got, c.tail)
		}
	}
	for _, c := range []struct {
		words string
		most  int
		want  string
		whole bool
	}{
		{"ab cd", 6, "ab cd", true},
		{"ab cd", 5, "ab cd", true},
		{"ab cd", 4, "ab c", false},
		{"ab cd", 3, "ab", false},
		{"abcd ef", 3, "abc", false},
	} {
		got, whole := cutWords(strings.Fields(c.words), c.most)
		if strings.Join(got, " ") != c.want || whole != c.whole {
			t.Errorf("cutWords(%q, %d) = %q, %t; want %q, %t", c.words, c.most, got, whole, c.want, c.whole)
		}
	}
}

// Of the parts of two lines of a run, those of the first count.
func TestPartsWith(t *testing.T) {
	out, both := &Parts{Stdout: "a"}, &Parts{Stdout: "x", Stderr: "b", Pipeline: "c"}
	for _, c := range []struct {
		p, others *Parts
		want      Parts
	}{
		{nil, out, *out},
		{out, nil, *out},
		{out, both, Parts{"a", "b", "c"}},
		{both, out, *both},
	} {
		if got := *c.p.With(c.others); got != c.want {
			t.Errorf("%v with %v: %v", c.p, c.others, got)
		}
	}
	if p := (&Parts{Pipeline: "c"}); p.First() != "c" || both.First() != "x" || p.With(&Parts{Stderr: "b"}).First() != "b" {
		t.Error("the first part is another one")
	}
}
