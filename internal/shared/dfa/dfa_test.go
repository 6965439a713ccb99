package dfa

import (
	"bytes"
	"math/rand/v2"
	"regexp"
	"regexp/syntax"
	"strings"
	"testing"
)

func newFinder(t testing.TB, expr string) *Finder {
	t.Helper()
	tree, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		t.Fatal(err)
	}
	f, err := Compile(tree)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// check compares a Finder with package regexp on each line of a text.
func check(t *testing.T, f *Finder, re *regexp.Regexp, text []byte) {
	t.Helper()
	want := -1 // where the first line that matches begins
	begin := 0
	for line := range bytes.Lines(text) {
		if re.Match(bytes.TrimSuffix(line, []byte{'\n'})) {
			want = begin
			break
		}
		begin += len(line)
	}
	at, ok := f.Find(text)
	if ok && at >= 0 {
		at = bytes.LastIndexByte(text[:at], '\n') + 1
	}
	if ok && at != want || !ok && want >= 0 && at > want {
		t.Fatalf("%q in %q: a line at %d, %v; package regexp says %d", re, text, at, ok, want)
	}
}

// expressions have each kind of instruction.
var expressions = []string{
	``, `a`, `abc`, `[0-9a-f]{40}x`, `a.c`, `a[^b]c`, `(?i)straße|k`, `(?i)[a-k]{3}`, `\bfoo\b`, `\Bo\B`, `^`, `$`, `^$`, `^a|b$`,
	`\Aa`, `a\z`, `(?m)^b$`, `(?s).`, `\w+@\w+\.com`, `(a|b)*c`, `(a*)*b`, `(?:a|ab)(?:c|bcd)`, `\p{Greek}+\d`, `[^\x00-\x7f]`, `\x{FFFD}`,
	`日本|本語`, `x{3,5}y`, `[[:^space:]]{4}\s`, `a\nb`, `[^a]`, `\b`, `\B`, `\b$`, `^\B`, `a??b`, `(foo|bar|baz){2}`, `.{3}$`, "\U0001F600+", `\pL\pN`, `a{0}`, `[^\x00-\x{10FFFF}]`,
	`\bERROR\b.*\b(in|at)\b`, `(?i)ОШИБКИ`, `[^ -~]`, // other engines miss lines of these, see package search
}

var texts = []string{
	"", "\n", "\n\n", "a", "a\n", "abc\n", "xxabcxx\nabd\n", "foo bar\nfoobar\nbarfoo", "STRASSE\nStraße\n", "K\n", "\u212a\n", "日本語\n本\n",
	"\xff\xfe\n", "a\xffc\n", "αβγ1\n", "😀\n", "aaaaaaaaab\n", "ab\r\n", "xxxy\nxxxxxxy", "foobaz", "user@host.com\n", "é1", "\x00\n",
	strings.Repeat("0123456789abcdef", 3) + "x\n", strings.Repeat("a\n", 50) + "b", "o\nfoo\n", "naïve_foo", "ſ\n",
	"12:00 ERROR worker-1 done in 9 ms\n", "Ошибки\nошибки", "plain\n\xff\xfe\x80 panic: x\n",
}

func TestFind(t *testing.T) {
	for _, expr := range expressions {
		f, re := newFinder(t, expr), regexp.MustCompile(expr)
		for _, text := range texts {
			check(t, f, re, []byte(text))
		}
		check(t, f, re, []byte(strings.Join(texts, "\n")))
	}
}

// randomText returns a text over the characters that the expressions ask for.
func randomText(rnd *rand.Rand, length int) []byte {
	var b []byte
	for range rnd.IntN(length) {
		b = append(b, alphabet[rnd.IntN(len(alphabet))]...)
	}
	return b
}

var alphabet = []string{"a", "b", "c", "x", "o", "0", "f", " ", "\n", "_", ".", "\xff", "日", "é", "@", "k", "K", "\r", "fo", "12", "\xe6", "α"}

func TestFindRandom(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for _, expr := range expressions {
		f, re := newFinder(t, expr), regexp.MustCompile(expr)
		for range 300 {
			check(t, f, re, randomText(rnd, 24))
		}
	}
}

