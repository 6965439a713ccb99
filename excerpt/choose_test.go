package excerpt_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/excerpt"
	"github.com/envwrap/envwrap/internal/test/matrix"
)

// with returns lines with those of insert from line at on.
func with(lines []string, at int, insert ...string) string {
	out := append([]string{}, lines[:at]...)
	return strings.Join(append(append(out, insert...), lines[at:]...), "\n") + "\n"
}

// many returns n lines, made from their number and one of some words.
func many(n int, format string) []string {
	words := strings.Fields("store index parser lexer writer reader cache session token queue worker graph node")
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf(format, i, words[i*7%13])
	}
	return out
}

// An excerpt of 8 KiB shows the failure in the middle, which head and tail omit.
func TestExcerptShowsWhatTheMiddleSays(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{
			"go test -v",
			with(many(4000, "=== RUN   TestCase%d\n--- PASS: TestCase%[1]d (0.00s) %s"), 2000, "=== RUN   TestPrune", "    prune_test.go:41: got 3 objects, want 2", "--- FAIL: TestPrune (0.01s)"),
			[]string{"prune_test.go:41: got 3 objects, want 2", "--- FAIL: TestPrune"},
		},
		{
			"go test -json",
			with(many(4000, `{"Time":"2026-11-20T10:00:00Z","Action":"output","Test":"TestCase%d","Output":"opened %s\n"}`), 2000, `{"Time":"2026-11-20T10:00:00Z","Action":"output","Test":"TestPrune","Output":"    prune_test.go:41: no lease\n"}`, `{"Time":"2026-11-20T10:00:00Z","Action":"fail","Test":"TestPrune"}`),
			[]string{"prune_test.go:41: no lease", `"Action":"fail"`},
		},
		{
			"ctest -V",
			with(many(600, "%d: Test command: /b/%s\n%[1]d: Test timeout computed to be: 1500\n%[1]d/600 Test #%[1]d: %[2]s ....   Passed    0.01 sec"), 300, "300: /src/lease_test.cpp:88: Failure", "300: Which is: 4", "300/600 Test: lease ....***Failed    0.01 sec"),
			[]string{"lease_test.cpp:88: Failure", "Which is: 4", "***Failed"},
		},
		{
			"an ERROR in 50,000 INFO lines",
			with(many(50_000, "2026-11-20 10:00:00 INFO  request %d of %s done"), 23_111, "2026-11-20 10:00:00 ERROR payment 8812 declined"),
			[]string{"payment 8812 declined"},
		},
		{
			"an odd line without a word for it",
			with(many(20_000, "record %d: accepted by %s"), 7000, "record 7000: left aside, column 4 is no date"),
			[]string{"left aside, column 4 is no date"},
		},
		{
			"a checksum between bars",
			with(many(5000, "%d%% [=====>    ] %s"), 2500, "lease.tar.gz: sha256 differs from the manifest"),
			[]string{"sha256 differs from the manifest"},
		},
		{
			"an error amid warnings",
			with(many(900, "src/a.c:%d:5: warning: unused variable '%s'\n  12 |   int x;\n     |       ^"), 440, "src/lease.c:77:12: error: no member named 'owner'", "   77 |   return l->owner;"),
			[]string{"no member named 'owner'", "return l->owner"},
		},
		{
			"an error of another kind amid errors",
			with(many(900, "src/%[2]s/x.ts(%[1]d,3): error TS2322: Type '%[2]s%[1]d' is not assignable to type 'number'."), 440, "src/index.ts(3,21): error TS2307: Cannot find module './schema'."),
			[]string{"error TS2307: Cannot find module './schema'."},
		},
		{
			"the cause before a dump",
			with(many(4000, "\ngoroutine %d [IO wait]:\ninternal/poll.wait(0x7f)\n\t/go/src/poll.go:351 +0x85"), 200, "fatal error: concurrent map writes", "", "goroutine 7 [running]:", "main.put(0xc000123)", "\t/app/index.go:77 +0x1d"),
			[]string{"concurrent map writes", "/app/index.go:77"},
		},
		{
			"the cause before a trap",
			with(many(2000, "+ rm -f /tmp/%s.%[1]d"), 20, "+ install report /srv/www", "install: cannot create regular file '/srv/www/report': Read-only file system", "+ cleanup"),
			[]string{"+ install report /srv/www", "Read-only file system"},
		},
		{
			"one trace that differs",
			with(many(900, "java.net.SocketTimeoutException: Read timed out\n\tat app.Client.poll(Client.java:55)\n\tat app.Main.run(Main.java:12)\nretry %d of %s"), 440, "java.lang.IllegalStateException: lease 12 lost", "\tat app.Lease.renew(Lease.java:88)"),
			[]string{"lease 12 lost", "Lease.java:88"},
		},
		{
			"the lines that differ in a snapshot",
			with(many(5000, "      \"key_%d\": \"%s\","), 2500, "    -   \"owner\": \"ada\",", "    +   \"owner\": \"bob\","),
			[]string{`"owner": "ada"`, `"owner": "bob"`},
		},
		{
			"another language",
			with(many(9000, "%d 件目: 処理しました %s"), 4000, "4000 件目: 署名が一致しません"),
			[]string{"署名が一致しません"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := of(t, c.text, 8<<10)
			if len(x.Text) > 8<<10 {
				t.Errorf("%d bytes", len(x.Text))
			}
			for _, want := range c.want {
				if !strings.Contains(x.Text, want) {
					t.Errorf("%q is left out of\n%s", want, x.Text)
				}
			}
		})
	}
}

