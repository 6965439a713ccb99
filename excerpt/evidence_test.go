package excerpt

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// Each row weighs in its sample, and says why where it is of a kind that does.
func TestEachRowIsFoundInItsSample(t *testing.T) {
	for _, r := range rows {
		var s scan
		s.read(evidenceDictionary(), []byte(r.sample))
		switch r.kind {
		case passing, denial:
			if s.score > 20 {
				t.Errorf("%q: score %d, want it to take back what %q says", r.text, s.score, r.sample)
			}
		case warning:
			if s.score == 0 || s.score > 30 {
				t.Errorf("%q: score %d in %q", r.text, s.score, r.sample)
			}
		default:
			if s.score < r.weight && (r.kind != ending || s.score < endingMost) {
				t.Errorf("%q: score %d, want at least %d in %q", r.text, s.score, r.weight, r.sample)
			}
			if why := r.weight * whyPercent[r.kind] / 100; r.kind == failure && s.why < why/2 {
				t.Errorf("%q: says why %d, want at least %d in %q", r.text, s.why, why/2, r.sample)
			}
		}
		if r.tool == "" {
			t.Errorf("%q has no source", r.text)
		}
	}
}

// A word for a failure is no failure where it counts none, is a part of a name,
// or stands on a line that went well.
func TestWordsInOtherPlacesWeighLittle(t *testing.T) {
	for _, line := range []string{
		"Tests run: 12, Failures: 0, Errors: 0, Skipped: 0",
		"0 errors, 0 warnings",
		"found 0 vulnerabilities, no errors",
		"--- PASS: TestErrorHandling (0.00s)",
		"tests/test_errors.py::test_failed_login PASSED [ 12%]",
		"  CC       src/error.o",
		"compiling error_handler.go",
		"gcc -Werror -o app main.c",
		"✓ rejects an invalid token",
		"test fails_on_error ... ok",
		"errors=0 failed=0",
		"the pre-error hook is set",
		"as --on-error has it",
	} {
		var s scan
		if s.read(evidenceDictionary(), []byte(line)); s.score > 20 {
			t.Errorf("%q: score %d", line, s.score)
		}
	}
}

// Lines are alike up to numbers, digests and times, and no further.
func TestShape(t *testing.T) {
	shape := func(line string) uint32 {
		var s scan
		s.read(evidenceDictionary(), []byte(line))
		return s.shape
	}
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"processed 12 in 3ms", "processed 4711 in 1.5s", true},
		{"2026-11-20T10:00:00.123Z up", "2026-11-21T23:59:01Z up", true},
		{"10:00 put deadbeef01234567", "23:59 put 0123456789abcdef", true},
		{"Get:3 http://deb x [1,234 kB]", "Get:12 http://deb x [9 kB]", true},
		{"pulled sha256:abc123def456", "pulled sha256:0011223344ff", true},
		{"job 0189f7d2-5c1e-7a3b-9b0a-3f2c4d5e6f70 is queued", "job c0ffee12-0000-4abc-8def-00112233aabb is queued", true},
		{"v1/0189f7d2-5c1e-7a3b-9b0a-3f2c4d5e6f70", "v1/c0ffee12-0000-4abc-8def-00112233aabb", true},
		{"opened store", "opened lease", false},
		{"ok alpha1", "ok beta2", false},
		{"  a 1", "    a 1", false},
		{"a 1", "b 1", false},
	} {
		if same := shape(c.a) == shape(c.b); same != c.same {
			t.Errorf("%q and %q alike: %v", c.a, c.b, same)
		}
	}
	if shape("12 34 ---") != 0 {
		t.Error("a line without letters has a shape")
	}
}

