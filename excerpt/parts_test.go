package excerpt

import (
	"bytes"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/internal/shared/escape"
)

// A place weighs less the further it is from its end of the text.
func TestPlace(t *testing.T) {
	for _, c := range []struct{ size, quota, budget, weight, want int }{
		{0, 0, 0, 1, 44 * endScale},
		{0, 100, 1000, 1, 44 * endScale},
		{100, 100, 1000, 1, 36 * endScale},
		{101, 100, 1000, 1, 8*endScale - 12},
		{250, 100, 1000, 1, 8*endScale - 32},
		{251, 100, 1000, 1, 0},
		{750, 100, 1000, 3, 8*endScale - 32},
		{751, 100, 1000, 3, 0},
	} {
		if got := endPriority(c.size, c.quota, c.budget, c.weight); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
}

// The last three lines that are not blank matter, whatever the budget.
func TestLastLines(t *testing.T) {
	text := func(s string) piece { return piece{text: []byte(s)} }
	c := choice{w: &Writer{bytes: 100}, all: []piece{text("a"), text("b"), text("c"), text(""), text("d"), text("e"), text("")}}
	const last = 4 * 30 * endScale
	if got, want := c.priorities(), []int{0, 0, last, 0, last, last, 0}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	for want, scores := range map[bool][]int16{true: {0, 30}, false: {29, 0}} {
		c.all = []piece{{score: scores[0]}, {score: scores[1]}}
		if c.evident() != want {
			t.Errorf("%v are evident: %t", scores, !want)
		}
	}
}

// A piece is picked once, and only where it fits.
func TestPick(t *testing.T) {
	w := Writer{bytes: 12, reader: reader{num: 3}}
	line := func(n int64) piece {
		return piece{off: 4 * (n - 1), raw: 4, num: n, text: []byte("abc"), first: true, last: true}
	}
	c := choice{w: &w, all: []piece{line(1), line(2), line(3)}, budget: 60}
	for range 2 {
		if !c.pick(1) || len(c.picked) != 1 {
			t.Errorf("picked %v", c.picked)
		}
	}
	c.budget = c.size - 30
	if c.pick(0) || len(c.picked) != 1 {
		t.Errorf("picked %v", c.picked)
	}
	for _, s := range []struct {
		last, unfinished bool
		bytes            int64
		want             int
	}{{true, false, 4, 4}, {true, true, 4, 3}, {true, true, 5, 4}, {false, false, 4, 3}} {
		p := line(1)
		p.last = s.last
		c := choice{w: &Writer{bytes: s.bytes, unfinished: s.unfinished}}
		if got := c.shown(&p); got != s.want {
			t.Errorf("%+v: %d", s, got)
		}
	}
}

// The mark for the rest of a line has its newline if the line has one.
func TestMarks(t *testing.T) {
	part := func(num, begin, end int64) *piece {
		return &piece{off: begin, raw: 10, num: num, first: true, long: &longLine{begin, end}}
	}
	bytesOf := func(line, from, to int64, newline bool) gapMark {
		return gapMark{Gap{First: line, Last: line, Bytes: true, From: from, To: to}, newline}
	}
	lines := gapMark{Gap{First: 2, Last: 2, From: 50, To: 100}, true}
	same := &piece{off: 30, raw: 20, num: 1, last: true, long: &longLine{0, 50}}
	for _, c := range []struct {
		name       string
		unfinished bool
		a, b       *piece
		want       []gapMark
	}{
		{"a finished text", false, part(2, 50, 100), nil, []gapMark{bytesOf(2, 60, 99, true)}},
		{"an unfinished one", true, part(2, 50, 100), nil, []gapMark{bytesOf(2, 60, 100, false)}},
		{"a line before the last", true, part(1, 0, 50), nil, []gapMark{bytesOf(1, 10, 49, true), lines}},
		{"within a line", false, part(1, 0, 50), same, []gapMark{bytesOf(1, 10, 30, false)}},
		{"the beginning of a line", false, nil, same, []gapMark{bytesOf(1, 0, 30, false)}},
		{"nothing shown", false, nil, nil, []gapMark{{Gap{First: 1, Last: 2, From: 0, To: 100}, true}}},
	} {
		k := choice{w: &Writer{bytes: 100, reader: reader{num: 2}, unfinished: c.unfinished}}
		if got := k.marks(nil, c.a, c.b); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

// A line is refused without a look at the marks only if they would grow so much.
func TestLeastMark(t *testing.T) {
	tight := 0
	for _, lines := range []int64{3, 11, 101, 1001, 10_001, 12_000} {
		c := choice{w: &Writer{bytes: 2 * lines, reader: reader{num: lines}}}
		for num := int64(1); num <= lines; num++ {
			p := &piece{off: 2 * (num - 1), raw: 2, num: num, first: true, last: true}
			if c.splits(nil, p, nil) != (num > 1 && num < lines) {
				t.Fatalf("line %d of %d", num, lines)
			}
			growth := c.gap(nil, p) + c.gap(p, nil) - c.gap(nil, nil)
			if c.splits(nil, p, nil) && growth < leastMark(num) {
				t.Fatalf("line %d of %d: %d bytes, at least %d", num, lines, growth, leastMark(num))
			}
			if growth == leastMark(num) {
				tight++
			}
		}
	}
	if tight == 0 {
		t.Error("it is never that little")
	}
	long := &longLine{0, 20}
	whole, head, tail := &piece{off: 4, raw: 2, first: true, last: true}, &piece{raw: 2, first: true, long: long}, &piece{off: 10, raw: 2, last: true, long: long}
	c := choice{w: &Writer{bytes: 20}}
	if !c.splits(nil, whole, nil) || c.splits(head, whole, nil) || c.splits(nil, whole, tail) || c.splits(nil, tail, nil) || c.splits(nil, &piece{off: 4, raw: 2, first: true, long: long}, nil) {
		t.Error("parts of lines are taken for whole ones")
	}
}

// Lines before and after evidence share its priority, across the pieces that are
// ranked together.
func TestRank(t *testing.T) {
	score := func(scores ...int16) []piece {
		ps := make([]piece, len(scores))
		for i := range ps {
			ps[i] = piece{mine: scores[i]}
		}
		return ps
	}
	for _, c := range []struct {
		ps, next []piece
		want     []int16
	}{
		{score(0, 0, 0, 0), score(50), []int16{0, 15, 22, 29}},
		{score(0, 0, 0, 0), score(0, 50), []int16{0, 0, 15, 22}},
		{score(0, 0, 0, 0), score(0, 0, 50), []int16{0, 0, 0, 15}},
		{score(0, 0, 0, 0), score(0, 0, 0, 50), []int16{0, 0, 0, 0}},
		{score(0, 0, 0, 0), score(19), []int16{0, 0, 0, 0}},
		{score(0), score(20), []int16{11}},
		{score(0, 0, 50, 0, 0), nil, []int16{22, 29, 50, 36, 31}},
		{score(0, 19, 0), nil, []int16{0, 19, 0}},
	} {
		rankPieces(c.ps, c.next, new([linesAfter]int), nil)
		for i, want := range c.want {
			if c.ps[i].prio != want {
				t.Errorf("%d of %v: %d", i, c.want, c.ps[i].prio)
			}
		}
	}
}

// The least reason goes where there are more than are kept, and none goes for a lesser one.
func TestReasonsKeepTheBest(t *testing.T) {
	var r explanations
	for _, why := range []int{30, 90, 20, 80, 40, 70, 50, 60, 25, 10, 20} {
		r.add(&piece{text: []byte("x")}, &facts{why: why}, 1)
	}
	var kept []int
	for _, b := range r.best {
		kept = append(kept, b.why)
	}
	slices.Sort(kept)
	if want := []int{25, 30, 40, 50, 60, 70, 80, 90}; !slices.Equal(kept, want) {
		t.Errorf("kept %v, want %v", kept, want)
	}
}

// A reason that goes on takes the lines that it announces, and is counted as open
// until it has them.
func TestReasonsGoOn(t *testing.T) {
	for _, c := range []struct {
		first string
		next  []string
		open  []int
		want  string
	}{
		{"error: x", []string{"y"}, []int{0, 0}, "error: x"},
		{"error:", []string{"", "x", "y"}, []int{1, 1, 0, 0}, "error: x"},
		{"error:", []string{"x:", "y", "z"}, []int{1, 1, 0, 0}, "error: x: y"},
		{"error:", []string{strings.Repeat("x", wholeLine) + ":", "y"}, []int{1, 0, 0}, "error: " + strings.Repeat("x", wholeLine) + ":"},
		{"Traceback (most recent call last):", []string{"  x", "\ty", "z: a", "b"}, []int{1, 1, 1, 0, 0}, "z: a"},
		{"--- FAIL: T (0.00s)", []string{"    --- FAIL: T/a", "    x", "    y"}, []int{1, 1, 0, 0}, "x"},
		{"--- FAIL: T (0.00s)", []string{"FAIL", "    x"}, []int{1, 0, 0}, "--- FAIL: T (0.00s)"},
	} {
		var r explanations
		r.add(&piece{text: []byte(c.first)}, &facts{why: 50}, 1)
		open := []int{r.open}
		for _, line := range c.next {
			r.follow([]byte(line))
			open = append(open, r.open)
		}
		if got := string(r.best[0].text); got != c.want || !slices.Equal(open, c.open) {
			t.Errorf("%q, %q: got %q, open %v; want %q, %v", c.first, c.next, got, open, c.want, c.open)
		}
	}
}

// The log of a test explains the result of that test only.
func TestExplainResult(t *testing.T) {
	result := func(off int64) *piece { return &piece{off: off, text: []byte("--- FAIL: T (0.00s)")} }
	var r explanations
	r.add(result(1), &facts{why: 5}, 1)
	r.add(result(2), &facts{why: 5}, 1)
	r.add(&piece{off: 2, text: []byte("x")}, &facts{why: 5}, 1)
	log := func(s string) *piece { return &piece{text: []byte(s)} }
	r.explain(result(2), []*piece{log("    second"), log("    first"), log("    --- PASS: T/a"), log("    other")})
	var got []string
	for _, b := range r.best[:r.n] {
		got = append(got, string(b.text))
	}
	if want := []string{"--- FAIL: T (0.00s)", "first", "x"}; !slices.Equal(got, want) || r.open != 1 ||
		r.best[0].why != 5 || r.best[1].why != loggedWeight || r.best[2].why != 5 {
		t.Errorf("got %q, open %d, %+v", got, r.open, r.best[:r.n])
	}
	r.explain(result(1), []*piece{log("no log"), log("    other")})
	if b := &r.best[0]; b.why != testNameWeight || b.continues != onInnerLine || r.open != 1 {
		t.Errorf("got %+v, open %d", b, r.open)
	}
}

// A line of a gap is read as it is written, and nothing else is one.
func TestParseGap(t *testing.T) {
	for line, want := range map[string]bool{
		"... 412 lines (118-529) ...\n": true, "... 1 lines (7-7) ...\n": true, "... 1,000 lines (1-1000) ...\n": true,
		"... 9,223,372,036,854,775,807 lines (1-9223372036854775807) ...\n": true,
		"412 lines (118-529) ...\n":                                         false,
		"... 412 lines (118-529) ...":                                       false,
		"... 412 lines 118-529) ...\n":                                      false,
		"... 412 lines (118:529) ...\n":                                     false,
		"... 412 lines (118-528) ...\n":                                     false,
		"... 1000 lines (1-1000) ...\n":                                     false,
		"... 1 lines (0-0) ...\n":                                           false,
		"... 2 lines (x-1) ...\n":                                           false,
		"... 2 lines (0-1) ...\n":                                           false,
		"... 0 lines (2-1) ...\n":                                           false,
		"... -1 lines (1--1) ...\n":                                         false,
		"... 1 lines (9223372036854775808-9223372036854775807) ...\n":       false,
		"... 9,223,372,036,854,775,807 lines (1-9223372036854775808) ...\n": false,
	} {
		g, ok := parseGap(line)
		if ok != want || ok && g.String()+"\n" != line {
			t.Errorf("%q: %t, %+v", line, ok, g)
		}
	}
}

// A part of a line ends between words, if there is an end of one in its last eighth,
// before an escape sequence, or between characters.
func TestCutBefore(t *testing.T) {
	const n, least = 64, 64 - pieceSize/8
	put := func(at int, c byte) []byte {
		b := bytes.Repeat([]byte("x"), 100)
		b[at] = c
		return b
	}
	for _, c := range []struct {
		b    []byte
		want int
	}{
		{put(n-1, ' '), n},
		{put(n, ' '), n},
		{put(n-2, ','), n - 1},
		{put(least, ' '), least + 1},
		{put(least-1, ' '), n},
		{put(n-1, escape.Esc), n - 1},
		{put(least, escape.Esc), least},
		{put(least-1, escape.Esc), n},
		{bytes.Repeat([]byte("é"), 50), n},
		{bytes.Repeat([]byte("é"), 50)[1:], n - 1},
		{bytes.Repeat([]byte("é"), 50)[1 : n+1], n},
		{bytes.Repeat([]byte{0x80}, 100), n},
		{slices.Concat(put(n-2, 'é'>>6|0xc0)[:n-1], bytes.Repeat([]byte{0x80}, 9)), n - 2},
	} {
		if got := cutBefore(c.b, n); got != c.want {
			t.Errorf("%q: %d, want %d", c.b, got, c.want)
		}
	}
}

// Lines that are not known are a gap with their number and their size.
func TestSkip(t *testing.T) {
	var w Writer
	_, _ = w.Write([]byte("a\n"))
	w.Skip(0, 5)
	w.Skip(-1, 5)
	w.Skip(3, 50)
	_, _ = w.Write([]byte("b\n"))
	const want = "a\n... 3 lines (2-4) ...\nb\n"
	if x := w.Excerpt(100); x.Text != want || x.OmittedBytes != 50 {
		t.Errorf("%q, %d bytes", x.Text, x.OmittedBytes)
	}
	w.Skip(3, 50)
	if x := w.Excerpt(100); x.Text != want {
		t.Errorf("after the excerpt: %q", x.Text)
	}
}

// A chain of causes begins with its first line, and ends where one is too far.
func TestCauses(t *testing.T) {
	var r explanations
	at := func(off int64, text string) {
		var s scan
		if s.read(evidenceDictionary(), []byte(text)); s.cause {
			r.cause(&piece{off: off, text: []byte(text)})
		}
	}
	at(5, "error: x")
	if r.root.text != nil {
		t.Errorf("%q is a cause", r.root.text)
	}
	at(10, "  Caused by: a")
	if r.open != 0 || r.root.open {
		t.Error("a cause that is whole is open")
	}
	at(20, "[cause]: Error: b")
	at(20+chainGap, "Caused by:")
	if r.open != 1 || !r.root.open {
		t.Error("a cause that goes on is not open")
	}
	r.follow([]byte("    c"))
	at(21+2*chainGap, "Caused by: d")
	if c := r.root; r.open != 0 || c.open || c.from != 10 || c.to != 20+chainGap || string(c.text) != "Caused by: c" {
		t.Errorf("open %d, %d-%d, %q", r.open, c.from, c.to, c.text)
	}
}

// The text before the first report of a failure is the reason if no line states a better
// one, and the cause of the best line follows that line.
func TestReasonsLine(t *testing.T) {
	final := newSketch(fewCells)
	said := explanation{off: 5000, text: []byte("said")}
	for _, c := range []struct {
		name  string
		best  []explanation
		words explanation
		root  causeChain
		want  string
		why   int
	}{
		{"nothing", nil, explanation{}, causeChain{}, "", 0},
		{"no best line", nil, said, causeChain{}, "said", lastWordsWeight},
		{"the earlier of two", []explanation{{off: 9, why: 50, text: []byte("b")}, {off: 5, why: 40, text: []byte("a")}}, explanation{}, causeChain{}, "a", 40},
		{"the better of two", []explanation{{off: 9, why: 50, text: []byte("b")}, {off: 5, why: 32, text: []byte("a")}}, explanation{}, causeChain{}, "b", 50},
		{"a report of the end", []explanation{{off: 9, why: 90, ended: true, text: []byte("a")}}, said, causeChain{}, "said", lastWordsWeight},
		{"a weak line before", []explanation{{off: 5000 - farBytes, why: weakWeight - 1, text: []byte("a")}}, said, causeChain{}, "a", weakWeight - 1},
		{"a weak line far before", []explanation{{off: 4999 - farBytes, why: weakWeight - 1, text: []byte("a")}}, said, causeChain{}, "said", lastWordsWeight},
		{"a strong line far before", []explanation{{off: 4999 - farBytes, why: weakWeight, text: []byte("a")}}, said, causeChain{}, "a", weakWeight},
		{"a weak line after", []explanation{{off: 5001, why: weakWeight - 1, text: []byte("a")}}, said, causeChain{}, "said", lastWordsWeight},
		{"a strong line after", []explanation{{off: 5001, why: weakWeight, text: []byte("a")}}, said, causeChain{}, "a", weakWeight},
		{"a cause", []explanation{{off: 9, why: 50, text: []byte(" a ")}}, explanation{}, causeChain{from: 10, text: []byte("c")}, "a; c", 50},
		{"a cause that is far", []explanation{{off: 9, why: 50, text: []byte("a")}}, explanation{}, causeChain{from: 9 + chainGap, text: []byte("c")}, "a", 50},
		{"a cause before", []explanation{{off: 9, why: 50, text: []byte("a")}}, explanation{}, causeChain{from: 9, text: []byte("c")}, "a", 50},
	} {
		r := explanations{words: c.words, root: c.root, n: len(c.best)}
		copy(r.best[:], c.best)
		text, why := r.line(final, longLog)
		if string(text) != c.want || why != c.why {
			t.Errorf("%s: %q, %d; want %q, %d", c.name, text, why, c.want, c.why)
		}
	}
	for range 64 {
		final.add(rareShape, 7)
		final.add(rareFailure, 9)
	}
	for _, c := range []struct {
		r    explanation
		size int64
		want int
	}{
		{explanation{why: 50}, longLog, 50},
		{explanation{why: 50}, longLog + 1, 25},
		{explanation{why: 50, off: longLog}, longLog + 1, 49},
		{explanation{why: 50, kinds: [rareKinds]uint32{rareShape: 7}}, 1, 21},
		{explanation{why: 50, kinds: [rareKinds]uint32{rareFailure: 9}}, 1, 21},
	} {
		if got := c.r.final(final, c.size); got != c.want {
			t.Errorf("%+v in %d bytes: %d, want %d", c.r, c.size, got, c.want)
		}
	}
}

// An odd line among the first or the last five says nothing: most are odd there.
func TestOddLine(t *testing.T) {
	for at, want := range map[int]string{5: "", 6: "odd", 395: "odd", 396: ""} {
		lines := bytes.Repeat([]byte("試験 7: 合格\n"), 400)
		size := len(lines) / 400
		text := slices.Concat(lines[:(at-1)*size], []byte("odd\n"), lines[at*size:])
		var w Writer
		_, _ = w.Write(text)
		if got, _ := w.Best(80); got != want {
			t.Errorf("line %d: %q", at, got)
		}
	}
	digits := "0123456789abcdefghijklmnopqrstuvwxyz"
	for _, c := range []struct {
		count, n int
		want     string
	}{
		{11, 11, digits[:11]},
		{12, 11, "012 … 789ab"},
		{33, 11, "012 … stuvw"},
		{34, 11, digits[:11]},
		{12, 10, digits[:10]},
	} {
		if got := shorten(digits[:c.count], c.n); got != c.want {
			t.Errorf("%d in %d: %q, want %q", c.count, c.n, got, c.want)
		}
	}
}

// A text of short lines needs no more memory than others: a batch has a limited number
// of pieces.
func TestMemoryOfEmptyLines(t *testing.T) {
	var w Writer
	for range 64 {
		_, _ = w.Write(bytes.Repeat([]byte{'\n'}, batchSize))
	}
	pieces := 0
	for _, b := range append(append([]*batch{w.cur}, w.heads...), w.tails...) {
		pieces += cap(b.pieces)
	}
	if most := 4 * (DefaultMax + 3*batchPieces); pieces > most {
		t.Errorf("%d pieces are in memory, of at most %d", pieces, most)
	}
	if x := w.Excerpt(100); x.OmittedLines < 64*batchSize-100 {
		t.Errorf("%d lines are left out", x.OmittedLines)
	}
}
