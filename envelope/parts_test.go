package envelope

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/envwrap/envwrap/envelope/internal/mimetype"
	"github.com/envwrap/envwrap/envelope/internal/wire"
)

// The descriptions that dialects give of themselves.
func TestDialectsSayOfThemselves(t *testing.T) {
	for _, c := range []struct {
		d                               Dialect
		events, request, text, indented bool
	}{
		{&protocolV1, true, false, false, false},
		{&foxctlV1, true, false, false, false},
		{&helperV1, false, false, false, true},
		{&delegatorV36, false, false, false, false},
		{&toolEnvelopeV1, false, false, false, false},
		{&agentResponseV1, false, true, false, true},
		{&briefV1, false, false, true, false},
	} {
		if c.d.Events() != c.events || c.d.AnswersRequest() != c.request || c.d.IsText() != c.text || c.d.Indented() != c.indented {
			t.Errorf("%s: events %t, request %t, text %t, indented %t", c.d.Name(), c.d.Events(), c.d.AnswersRequest(), c.d.IsText(), c.d.Indented())
		}
		doc, err := Encode(c.d, newRun(0, "ok\n", "", "true"), EncodeOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if blocks := c.d.Blocks(doc); strings.Join(blocks, "") != string(doc) && len(blocks) != 2 {
			t.Errorf("%s: blocks %q of %q", c.d.Name(), blocks, doc)
		} else if len(blocks) == 2 && (blocks[0]+"\n\n"+blocks[1]+"\n" != string(doc)) {
			t.Errorf("%s: blocks %q of %q", c.d.Name(), blocks, doc)
		}
	}
}

// Digests returns the digests of a run's stored streams, and of what was kept of pipelines.
func TestDigests(t *testing.T) {
	out, err := Stream{Artifact: digestA}, Stream{Artifact: digestB}
	for _, c := range []struct {
		r    Result
		want []string
	}{
		{Result{}, nil},
		{Result{Stdout: out}, []string{digestA}},
		{Result{Stderr: err}, []string{digestB}},
		{Result{Stdout: out, Stderr: err}, []string{digestA, digestB}},
		{Result{Stderr: err, Exec: &Result{Stdout: out}}, []string{digestB, digestA}},
		{Result{Exec: &Result{Stderr: err}}, []string{digestB}},
		{Result{Stdout: Stream{Exact: digestA}}, []string{digestA}},
		{Result{Kept: []Kept{{Artifact: digestA}, {Artifact: "sha256:x"}}}, []string{digestA}},
		{Result{Stderr: err, Kept: []Kept{{Artifact: digestA}, {Artifact: digestB}}}, []string{digestB, digestA}},
		{Result{Stdout: out, Exec: &Result{Kept: []Kept{{Artifact: digestB}}}}, []string{digestA, digestB}},
	} {
		if got := c.r.Digests(); !slices.Equal(got, c.want) || c.r.HasStored() != (c.want != nil) {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
	// The run that printed an adopted envelope may have the same output.
	for _, c := range []struct {
		r    Result
		want []string
	}{
		{Result{Stdout: out, Stderr: out}, []string{"stdout", "stderr"}},
		{Result{Stdout: out, Exec: &Result{Stdout: out, Stderr: err}}, []string{"stdout", "stderr"}},
		{Result{Stdout: out, Stderr: err, Exec: &Result{}}, []string{"stdout", "stderr"}},
		{Result{Exec: &Result{Stderr: err}}, []string{"stderr"}},
	} {
		var got []string
		for _, s := range c.r.stored() {
			got = append(got, s.name)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("stored are %q, want %q", got, c.want)
		}
	}
}

// Which outputs go to the store although they are small.
func TestKeeps(t *testing.T) {
	failed := Outcome{Kind: Failure, Code: ERUNTIME}
	long, short := Stream{Bytes: stderrTailMost + 1}, Stream{Bytes: stderrTailMost}
	value := Stream{Bytes: 2, JSON: []byte("{}")}
	for _, c := range []struct {
		name           string
		k              Keep
		r              Result
		stdout, stderr bool
	}{
		{"large", KeepLarge, Result{Outcome: failed, Stderr: long}, false, false},
		{"exact", KeepExact, Result{Outcome: failed, Stderr: long}, false, false},
		{"all", KeepAll, Result{Stderr: long}, true, true},
		{"failed", KeepFailed, Result{Outcome: failed, Stderr: long}, true, true},
		{"failed, none did", KeepFailed, Result{Stderr: long}, false, false},
		{"tailed", KeepTailed, Result{Stdout: long, Stderr: long}, false, true},
		{"tailed, short", KeepTailed, Result{Stdout: long, Stderr: short}, false, false},
		{"beside", KeepBeside, Result{Stdout: value, Stderr: short}, false, true},
		{"beside nothing", KeepBeside, Result{Stdout: value}, false, false},
		{"beside text", KeepBeside, Result{Stdout: short, Stderr: short}, false, false},
		{"beside what is stored", KeepBeside, Result{Stdout: Stream{JSON: value.JSON, Artifact: digestA}, Stderr: short}, false, false},
		{"beside what is cut", KeepBeside, Result{Stdout: Stream{JSON: value.JSON, Truncated: true}, Stderr: short}, false, false},
	} {
		if out, err := c.k.Wants(&c.r, &c.r.Stdout), c.k.Wants(&c.r, &c.r.Stderr); out != c.stdout || err != c.stderr {
			t.Errorf("%s: stdout %t, stderr %t", c.name, out, err)
		}
	}
	for _, c := range []struct {
		k    Keep
		s    Stream
		want bool
	}{
		{KeepLarge, Stream{Text: "a\x1b[0m"}, false},
		{KeepExact, Stream{Text: "a\x1b[0m"}, true},
		{KeepExact, Stream{Text: "a"}, false},
		{KeepExact, Stream{Text: "a\x1b[0m", Artifact: digestA}, false},
		{KeepLarge, Stream{Text: "a", Replaced: 1}, true},
		{KeepLarge, Stream{Text: "a", Replaced: 1, Artifact: digestA}, false},
	} {
		if got := c.k.WantsExact(&c.s); got != c.want {
			t.Errorf("%d, %+v: %t", c.k, c.s, got)
		}
	}
}

// The heaviest goes first, until the rest fits, and what weighs nothing stays.
func TestMakeRoom(t *testing.T) {
	for limit, want := range map[int]string{100: "", 9: "5", 5: "5 4", 0: "5 4 3", -1: "5 4 3"} {
		slots := []int64{3, 0, 5, 4}
		left := int64(12)
		var moved []string
		MakeRoom(slots, func(n int64) int64 { return n }, func() bool { return left <= int64(limit) }, func(n int64) {
			left -= n
			moved = append(moved, fmt.Sprint(n))
		})
		if got := strings.Join(moved, " "); got != want {
			t.Errorf("into %d: moved %q, want %q", limit, got, want)
		}
	}
}

// A Summarizer can be asked while its stream goes on, and goes on after that.
func TestSoFar(t *testing.T) {
	s := summarize("[1,\n2", ParseAuto, 3)
	early := s.SoFar()
	if y := early.Summary(); y.SizeBytes != 5 || y.Kind != mimetype.Text {
		t.Errorf("so far %+v", y)
	}
	_, _ = s.Write([]byte(",3]\xe2\x9c"))
	if text := s.SoFar(); !text.readable() || text.Summary().Kind != mimetype.Text {
		t.Error("half a character makes it bytes")
	}
	s = summarize("[1,\n2", ParseAuto, 3)
	s.SoFar().end()
	_, _ = s.Write([]byte("]"))
	if y := s.Summary(); y.Kind != mimetype.JSON || *y.RecordCount != 2 || y.SizeBytes != 6 {
		t.Errorf("in the end %+v", y)
	}
	for text, want := range map[string]string{"": "", "ok\n": "", "x\nerror: no lease\n": "error: no lease", "error: \x00\x01\x02\xff\xfe\n": ""} {
		if got, weight := summarize(text, ParseAuto, 9).Best(80); got != want || weight > 0 != (want != "") {
			t.Errorf("%q: best is %q, %d", text, got, weight)
		}
	}
}

// A progress event has room for what matters: its message is cut before its
// workspace goes, and a share is there only if it is known.
func TestProgressEvents(t *testing.T) {
	r := newRun(0, "", "", "make")
	r.Warnings = []string{"not now"}
	for _, c := range []struct {
		name, message, workspace string
		pct                      *float64
		want                     []string
		no                       string
	}{
		{"whole", "step 1", "/w", new(12.5), []string{`"message":"step 1"`, `"workspace":"/w"`, `"pct":12.5`, `"seq":7`}, "not now"},
		{"no share", "step 1", "/w", nil, []string{`"message":"step 1"`}, `"pct"`},
		{"a long message", strings.Repeat("step ", 2000), "/w", nil, []string{`"message":"step step`, `"workspace":"/w"`}, strings.Repeat("step ", 600)},
		{"a long workspace", "step 1", "/" + strings.Repeat("w", 5000), nil, []string{`"message":"step 1"`}, `"workspace"`},
		{"a long message there", "step of seventeen", "/" + strings.Repeat("w", 5000), nil, []string{`"message":"step of "`}, `"workspace"`},
	} {
		r.Workspace = c.workspace
		doc, err := EncodeProgress(r, r.Ended, 7, Progress{Stage: "running", Message: c.message, Pct: c.pct, Elapsed: time.Second})
		if err != nil || len(doc) > ProgressMost || doc[len(doc)-1] != '\n' || bytes.Contains(doc, []byte(c.no)) {
			t.Errorf("%s: %v, %d bytes\n%.300s", c.name, err, len(doc), doc)
		}
		for _, want := range c.want {
			if !bytes.Contains(doc, []byte(want)) {
				t.Errorf("%s: no %s in\n%.300s", c.name, want, doc)
			}
		}
	}
}

// The end of a text is whole lines where there is one, else whole characters.
func TestTailLines(t *testing.T) {
	for _, c := range []struct {
		s      string
		n      int
		whole  bool
		want   string
		atLine bool
	}{
		{"a\nb\n", 9, true, "a\nb\n", false},
		{"a\nb\n", 4, true, "a\nb\n", false},
		{"a\nb\n", 4, false, "b\n", true},
		{"a\nb\n", 3, true, "b\n", true},
		{"a\nb\n", 2, true, "b\n", true},
		{"a\nb\n", 1, true, "\n", false},
		{"a\nbéd", 2, true, "d", false},
		{"a\nb", 0, true, "", false},
		{"a\nb", -1, true, "", false},
		{"abc", 2, true, "bc", false},
		{"abc\n", 2, true, "c\n", false},
	} {
		if got, atLine := tailLines(c.s, c.n, c.whole); got != c.want || atLine != c.atLine {
			t.Errorf("%q, %d, %t: %q, %t", c.s, c.n, c.whole, got, atLine)
		}
	}
	if head, tail, n, lines := summarize("\x00\x01\xff\n", ParseText, 9).Ends(100); head+tail != "" || n != 4 || lines != 1 {
		t.Errorf("bytes have ends %q, %q, %d, %d", head, tail, n, lines)
	}
	for s, want := range map[string]int{"": 0, "ab": 2, "é": 1, "✓": 1, "😀": 2, "\xff": 2} {
		if got := units([]byte(s)); got != want {
			t.Errorf("%q: %d units, want %d", s, got, want)
		}
	}
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567"} {
		if got := thousands(n); got != want {
			t.Errorf("%d: %s", n, got)
		}
	}
}

// Where the members of an envelope are cut, and what a line stands for.
func TestTextsOfAView(t *testing.T) {
	for _, c := range []struct {
		n    int
		s    string
		want string
	}{
		{0, "a\nb\n", ""}, {1, "a\nb\n", "b\n"}, {1, "a\nb", "b"}, {2, "a\nb\n", "a\nb\n"}, {3, "a\nb\n", "a\nb\n"}, {1, "a\n\n", "\n"}, {1, "", ""}, {2, "a\nb\nc", "b\nc"}, {1, "\na", "a"}, {3, "\na", "\na"}, {1, "\n", "\n"}, {1, "a", "a"},
	} {
		if got := lastLines(c.s, c.n); got != c.want {
			t.Errorf("the last %d lines of %q: %q, want %q", c.n, c.s, got, c.want)
		}
	}
	for limit, want := range map[int][]string{
		0: {"go", "test", "./pkg"}, 5: {"go", "…"}, 11: {"go", "…"}, 12: {"go", "test", "…"}, 19: {"go", "test", "…"}, 20: {"go", "test", "./pkg"}, 1: {"go", "…"},
	} {
		v := view{Result: &Result{Argv: []string{"go", "test", "./pkg"}}, cut: textLimits{argv: limit}}
		if got := v.argv(); !slices.Equal(got, want) {
			t.Errorf("%d bytes of argv: %q, want %q", limit, got, want)
		}
	}
	for year, want := range map[int]string{-1: "0001-", 0: "0000-", 9999: "9999-", 10_000: "0001-"} {
		at := time.Date(year, 5, 1, 0, 0, 0, 7, time.UTC)
		if got := wire.Stamp(at); !strings.HasPrefix(string(got), want) {
			t.Errorf("year %d: %s", year, got)
		}
		if got := wire.FineStamp(at); !strings.HasPrefix(string(got), want) {
			t.Errorf("year %d: %s", year, got)
		}
	}
	details := "stdout: " + digestA + " (9 bytes)\nstderr: " + digestB + " (9 bytes)\nother: " + digestA + " (9 bytes)\nstdout: " + digestA + "\nstdout: no (9 bytes)\n"
	if got := artifactsInDetails(details); !slices.Equal(got, []string{digestA, digestB}) {
		t.Errorf("artifacts %q", got)
	}
}

// All of a stream is known where one of its parts is as long as it.
func TestWhole(t *testing.T) {
	for _, c := range []struct {
		s    Stream
		text string
		ok   bool
	}{
		{Stream{}, "", true},
		{Stream{Text: "a", Bytes: 9}, "a", true},
		{Stream{Head: []byte("ab"), Bytes: 2}, "ab", true},
		{Stream{Head: []byte("ab"), Bytes: 3}, "", false},
		{Stream{JSON: []byte("{}"), Bytes: 2}, "{}", true},
		{Stream{Binary: []byte("\xff"), Bytes: 1}, "\xff", true},
		{Stream{Excerpt: &Excerpt{Text: "ab"}, Bytes: 2}, "ab", true},
		{Stream{Excerpt: &Excerpt{Text: "ab"}, Bytes: 3}, "", false},
		{Stream{Excerpt: &Excerpt{Text: "ab", OmittedBytes: 1}, Bytes: 2}, "", false},
		{Stream{Tail: []byte("ab"), Bytes: 2}, "ab", true},
		{Stream{Tail: []byte("ab"), Bytes: 3}, "", false},
	} {
		if text, ok := c.s.whole(); text != c.text || ok != c.ok {
			t.Errorf("%+v: %q, %t", c.s, text, ok)
		}
	}
	end := Stream{Bytes: 2, Tail: []byte("ab")}
	for tail, want := range map[string]bool{"ab": true, "xb": false, "b": false, "": false} {
		if end.isWhole(tail) != want {
			t.Errorf("%q is all of ab: %t", tail, !want)
		}
	}
	if none := new(Stream); none.isWhole("") {
		t.Error("the tail of a stream of unknown length is all of it")
	}
}
