package match

import (
	"slices"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/redact/internal/names"
	"github.com/envwrap/envwrap/redact/internal/syntax"
)

func viewOf(text string) *View {
	return &View{Line: syntax.Line{Text: []byte(text), Hi: len(text)}}
}

// A token may begin where the text before | is no word, but an option of one letter, an
// escape or a colour.
func TestBoundary(t *testing.T) {
	for text, want := range map[string]bool{
		"|x": true, " |x": true, "=|x": true, "a|x": false, "_|x": false,
		"-k|x": true, "run -k|x": true, "a-k|x": false, "-kk|x": false,
		`a\n|x`: true, `a\\n|x`: false, `a\N|x`: false,
		`\u001b[1;31m|x`: true, `\x1b[0m|x`: true, `\033[m|x`: true, `\u001B[K|x`: true,
		`[0m|x`: false, `x1b[0m|x`: false, `\x1b0m|x`: false, `\x1b[0k|x`: false, `\u000a[0m|x`: false,
		"%22|x": true, `\x22|x`: true, "022|x": false,
	} {
		before, after, _ := strings.Cut(text, "|")
		if got := viewOf(before + after).Boundary(len(before)); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
	v := viewOf("ab")
	v.Lo = 1
	if !v.Boundary(1) {
		t.Error("the beginning of a line is within a word")
	}
	if v.CutLeft = true; v.Boundary(1) {
		t.Error("the middle of a line is the beginning of a word")
	}
}

// Masks and what is empty are not added.
func TestAdd(t *testing.T) {
	for text, want := range map[string]bool{
		"x|abc": true, "x|": false, "x|***": false, "x|****": true,
	} {
		before, after, _ := strings.Cut(text, "|")
		v := viewOf(before + after)
		if v.Add(len(before), v.Hi, RuleURL); (len(v.Spans) == 1) != want {
			t.Errorf("%q: %v", text, v.Spans)
		}
	}
}

// A value is awaited on the next line after a whole line whose name is not compared.
func TestExpect(t *testing.T) {
	for _, c := range []struct {
		cut  bool
		op   syntax.Operator
		want bool
	}{{false, syntax.OpAssign, true}, {true, syntax.OpAssign, false}, {false, syntax.OpCompare, false}} {
		v := View{CutRight: c.cut}
		if v.Expect(names.Strong, c.op); v.Next.Active() != c.want {
			t.Errorf("%+v: %+v", c, v.Next.Pending)
		}
	}
}

// Spans that overlap or touch are one, which needs quotes if all of them do.
func TestUnion(t *testing.T) {
	at := func(start, end int, rule string, quotes bool) Span {
		return Span{Start: start, End: end, Rule: rule, NeedsQuotes: quotes}
	}
	for _, c := range []struct{ spans, want []Span }{
		{nil, nil},
		{[]Span{at(1, 2, "a", true)}, []Span{at(1, 2, "a", true)}},
		{[]Span{at(5, 6, "b", true), at(1, 2, "a", false)}, []Span{at(1, 2, "a", false), at(5, 6, "b", true)}},
		{[]Span{at(2, 3, "b", true), at(1, 2, "a", true)}, []Span{at(1, 3, "a", true)}},
		{[]Span{at(1, 3, "b", true), at(1, 9, "a", true), at(4, 5, "c", false)}, []Span{at(1, 9, "a", false)}},
	} {
		if got := Union(slices.Clone(c.spans)); !slices.Equal(got, c.want) {
			t.Errorf("%v: %v, want %v", c.spans, got, c.want)
		}
	}
}

// Only spans of one rule that overlap are joined.
func TestJoins(t *testing.T) {
	s := Span{Start: 3, End: 6, Rule: "a"}
	for _, c := range []struct {
		other Span
		want  bool
	}{
		{s, true},
		{Span{Start: 5, End: 9, Rule: "a"}, true},
		{Span{Start: 1, End: 4, Rule: "a"}, true},
		{Span{Start: 6, End: 9, Rule: "a"}, false},
		{Span{Start: 1, End: 3, Rule: "a"}, false},
		{Span{Start: 3, End: 6, Rule: "b"}, false},
		{Span{Start: 3, End: 6, Rule: "a", Encoded: true}, false},
	} {
		if got := s.Joins(c.other); got != c.want {
			t.Errorf("%+v: %t", c.other, got)
		}
	}
}

// A masked line leaves what the line left before it was masked, where the mask hides it.
func TestStateWith(t *testing.T) {
	first := State{Key: KeyBlock{Lines: 3}, Paired: PairedKey{Size: 40, Lines: 2}, Continued: true, Folded: "YWJj", Netrc: 2}
	if got, want := (State{Netrc: 1}).With(first), (State{Netrc: 1, Key: first.Key, Paired: first.Paired, Continued: true, Folded: "YWJj"}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if own := (State{Paired: first.Paired}); own.With(State{}) != own {
		t.Errorf("%+v", own.With(State{}))
	}
}
