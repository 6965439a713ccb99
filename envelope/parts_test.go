package envelope

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// What a dialect says of itself.
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

// What of a run is in the store.
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
	} {
		if got := c.r.Digests(); !slices.Equal(got, c.want) || c.r.HasStored() != (c.want != nil) {
			t.Errorf("got %q, want %q", got, c.want)
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
	if y := early.Summary(); y.SizeBytes != 5 || y.Kind != kindText {
		t.Errorf("so far %+v", y)
	}
	_, _ = s.Write([]byte(",3]\xe2\x9c"))
	if text := s.SoFar(); !text.readable() || text.Summary().Kind != kindText {
		t.Error("half a character makes it bytes")
	}
	s = summarize("[1,\n2", ParseAuto, 3)
	s.SoFar().end()
	_, _ = s.Write([]byte("]"))
	if y := s.Summary(); y.Kind != kindJSON || *y.RecordCount != 2 || y.SizeBytes != 6 {
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
