package excerpt

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
)

// estimateOf returns what the sieve finds in a line, with its place, where from newlines precede it;
// nothing is known of a line that is not plain.
func estimateOf(t *testing.T, line string, from int) (e bounds, plain bool) {
	t.Helper()
	text := []byte(strings.Repeat("\n", from) + line + "\n" + strings.Repeat("error\n", 20))
	var s sifted
	s.sift(evidenceSieve(), evidenceDictionary(), text, 0)
	found := s.lines[from]
	if int(found.end) != from+len(line) || len(s.lines) != from+21 {
		t.Fatalf("%q: line %d ends at %d, of %d lines", text, from, found.end, len(s.lines))
	}
	if found.found >= firstBounds {
		e = s.bounds[found.found-firstBounds]
	}
	if mayHavePlace([]byte(line)) {
		e.score, e.why = e.score+placeMost, e.why+placeMost
	}
	return e, found.found != strangeLine
}

// checkEstimate compares what the sieve finds in a line with what a scan does, and with what it finds
// where from bytes precede the line.
func checkEstimate(t *testing.T, line string, from int) {
	t.Helper()
	e, plain := estimateOf(t, line, 0)
	if other, same := estimateOf(t, line, from); other != e || same != plain {
		t.Errorf("%q: %+v, plain %t; after %d bytes %+v, %t", line, e, plain, from, other, same)
	}
	if other, same := estimateOf(t, line+"\r", from); plain && (other != e || !same) {
		t.Errorf("%q: %+v; before CR LF %+v, %t", line, e, other, same)
	}
	if !plain {
		return
	}
	var s scan
	s.read(evidenceDictionary(), []byte(line))
	if s.score > int(e.score) || s.why > int(e.why) || s.cause && !e.mayBeCause || s.ended && !e.mayEnd {
		t.Errorf("%q: score %d, why %d, cause %t, ended %t, but estimated %+v", line, s.score, s.why, s.cause, s.ended, e)
	}
	if e.phrase != nil {
		if h := phraseAt([]byte(line), e.phrase, int(e.after)); h != 0 && h != s.kinds[rareFailure] {
			t.Errorf("%q: the failure is not that of %q", line, e.phrase.text)
		}
	}
	dull := s.facts
	dull.shape, dull.kinds[rareShape], dull.kinds[rareOpening], dull.kinds[rareClosing] = 0, 0, 0, 0
	if new(partSieve).isDull(evidenceDictionary(), []byte(line)) && dull != (facts{}) {
		t.Errorf("%q: %+v, but without evidence as a part", line, dull)
	}
}

// No line has a higher score than its estimate: a skipped line would not have been kept.
func TestEstimateIsAnUpperBound(t *testing.T) {
	data, err := os.ReadFile("testdata/scores.txt")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(data), "\n")
	for i := range lines {
		if _, line, ok := strings.Cut(lines[i], "|"); ok {
			lines[i] = line
		}
	}
	for _, r := range rows {
		lines = append(lines, r.sample, r.text, strings.ToUpper(r.text)+": x", "3 "+r.text, "a.c:12:"+r.text, strings.Replace(r.text, " ", "  ", 1))
	}
	for _, name := range []string{"NoRouteToHostException", "OSError", "AssertionFailure"} { // in each place of the 64 bytes that are looked at together
		for n := range 70 {
			lines = append(lines, strings.Repeat("3", n)+" "+name+" thrown")
		}
	}
	for _, mark := range []string{"● ", "\t✗ ", "3| ❌ ", "× "} {
		lines = append(lines, mark+"renews the lease", mark+"3 échec – 例Error thrown by ÉchecError")
	}
	for _, place := range []string{"in line 12", "Line  12", "at line' 12", "a.c(12)", "main.go:12: ", "expected: in a.c:12:"} {
		lines = append(lines, place, "no such file in "+place, "the test failed in "+place+":")
	}
	for i, line := range lines {
		checkEstimate(t, line, i%64)
	}
	r := rand.New(rand.NewPCG(1, 2))
	joints := []string{" ", ": ", "_", "'", "-", " 3 ", " 0 ", ":12", "(5)", "\t", ".", " deadbeef1 ", "d41d8cd98f ", ", ", "Error ", " (code 1", "[cause]: ", "IOException", "● ", "✗ ", " – ", "é", "例", "ÉchecError", "\u0085"}
	for i := range 20000 {
		var b strings.Builder
		if i%20 == 0 {
			b.WriteString([]string{"Caused by: ", "  [cause]: "}[i/20%2])
		}
		for range 1 + r.IntN(5) {
			b.WriteString(rows[r.IntN(len(rows))].text)
			b.WriteString(joints[r.IntN(len(joints))])
		}
		checkEstimate(t, b.String(), r.IntN(64))
	}
}