// Where nothing says that something failed, half of the budget shows the
// beginning and the end.
func TestExcerptOfUnknownTextKeepsHeadAndTail(t *testing.T) {
	text := strings.Join(many(9000, "étape %d: %s chargé"), "\n") + "\n"
	const budget = 8 << 10
	x := of(t, text, budget)
	head, tail := text[:budget/10], text[len(text)-budget/3:]
	if !strings.HasPrefix(x.Text, head) {
		t.Errorf("begins with %.200q, want %.200q", x.Text, head)
	}
	if !strings.HasSuffix(x.Text, tail) {
		t.Errorf("ends with %q, want %q", x.Text[max(0, len(x.Text)-200):], tail[len(tail)-200:])
	}
}

func TestGaps(t *testing.T) {
	text := numbered(118, "same text over and over again %d") + "one\n" + numbered(412, "and another text of the same kind %d")
	x := of(t, text, 400)
	for _, want := range []string{"... 116 lines (2-117) ...\n", "\none\n", "... 410 lines (121-530) ...\n"} {
		if !strings.Contains(x.Text, want) {
			t.Errorf("%q is not in %q", want, x.Text)
		}
	}
	g, ok := x.Next()
	if !ok || g.Option() != "--lines 121:530" || text[g.From:g.From+12] != "and another " {
		t.Errorf("next: %+v, %s", g, g.Option())
	}
	if x.OmittedLines != 526 {
		t.Errorf("%d lines left out", x.OmittedLines)
	}
}

func TestLongLine(t *testing.T) {
	text := "first\nsecond\n" + strings.Repeat("0123456789abcdef ", 4000) + "error: lost " + strings.Repeat("fedcba9876543210 ", 4000) + "\nlast\n"
	x := of(t, text, 2000)
	if !strings.Contains(x.Text, "error: lost") || !strings.Contains(x.Text, "bytes of line 3 ...") {
		t.Errorf("%q", x.Text)
	}
	if x.OmittedLines != 0 || x.OmittedBytes == 0 {
		t.Errorf("left out: %d lines, %d bytes", x.OmittedLines, x.OmittedBytes)
	}
	if g, _ := x.Next(); g.Option() != fmt.Sprintf("--bytes %d:%d", g.From, g.To) || g.To-g.From > 16<<10 {
		t.Errorf("next: %+v", g)
	}
}

// A part of a text has the gaps of the text.
func TestPartOfAText(t *testing.T) {
	w := excerpt.Writer{FirstLine: 118, FirstByte: 4000}
	part := numbered(100, "same text over and over again %d")
	_, _ = w.Write([]byte(part))
	x := w.Excerpt(500)
	g, _ := x.Next()
	if !strings.Contains(x.Text, "\n... 98 lines (119-216) ...\n") || g.From != 4000+32 || g.To != 4000+int64(len(part))-33 {
		t.Errorf("%+v", x)
	}
}

func TestWriteAfterExcerpt(t *testing.T) {
	var w excerpt.Writer
	if x := w.Excerpt(100); x.Text != "" || x.OmittedBytes != 0 {
		t.Errorf("%+v", x)
	}
	if _, err := w.Write([]byte("late")); err == nil {
		t.Error("a write after the excerpt is no error")
	}
}

// Memory is bounded, however long the text and its lines are.
func TestMemoryIsBounded(t *testing.T) {
	for name, line := range map[string]string{
		"lines":    "error: lease 12 of store lost its owner in a way that is new\n",
		"one line": "error: lease 12 of store lost its owner, ",
		"redrawn":  "lease 12 of store lost its owner\r",
	} {
		t.Run(name, func(t *testing.T) {
			chunk := []byte(strings.Repeat(line, 10_000))
			w := new(excerpt.Writer)
			times := matrix.Times(16, 100)
			for range times {
				_, _ = w.Write(chunk)
			}
			runtime.GC()
			var with, without runtime.MemStats
			runtime.ReadMemStats(&with)
			runtime.KeepAlive(w)
			runtime.GC()
			runtime.ReadMemStats(&without)
			if kept := int64(with.HeapAlloc) - int64(without.HeapAlloc); kept > 4<<20 {
				t.Errorf("%d bytes are kept of %d", kept, times*len(chunk))
			}
		})
	}
}

// Next returns a range of at most 16 KiB around the best line that is not shown.
func TestNext(t *testing.T) {
	noise := numbered(4000, "step %d of the preparation was made without anything to say")
	text := noise + "error: the first disk is broken\n" + noise + "fatal: cannot open the second disk, and error after error follows\n" + noise
	x := of(t, text, 150)
	g, ok := x.Next()
	if first, second := strings.Contains(x.Text, "first disk"), strings.Contains(x.Text, "second disk"); first == second {
		t.Fatalf("the excerpt has both or none: %q", x.Text)
	}
	next := strings.Join(strings.SplitAfter(text, "\n")[g.First-1:g.Last], "")
	if !ok || strings.Contains(x.Text, "first disk") == strings.Contains(next, "first disk") || len(next) > 16<<10 {
		t.Errorf("next is %s, %d bytes, beside %q", g.Option(), len(next), x.Text)
	}
}
