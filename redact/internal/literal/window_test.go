package literal

import (
	"bytes"
	"slices"
	"testing"

	"github.com/envwrap/envwrap/redact/internal/ascii"
)

// A literal after a letter is within a word, unless the letter may end an escape, be a
// digit of one, or be an option.
func TestWithinWord(t *testing.T) {
	for before, want := range map[string]bool{
		"ax": true, "ag": true, "az": true, " x": true, "_x": true,
		"": false, "x": false, "a ": false, "af": false, "a{": false, "aZ": false,
		`\n`: false, "-k": false, "\x1b[0m": false,
	} {
		if got := withinWord([]byte(before+"ghp_"), len(before)); got != want {
			t.Errorf("after %q: %t", before, got)
		}
	}
}

// A needle has a window of either parity: the one of its first bytes whose signs are the
// rarest in text.
func TestNeedleWindows(t *testing.T) {
	for _, c := range []struct {
		needle string
		step   int
		want   [2]int
	}{
		{"aaaaaaaa", 4, [2]int{0, 1}},
		{"aaaa-B-Xaaaa", 4, [2]int{2, 3}},
		{"aaaa-B-Xaaaa", 8, [2]int{4, 3}},
		{"aaaaaa12", 5, [2]int{4, 3}},
		{"-Baaaa12", 5, [2]int{0, 1}},
		{"aaaa-B", 6, [2]int{2, 1}}, // there is room for no other
	} {
		if got := needleWindows([]byte(c.needle)[:len(c.needle):len(c.needle)], c.step); got != c.want {
			t.Errorf("%q in %d: %v, want %v", c.needle, c.step, got, c.want)
		}
	}
}

// A literal is left out if a byte after it is of another class, as far as there are any: a
// search with the table and one without it agree.
func TestNextBytes(t *testing.T) {
	s := New([]Literal{{Text: "abc", Next: ascii.Digit, Nexts: 3}, {Text: "abcd", Next: ascii.Upper, Nexts: 1}})
	b := bytes.Repeat([]byte(" abc abc1x abc12 abc1, abcd abcde abcdEf.."), 100)
	b = append(b, "..abc1"...)
	var want []Hit
	for i := range 100 {
		want = append(want, Hit{0, 42*i + 11}, Hit{1, 42*i + 34})
	}
	want = append(want, Hit{0, len(b) - 4})
	for shift := range 2 {
		var at Scratch
		sameHits(t, b[shift:], s.Find(nil, b[shift:], &at), moved(want, -shift))
		sameHits(t, b[shift:], s.Find(nil, b[shift:], nil), moved(want, -shift))
	}
}

func moved(hits []Hit, by int) []Hit {
	hits = slices.Clone(hits)
	for i := range hits {
		hits[i].Pos += by
	}
	return hits
}