func FuzzFind(f *testing.F) {
	for i, expr := range expressions {
		f.Add(expr, []byte(texts[i%len(texts)]))
	}
	f.Fuzz(func(t *testing.T, expr string, text []byte) {
		if len(expr) > 200 || len(text) > 4<<10 {
			t.Skip()
		}
		tree, err := syntax.Parse(expr, syntax.Perl)
		if err != nil {
			t.Skip()
		}
		finder, err := Compile(tree)
		if err != nil {
			t.Skip()
		}
		re := regexp.MustCompile(expr)
		check(t, finder, re, text)
		check(t, finder, re, text) // with what it has learned
	})
}

// randomLines returns lines of random letters a and b.
func randomLines(size int) []byte {
	rnd := rand.New(rand.NewPCG(3, 4))
	b := make([]byte, size)
	for i := range b {
		b[i] = "ab"[rnd.IntN(2)]
		if i%200 == 199 {
			b[i] = '\n'
		}
	}
	return b
}

// TestReadsInTurns finds a match at the end of the first half, when the second one was
// read as far.
func TestReadsInTurns(t *testing.T) {
	f, half := newFinder(t, `x`), strings.Repeat("a\n", 50)
	if at, ok := f.Find([]byte(half + "x\n" + half)); at/2 != len(half)/2 || !ok || f.read < 2*len(half)-2 {
		t.Errorf("found %d, %v after %d bytes, want %d after twice as many", at, ok, f.read, len(half))
	}
}

// TestClasses distinguishes as many characters as a table has classes for, with the line's
// end and all other characters, and one more.
func TestClasses(t *testing.T) {
	for n, ok := range map[int]bool{maxClasses - 2: true, maxClasses - 1: false} {
		var expr []rune
		for i := range n {
			expr = append(expr, rune('一'+2*i))
		}
		tree, err := syntax.Parse(string(expr), syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		f, err := Compile(tree)
		if (err == nil) != ok {
			t.Errorf("%d characters: %v", n, err)
		}
		if ok {
			check(t, f, regexp.MustCompile(string(expr)), []byte("一\n"+string(expr)+"\n"))
		}
	}
}

// TestBounded asks for more states than there is memory for.
func TestBounded(t *testing.T) {
	f := newFinder(t, `a.{20}c`)
	text := randomLines(1 << 20)
	at, ok := f.Find(text)
	if ok || at < 0 || at > 0 && text[at-1] != '\n' {
		t.Errorf("found %d, %v: want the beginning of a line, and false", at, ok)
	}
	if size := 4*len(f.next) + f.size; size > maxTable+maxTable/8 {
		t.Errorf("the automaton has %d bytes", size)
	}
}

// TestBeginsAnew empties the memory again and again, in either half of a text.
func TestBeginsAnew(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	for _, expr := range expressions {
		f, re := newFinder(t, expr), regexp.MustCompile(expr)
		f.minYield = 0
		for range 50 {
			f.maxTable = rnd.IntN(4000)
			check(t, f, re, randomText(rnd, 200))
		}
		if f.age < 50 && len(f.keys) > 100 {
			t.Errorf("%q: %d states after %d times", expr, len(f.keys), f.age)
		}
	}
}

func benchmark(b *testing.B, expr, line string) {
	f := newFinder(b, expr)
	text := bytes.Repeat([]byte(line), (4<<20)/len(line))
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if at, ok := f.Find(text); at >= 0 || !ok {
			b.Fatal(at, ok)
		}
	}
}

const logLine = "2026-11-22T10:00:00Z INFO http: GET /api/v1/items/8c2f0e9d17 200 12ms 4f3a9c user=ada\n"

func BenchmarkHex(b *testing.B)      { benchmark(b, `[0-9a-f]{40}x`, logLine) }
func BenchmarkNegated(b *testing.B)  { benchmark(b, `[^ ]{60}`, logLine) }
func BenchmarkBoundary(b *testing.B) { benchmark(b, `\b[a-z]{5}\d\b`, logLine) }
func BenchmarkAnyCase(b *testing.B)  { benchmark(b, `(?i)[a-f]{8,}\s+[xyz]`, logLine) }
func BenchmarkJapanese(b *testing.B) {
	benchmark(b, `\p{Hiragana}{9}\d`, "これは長い日本語の行です。ログに書かれています\n")
}