// A line need not be read if its failure was reported so often that the pool would drop it.
func TestRepeatedFailureDoesNotStay(t *testing.T) {
	const line = "lease: cannot renew it"
	e, _ := estimateOf(t, line, 0)
	var s scan
	s.read(evidenceDictionary(), []byte(line))
	r := reader{count: newSketch(fewCells)}
	for i := range r.why.best {
		r.why.n++
		r.why.best[i].why = 99
	}
	r.count.rate = [rareKinds]int32{1 << 15, 1 << 15, 1 << 15, 1 << 11}
	r.pool.floor = int16(e.score) + 10 // less than its score and its rarity together
	for n := range 3 {
		r.rareKnown = false
		if stays := r.mayStay([]byte(line), e); stays != (n < 2) {
			t.Errorf("after %d lines of the failure it is %t that the line stays: score %d, floor %d, rarity %v", n, stays, e.score, r.pool.floor, r.rare)
		}
		r.count.add(rareFailure, s.kinds[rareFailure])
		r.count.rate[rareFailure] = 1 << 11
	}
}

// A failure is shown wherever it is in a long text of new lines, most of which are not read.
func TestFailureAmidNewLinesIsShown(t *testing.T) {
	for _, newline := range []string{"\n", "\r\n"} {
		t.Run(fmt.Sprintf("%q", newline), func(t *testing.T) { testFailureAmidNewLines(t, newline) })
	}
}

func testFailureAmidNewLines(t *testing.T, newline string) {
	r := rand.New(rand.NewPCG(3, 4))
	syllables := []string{"ka", "lo", "mi", "ren", "tu", "sor", "pel", "van", "dri", "qua", "zen", "bor", "hi", "fex", "ul", "gam"}
	var text strings.Builder
	prose := func(lines int) {
		for i := range lines {
			for range 3 + r.IntN(8) {
				for range 1 + r.IntN(3) {
					text.WriteString(syllables[r.IntN(len(syllables))])
				}
				text.WriteByte(' ')
			}
			if i%10 == 9 {
				text.WriteString("because of kami")
			}
			text.WriteString(newline)
		}
	}
	failures := []string{
		"ld: main.o: undefined reference to `lease_renew'", "lease_test.go:41: FAIL: got 3, want 2", "java.lang.IllegalStateException: no lease",
		"HTTP/1.1 502 Bad Gateway", "E   assert renew() == 3", "bash: frob: command not found", "3 failed, 120 passed", "thread 'main' panicked at src/main.rs:4:5:",
		"● renews the lease", "\x1b[31mlease lost\x1b[0m", "Unresolved symbol: échec de la connexion",
	}
	prose(6000)
	for _, f := range failures {
		text.WriteString(f + newline)
		prose(1000)
	}
	w := Writer{Max: 16 << 10}
	_, _ = w.Write([]byte(text.String()))
	x := w.Excerpt(16 << 10)
	for _, f := range failures {
		if !strings.Contains(x.Text, Clean(f)) {
			t.Errorf("%q is left out", f)
		}
	}
	if all := int(w.num); w.skimmed < all/3 {
		t.Errorf("%d of %d lines passed the sieve", w.skimmed, all)
	}
	cut := Writer{Max: 16 << 10}
	for rest := []byte(text.String()); len(rest) > 0; {
		n := min(1+r.IntN(100<<10), len(rest))
		_, _ = cut.Write(rest[:n])
		rest = rest[n:]
	}
	if got := cut.Excerpt(16 << 10); got.Text != x.Text {
		t.Error("the excerpt depends on how the text was cut into writes")
	}
	for _, m := range w.index.marks {
		if before := text.String()[:m.off]; m.off > 0 && before[m.off-1] != '\n' || int64(strings.Count(before, "\n")) != m.line-1 {
			t.Fatalf("line %d is said to begin at %d", m.line, m.off)
		}
	}
	all := w.candidates()
	known := map[int64]bool{}
	for i := range all {
		p := &all[i]
		if p.unread || p.lines > 0 || bytes.ContainsAny(p.text, "\r\n") {
			t.Fatalf("%q is a candidate, but was not read", p.text)
		}
		known[p.num] = true
	}
	lines := strings.Split(text.String(), newline)
	for i, line := range lines {
		if slices.Contains(failures[:3], line) {
			for n := i + 1 - linesBefore; n <= i+1+linesAfter; n++ {
				if !known[int64(n)] {
					t.Errorf("%q: line %d is not kept with line %d", line, n, i+1)
				}
			}
		}
	}
}

