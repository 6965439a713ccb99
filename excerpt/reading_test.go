package excerpt

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"
)

// testdata/scores.txt has lines, and before each what was read in it: its score,
// how well it says why, a letter for each thing that is so, and a part of each hash
// whose rarity counts: lines that are alike have the same. It is written anew where
// UPDATE is set.
func TestScores(t *testing.T) {
	const name = "testdata/scores.txt"
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	same := true
	for in := bufio.NewScanner(bytes.NewReader(text)); in.Scan(); {
		_, line, ok := strings.Cut(in.Text(), "|")
		if !ok { // a comment
			fmt.Fprintln(&out, in.Text())
			continue
		}
		var s scan
		s.read(evidenceDictionary(), []byte(line))
		var hashes [rareKinds]uint16
		for k, h := range s.kinds {
			hashes[k] = uint16(h >> 16)
		}
		var is []byte
		for i, so := range []bool{
			s.located, s.ended, s.passing, s.warned, s.labelled, s.grave, s.counted,
			s.specific, s.failed, s.matched, s.kinds[rareFailure] != 0, s.shape != 0,
		} {
			if so {
				is = append(is, "LEPWMGCSFmfs"[i])
			}
		}
		got := fmt.Sprintf("%3d %3d %-8s %04x|%s", s.score, s.why, is, hashes, line)
		if got != in.Text() {
			same = false
			t.Logf("was %s\nis  %s", in.Text(), got)
		}
		fmt.Fprintln(&out, got)
	}
	if same {
		return
	}
	if os.Getenv("UPDATE") == "" {
		t.Error("lines are read in another way; set UPDATE to write testdata/scores.txt anew")
	} else if err := os.WriteFile(name, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}

// A line is plain if cleaning would change nothing of it.
func TestIsPlain(t *testing.T) {
	for text, want := range map[string]bool{
		"": true, "a": true, "a ~": true, "a\tb": true, "é": true, "\u00a0": true, "\u07ff": true, "✓": true,
		"\x1f": false, "\x7f": false, "\x00": false, "\n": false, "\r": false, "\xff": false, "\xc2": false, "\u009f": false, "\u0080": false, "é\u009b": false, "éé\x1b": false,
	} {
		for _, before := range []string{"", "12345678", "\t", "1234567890123456789"} {
			line := before + text
			if got := isPlain([]byte(line)); got != want {
				t.Errorf("%q: %t", line, got)
			}
			var b batch
			clean, _ := b.cleaned([]byte(line))
			if same := string(clean) == line; want && !same || same && len(b.clean) == 0 && !want {
				t.Errorf("%q: cleaned %q", line, clean)
			}
		}
	}
	for text, want := range map[string]bool{
		"": true, "a ~\n\t": true, "\x1f": false, "\x0b": false, "\r": false, "\x7f": false, "\x80": false, "a\xffb": false,
	} {
		if got := isPlainText(text); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
}

// A line is red if any part of it is.
func TestCleanedIsRed(t *testing.T) {
	for line, want := range map[string]bool{
		"\x1b[31mred\x1b[0m": true, "\x1b[0mno\x1b[31mred": true, "\u009b31mred\u009b0m": true, "\u009b0mno\u009b31mred": true,
		"\x1b[32mgreen\x1b[0m": false, "\u009b32mgreen": false, "red": false, "\x00": false,
	} {
		var b batch
		if _, red := b.cleaned([]byte(line)); red != want {
			t.Errorf("%q: %t", line, red)
		}
	}
}

// A command has one of the prompts, a space and something after it.
func TestIsCommand(t *testing.T) {
	for text, want := range map[string]bool{
		"$ make": true, "> make": true, "+ x": true, "# x": true, "% x": true, "##[group]Run": true,
		"$": false, "$ ": false, "$x y": false, "x y z": false, "- x y": false, "##": false, "": false,
	} {
		if got := isCommand([]byte(text)); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
}

// A number before a verdict, a summary or the word error says how many there were.
func TestRowsThatCount(t *testing.T) {
	for _, c := range []struct {
		r    row
		want bool
	}{
		{row{text: "failed", kind: verdict}, true},
		{row{text: "tests", kind: summary}, true},
		{row{text: "error", kind: failure}, true},
		{row{text: "errors", kind: failure}, true},
		{row{text: "fatal", kind: failure}, false},
		{row{text: "reason", kind: cause}, false},
	} {
		if got := c.r.counts(); got != c.want {
			t.Errorf("%+v: %t", c.r, got)
		}
	}
}

// An empty cell counts nothing, whatever its tag; what is not known was seen once.
func TestSketchCounts(t *testing.T) {
	s := newSketch(2)
	a, b, tag := s.at(0, 0)
	if tag != 0 {
		t.Fatalf("the tag of 0 is %d", tag)
	}
	for _, c := range []struct {
		a, b         cell
		count, added int
	}{
		{cell{}, cell{}, 1, 1},
		{cell{0, 7}, cell{}, 7, 8},
		{cell{}, cell{0, 7}, 7, 8},
		{cell{1, 7}, cell{0, 5}, 5, 6},
		{cell{1, 7}, cell{1, 7}, 1, 1},
		{cell{0, 1<<16 - 1}, cell{}, 1<<16 - 1, 1<<16 - 1},
	} {
		*a, *b = c.a, c.b
		if got := s.count(0, 0); got != c.count {
			t.Errorf("%v %v: counts %d, want %d", c.a, c.b, got, c.count)
		}
		if got, _ := s.add(0, 0); got != c.added {
			t.Errorf("%v %v: adds to %d, want %d", c.a, c.b, got, c.added)
		}
	}
}

// A piece has the priority of its words, less where its like was seen
// often, and that of the two rarest of its parts.
func TestOwnPriority(t *testing.T) {
	final := newSketch(fewCells)
	final.seen[rareShape], final.novel[rareShape] = 1<<9, 1
	final.seen[rareFailure], final.novel[rareFailure] = 1<<9, 1
	for k := range rareKinds {
		for n := uint32(1); n < 5; n++ { // the hash n was seen n times, 4 nine times
			a, b, tag := final.at(k, n)
			*a, *b = cell{tag, []uint16{0, 1, 2, 3, 9}[n]}, cell{}
			if got, want := final.count(k, n), []int{0, 1, 2, 3, 9}[n]; got != want {
				t.Fatalf("count %d", got)
			}
		}
	}
	for _, c := range []struct {
		name  string
		p     piece
		final *sketch
		want  int
	}{
		{"nothing", piece{}, nil, 0},
		{"words", piece{score: 50, seen: 1}, nil, 50},
		{"words seen twice", piece{score: 50, seen: 2}, nil, 40},
		{"words seen often", piece{score: 50, seen: 1 << 12}, nil, 9},
		{"rare", piece{kinds: [rareKinds]uint32{1}, surprise: [rareKinds]uint8{5}}, nil, 20},
		{"rare in two ways", piece{kinds: [rareKinds]uint32{1, 1}, surprise: [rareKinds]uint8{5, 3}}, nil, 24},
		{"rare in two ways, the second more", piece{kinds: [rareKinds]uint32{1, 1}, surprise: [rareKinds]uint8{3, 5}}, nil, 24},
		{"rare in three ways", piece{kinds: [rareKinds]uint32{1, 1, 1}, surprise: [rareKinds]uint8{5, 2, 3}}, nil, 24},
		{"rarer than counts", piece{kinds: [rareKinds]uint32{1, 1}, surprise: [rareKinds]uint8{12, 11}}, nil, 53},
		{"no part", piece{surprise: [rareKinds]uint8{5, 5, 5, 5}}, nil, 0},
		{"once in all", piece{kinds: [rareKinds]uint32{1}}, final, 36},
		{"twice in all", piece{kinds: [rareKinds]uint32{2}}, final, 36},
		{"three times in all", piece{kinds: [rareKinds]uint32{3}, surprise: [rareKinds]uint8{6}}, final, 12},
		{"nine times in all", piece{kinds: [rareKinds]uint32{4}, surprise: [rareKinds]uint8{6}}, final, 0},
		{"a failure once", piece{kinds: [rareKinds]uint32{rareFailure: 1}, score: 50, seen: 1}, final, 50},
		{"a failure nine times", piece{kinds: [rareKinds]uint32{rareFailure: 4}, score: 50, seen: 1}, final, 50},
	} {
		if got := c.p.own(c.final); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

// Two lines have one key in the cache if they differ in digits, digests and UUIDs
// alone, and none where a byte of them is a control character or no UTF-8.
func TestMemoKeys(t *testing.T) {
	hex := func(n, from int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = "0a1b2c3d4e5f6a7b"[(i+from)%16]
		}
		return string(b)
	}
	const uuid, other = "0189f7d2-5c1e-7a3b-9b0a-3f2c4d5e6f70", "1e8af7d3-4b2d-8b4c-8c1b-1a3b5c6d7e8f"
	m := newFactCache()
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"a 1", "a 2", true},
		{"a 1", "b 1", false},
		{"x 1", "x 11", true},
		{"x 1", "X 1", false},
		{"x 1", " x 1", false},
		{" x 1", "  x 1", false},
		{"x 1", "x: 1", false},
		{"x.go:12", "x.go: 12", false},
		{"not so", "so not", false},
		{"it was not found at once by us", "at once it was found by not us", false},
		{"at " + uuid, "at " + other, true},
		{uuid, other, true},
		{"g" + uuid, "h" + other, false},
		{hex(7, 0) + " x", hex(7, 2) + " x", true},
		{hex(7, 0) + " x", hex(7, 0) + " y", false},
		{hex(64, 0) + ". x", hex(65, 2) + ". x", true},
		{"at " + hex(130, 0) + ".", "at " + hex(131, 2) + ".", true},
		{strings.Repeat("x ", 30) + hex(9, 0), strings.Repeat("x ", 30) + hex(9, 2), true},
	} {
		if same := keyOf(m, c.a) == keyOf(m, c.b); same != c.same {
			t.Errorf("%q and %q have one key: %t", c.a, c.b, same)
		}
	}
	for line, want := range map[string]bool{
		"": true, "a\tb": true, "12345678\t": true, "a\x01": false, "a\x1bb": false, "a\x7f": false, "12345678\x01": false, "1234\x01678": false, "\t\x01": false,
		"a\x00": false, "a\x00b": false, "\x00": false, "é€😀": true, "a\xff": false, "\xc3": false, "\xa9": false, "é\xa9": false, "\xe2\x82": false, "\xe2\x82x": false,
		"\u0085": false, "\xc0\x80": false, "\xed\xa0\x80": false, "\xf4\x90\x80\x80": false, "\xf0\x8f\xbf\xbf": false, "\xe0\x9f\xbf": false, "12345678é": true, "\xe2\x82x é\xa9": false,
		strings.Repeat("x", wholeLine): true, strings.Repeat("x", wholeLine+1): false,
	} {
		if known, _ := m.find([]byte(line)); (known != nil) != want {
			t.Errorf("%q has a place: %t", line, known != nil)
		}
	}
	if known, _ := (*factCache)(nil).find([]byte("a")); known != nil {
		t.Error("a nil cache has an entry")
	}
}