// The cached facts of a line equal those that a scan of it finds.
func TestMemoChangesNothing(t *testing.T) {
	for _, pair := range [][2]string{
		{"processed 12 of store in 3ms", "processed 47 of store in 9ms"},
		{"found 0 errors", "found 3 errors"},
		{"src/a.ts(12,3): error TS2322: x", "src/a.ts(47,9): error TS2307: x"},
		{"main.c:12: note", "main.c:90: note"},
		{"id abc1234 of 5", "id abc9876 of 0"},
		{"short", "short"},
		{"\tat 12", "\tat 13"},
		{"HTTP/1.1 200 ok then", "HTTP/1.1 500 ok then"},
		{"a.f00dfee:7", "a.f00dfe1:7"},
		{"got a request", "got bad request"},
		{"    at x", "  at x"},
		{"12 34", "12 ab"},
		{"\t✓ 3 leases", "\t✓ 4 leases"},
		{"試験 3: 合格", "試験 4: 合格"},
		{"試験 3: 合格", "試験 4: 合格!"},
	} {
		for _, line := range pair {
			memory := newFactCache()
			for _, l := range []string{pair[0], line} {
				var s scan
				s.read(evidenceDictionary(), []byte(l))
				want := s.facts
				known, key := memory.find([]byte(l))
				if known != nil && known.key == key && known.facts != want {
					t.Errorf("%q is cached as %+v, and read as %+v", l, known.facts, want)
				}
				if known != nil {
					memory.store(known, key, &s)
				}
			}
		}
	}
	m := newFactCache()
	a, b, c := keyOf(m, "line 12 of abcdefgh"), keyOf(m, "line 90 of abcdefgh"), keyOf(m, "line 90 of abcdefgi")
	if a != b || b == c {
		t.Errorf("%x %x %x", a, b, c)
	}
}

func keyOf(m *factCache, line string) uint64 {
	_, key := m.find([]byte(line))
	return key
}

// The cached facts of a line with evidence equal those that a scan of it finds, whichever
// of its numbers are 0, and most such lines of a log are found in the cache.
func TestCachedEvidence(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 26))
	words := []string{
		"error", "errors", "ERROR:", "failed", "exit status", "exited with code", "Error", "no", "not ok", "warning:", "passed", "panic:",
		"expected", "TS", "error TS", "HTTP/1.1", "ok", "ValueError:", "a.go:", "(", ")", "=", ":", ": ", ",", ".", "x", "-", "deadbee", "rsync (code",
	}
	m, found := newFactCache(), 0
	dict := evidenceDictionary()
	for range 400 {
		var parts []string
		for range 1 + r.IntN(8) {
			parts = append(parts, words[r.IntN(len(words))])
		}
		for range 40 {
			var line []byte
			for i, part := range parts {
				line = append(append(line, part...), []string{"=", " "}[i&1]...)
				line = append(line, "0123400500"[r.IntN(10)], ' ')
			}
			var s scan
			s.read(dict, line)
			known, key := m.find(line)
			switch {
			case known.key != key:
				m.store(known, key, &s)
			case known.facts != s.facts:
				t.Fatalf("%q is cached as %+v, and read as %+v", line, known.facts, s.facts)
			case s.matched:
				found++
			}
		}
	}
	if found < 2_000 {
		t.Errorf("only %d lines were found", found)
	}
}

// The colour of one line adds nothing to the score of the next ones.
func TestRedLinesStayEqual(t *testing.T) {
	var w Writer
	text := strings.Repeat("\x1b[31mthe store is slow\x1b[0m\n", 3*batchSize/28)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	w.finish()
	pieces := w.all()
	if first, last := pieces[1], pieces[len(pieces)-1]; first.score != last.score || first.score != redScore {
		t.Errorf("scores %d and %d, want %d", first.score, last.score, redScore)
	}
}