// Each byte of a block is what it is by itself, whatever is around it.
func TestClassify(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	var b [blockRoom]byte
	for i := range 256 * 64 {
		for j := range b {
			b[j] = byte(r.IntN(256)) >> (i & 1) // half of the blocks are ASCII
		}
		b[i/256] = byte(i)
		letters, newlines, odd, high, capitals := classify(&b)
		for j, c := range b[:64] {
			for _, mask := range []struct {
				name string
				bits uint64
				is   bool
			}{
				{"a letter", letters, classes[c] == letterClass},
				{"a newline", newlines, c == '\n'},
				{"odd", odd, c < ' ' && c != '\t' && c != '\n' || c == 0x7f},
				{"not ASCII", high, c >= 0x80},
				{"a capital", capitals & letters, c >= 'A' && c <= 'Z' || c >= 0x80},
			} {
				if got := mask.bits>>j&1 == 1; got != mask.is {
					t.Fatalf("%q, byte %d: %s is %t", b, j, mask.name, got)
				}
			}
		}
	}
}

// Lines without evidence are counted together as they are one by one, but for samples.
func TestDullLinesAreCounted(t *testing.T) {
	var lines []siftedLine
	for i := range 200 {
		lines = append(lines, siftedLine{end: uint16(2*i + i/3)}) // one in three has two bytes, two have one
	}
	lines = append(lines, siftedLine{end: lines[199].end + 1}, siftedLine{end: lines[199].end + 10, found: strangeLine})
	raw := bytes.Repeat([]byte("x"), int(lines[201].end))
	for i := 7; i < 200; i += 7 {
		raw[lines[i-1].end+1] = '\r' // all of the line, if it has one byte
	}
	var one, together reader
	one.density, together.density = 40000, 40000
	for at, begin := 0, 0; at < 201; at++ {
		for n := together.skipDull(raw, lines[at:], begin); n > 0; n-- {
			empty := strings.TrimSuffix(string(raw[begin:lines[at].end]), "\r") == ""
			if !empty {
				one.skimmed++
			}
			if one.skimmed%skimSample == 0 && one.skimmed > 0 && !empty {
				t.Fatalf("line %d, a sample, is skipped", at)
			}
			one.addDensity(0)
			begin = int(lines[at].end) + 1
			at++
		}
		if together.skimmed != one.skimmed || together.density != one.density {
			t.Fatalf("line %d: %d lines, density %d; one by one %d, %d", at, together.skimmed, together.density, one.skimmed, one.density)
		}
		if at < 201 && (one.skimmed+1)%skimSample != 0 {
			t.Fatalf("line %d, no sample, is not skipped", at)
		}
		one.skimmed, together.skimmed = one.skimmed+1, together.skimmed+1 // as if the sample was read
		begin = int(lines[at].end) + 1
	}
}

// The end of a text is read in full: lines alike fold there, too.
func TestEndOfNewLinesIsRead(t *testing.T) {
	var text strings.Builder
	r := rand.New(rand.NewPCG(5, 6))
	word := func() string {
		return string([]byte{byte('a' + r.IntN(26)), byte('a' + r.IntN(26)), 'o', byte('a' + r.IntN(26)), byte('a' + r.IntN(26)), 'e'})
	}
	for i := range 40000 {
		text.WriteString(word() + " " + word() + " " + word())
		if i%20 == 0 {
			text.WriteString(" failed")
		}
		text.WriteString("\n")
	}
	for i := range 40 {
		text.WriteString("copied the object " + strings.Repeat("7", 1+i%5) + "\n")
	}
	w := Writer{Max: 8 << 10}
	_, _ = w.Write([]byte(text.String()))
	if x := w.Excerpt(8 << 10); strings.Count(x.Text, "copied the object") != 2 {
		t.Errorf("the end is not folded:\n%s", x.Text[max(0, len(x.Text)-400):])
	}
	if w.skimmed == 0 {
		t.Error("each line was read")
	}
}

// Lines in colours that differ in numbers only are not new: nothing is sifted because of them.
func TestKnownColouredLinesAreNotNew(t *testing.T) {
	w := Writer{Max: 8 << 10}
	for i := range 20000 {
		fmt.Fprintf(&w, "\x1b[32m[%3d%%]\x1b[0m Building CXX object part%d.o\n", i%100, i)
	}
	if w.skims() {
		t.Errorf("%d of %d lines count as new", w.novelty, 1<<16)
	}
}
