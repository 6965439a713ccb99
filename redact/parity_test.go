package redact

import (
	"bytes"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/internal/test/matrix"
)

// The offset of a line in what is written, by which the search for literals has others of
// its windows, changes nothing.
func TestParity(t *testing.T) {
	rnd := random()
	all, r := scraps(), testRedactor()
	for range 2000 {
		text := strings.ReplaceAll(scrapText(rnd, all, 24), "\n", " ")
		even := masked(t, r, usual, []byte("x\n"+text))
		odd := masked(t, r, usual, []byte("xy\n"+text))
		if !bytes.Equal(even[2:], odd[3:]) {
			t.Fatalf("%q:\n at even offsets %q\n  at odd offsets %q", text, even[2:], odd[3:])
		}
	}
}

// longText is the length of a text that is searched with the table of pairs of bytes.
const longText = 80 << 10

// A long text, which is searched with a table, comes out as its lines do, which are not.
func TestLongText(t *testing.T) {
	t.Parallel()
	rnd := random()
	all, r := scraps(), testRedactor()
	for range matrix.Times(12, 36) {
		var text []byte
		var ends []int
		for len(text) < longText {
			text = append(text, strings.ReplaceAll(scrapText(rnd, all, 12), "\n", " ")...)
			text = append(text, '\n')
			ends = append(ends, len(text))
		}
		want := masked(t, r, usual, text, ends...)
		if got := masked(t, r, usual, text); !bytes.Equal(got, want) {
			i := 0
			for i < min(len(got), len(want)) && got[i] == want[i] {
				i++
			}
			t.Fatalf("in one Write: ...%q\nline by line: ...%q", got[max(0, i-80):min(len(got), i+80)], want[max(0, i-80):min(len(want), i+80)])
		}
	}
}