// Lines that differ in numbers, digests and UUIDs alone have one key, whatever the length of
// these, and are read alike.
func TestLinesOfOneClassAreReadAlike(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 14))
	words := []string{"x", "zz", "line", "a.go", "beef", "E", "é", "✓", "試験", "request", "dead", "MiB", "worker", "failed"}
	signs := []string{" ", "=", "/", "(", ") ", ", ", "-", " [", "] "}
	digits := func(n int, of string) (s string) {
		for range n {
			s += of[r.IntN(len(of)):][:1]
		}
		return s
	}
	number := func() string { return digits(1+r.IntN(5), "123456789") }
	digest := func() string { return "1" + digits(8+r.IntN(50), "0123456789abcdef") + "7" }
	uuid := func() string {
		const hex = "0123456789abcdef"
		return digits(8, hex) + "-" + digits(4, hex) + "-" + digits(4, hex) + "-" + digits(4, hex) + "-" + digits(12, hex)
	}
	m, alike := newFactCache(), 0
	const lines = 4_000
	for range lines {
		a, b := "the first words of it ", "the first words of it "
		for range 1 + r.IntN(9) {
			varying := []func() string{number, digest, uuid}[r.IntN(3)]
			word, sign := words[r.IntN(len(words))], signs[r.IntN(len(signs))]
			a += word + sign + varying() + " "
			b += word + sign + varying() + " "
		}
		a, b = a+"at the end", b+"at the end"
		if keyOf(m, a) != keyOf(m, b) {
			continue
		}
		alike++
		var of [2]scan
		of[0].read(evidenceDictionary(), []byte(a))
		of[1].read(evidenceDictionary(), []byte(b))
		if of[0].matched != of[1].matched || !of[0].matched && of[0].facts != of[1].facts {
			t.Fatalf("%q is read as %+v,\n%q as %+v", a, of[0].facts, b, of[1].facts)
		}
	}
	if alike < lines/4 {
		t.Fatalf("only %d pairs were alike", alike)
	}
}

// A sequence is red in any of its spellings, and where no number is part of another.
func TestIsRed(t *testing.T) {
	for seq, want := range map[string]bool{
		"\x1b[31m": true, "\x1b[1;91m": true, "\x1b[41;97m": true, "\x1b[101m": true, "\x9b31m": true, "\u009b31m": true,
		"\x1b[38;5;31m": false, "\x1b[48;5;31m": false, "\x1b[31;38;5;2m": true, "\x1b[32m": false, "\x1b[310m": false,
		"\x1b[3;1m": false, "\x1b[31K": false, "\x1b[m": false,
	} {
		if got := isRed([]byte(seq)); got != want {
			t.Errorf("%q: %t", seq, got)
		}
	}
}

// The number of a line stands after the name of a file.
func TestPlaced(t *testing.T) {
	for text, want := range map[string]bool{
		"main.c:12": true, "a.c(12,5)": true, "a.c(12)": true, "x.py:12: no": true,
		"main:12": false, ".c:12": false, "3.5:12": false, "a.longextensions:12": false, "..:12": false, "a-c:12": false,
		"f(12)": false, "a.c(12": false, "a.c(12;": false, "a.c+12)": false, "12": false, "a.1(12)": false,
	} {
		from := strings.Index(text, "12")
		s := scan{text: []byte(text)}
		if got := s.isLocation(from, from+2); got != want {
			t.Errorf("%s: %t", text, got)
		}
	}
}

// The number of a line stands after that word, too, where something precedes it.
func TestPlacedByItsWord(t *testing.T) {
	for text, want := range map[string]bool{"at line 12": true, "line 12": false} {
		from := strings.Index(text, "12")
		s := scan{text: []byte(text), before: hashLine}
		if got := s.isLocation(from, from+2); got != want {
			t.Errorf("%s: %t", text, got)
		}
	}
}

// The readers of bytes recognize a count of zero, a date, a digest.
func TestSmallReaders(t *testing.T) {
	for text, want := range map[string]bool{
		": 0": true, "=0": true, ":  0": true, ": 0,": true, ": 0 x": true, "=0)": true,
		" 0": false, "0": false, ": 0.5": false, ": 01": false, ": 0x": false, ":": false, ": 5": false, ":      0": false, "": false,
	} {
		if got := countsZero([]byte(text)); got != want {
			t.Errorf("none %q: %t", text, got)
		}
	}
	for text, want := range map[string]bool{
		"2026-11-22": true, "2026/11/22": true, "2026-11/22": false, "2026/11-22": false, "2026.11.22": false, "2026-11-2": false,
	} {
		if got := isDate([]byte(text)); got != want {
			t.Errorf("date %q: %t", text, got)
		}
	}
	for text, want := range map[string]int{
		"abc1234": 7, "abc1234 g": 7, "ABC1234.": 7, "abcdef12-": 8, "abc123": 0, "abc123 g": 0, "abc1234g": 0, "g": 0, "": 0,
	} {
		if got := hexEnd([]byte(text), 0); got != want {
			t.Errorf("digest %q: %d", text, got)
		}
	}
	const uuid = "0189f7d2-5c1e-7a3b-9b0a-3f2c4d5e6f70"
	for text, want := range map[string]bool{
		uuid: true, strings.ToUpper(uuid): true, uuid + ".": true, uuid + "a": false, uuid[:35]: false, "g" + uuid[1:]: false,
		uuid[:35] + "g": false, uuid[:9] + "_" + uuid[10:]: false, uuid[:8] + "0" + uuid[9:]: false, uuid[:10] + "-" + uuid[11:]: false,
	} {
		if got := isUUID([]byte(text), 0); got != want {
			t.Errorf("UUID %q: %t", text, got)
		}
	}
	for c, want := range map[byte]bool{
		'a': true, 'z': true, 'A': true, 'Z': true, '0': true, '9': true, '+': true, '/': true, '-': true, '_': true, '=': true,
		' ': false, '.': false, ':': false, ',': false, '@': false, '[': false, '`': false, '{': false, 0x80: false,
	} {
		if got := isBlob(append(bytes.Repeat([]byte("aZ9"), 16), c)); got != want {
			t.Errorf("blob with %q: %t", c, got)
		}
	}
	for _, text := range []string{"aZ9", strings.Repeat("az9", 16), strings.Repeat("AZ9", 16), strings.Repeat("aZ-", 16), strings.Repeat("a9", 24)} {
		if isBlob([]byte(text)) {
			t.Errorf("blob %q", text)
		}
	}
}

// The name of an exception ends its path; another word after a dot is a part of a name.
func TestAround(t *testing.T) {
	word := row{text: "failed", kind: failure, weight: exceptionName.weight}
	for _, c := range []struct {
		text string
		r    *row
		part bool
	}{
		{"json.JSONDecodeError: no", &exceptionName, false},
		{"json.JSONDecodeError", &exceptionName, false},
		{"json.JSONDecodeError no", &exceptionName, true},
		{"json/JSONDecodeError: no", &exceptionName, true},
		{"json.failed: no", &word, true},
		{"json failed: no", &word, false},
	} {
		s := scan{text: []byte(c.text)}
		from := strings.IndexAny(c.text, "./ ") + 1
		to := from + strings.IndexAny(c.text[from:]+" ", ": ")
		if got := s.around(c.r, from, to); (got == word.weight/5) != c.part {
			t.Errorf("%s: %d", c.text, got)
		}
	}
}

// The first pieces of the same priority stay.
func TestPool(t *testing.T) {
	l := pool{limit: 3 * pieceCost}
	for off, prio := range []int16{2, 1, 2, 2, 0, 1, 2, 3} {
		l.add(&piece{off: int64(off), prio: prio})
	}
	var kept []int
	for len(l.heap) > 0 {
		kept = append(kept, int(l.heap[0].off))
		l.drop()
	}
	if want := []int{2, 0, 7}; !slices.Equal(kept, want) {
		t.Errorf("kept %v, want %v", kept, want)
	}
}

// The rarer of two hashes in a set makes room for a new one.
func TestSketchForgetsTheRarer(t *testing.T) {
	s := newSketch(2)
	_, _, tag := s.at(0, 1)
	for i := range s.cells {
		s.cells[i], s.cells[1-i] = cell{tag + 1, 5}, cell{tag + 2, 1}
		s.add(0, 1)
		if s.cells[i] != (cell{tag + 1, 5}) || s.cells[1-i] != (cell{tag, 1}) {
			t.Errorf("got %v", s.cells)
		}
	}
}
