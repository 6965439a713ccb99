package envelope

import (
	"strings"
	"testing"
	"time"

	"github.com/envwrap/envwrap/envelope/internal/wire"
)

// brief is r in brief/v1.
func brief(t *testing.T, r *Result) string {
	t.Helper()
	doc, err := Encode(&briefV1, r, EncodeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return string(doc)
}

func TestBrief(t *testing.T) {
	slow := newRun(2, "", "main.c:3:5: error: 'x' undeclared\nmake: *** [main.o] Error 1\n", "make").
		failed(Failure, ERUNTIME, "make ended with status 2: main.c:3:5: error: 'x' undeclared", "", ByTable)
	slow.Duration = 12345 * time.Millisecond
	piped := newRun(0, "it failed\n", "", "bash").failed(Failure, ERUNTIME, "make (stage 1 of 2) ended with 2: it failed", "Mend it.", ByPipeline)
	killed := newRun(0, "", "", "sh").failed(Failure, ERUNTIME, "sh was ended by SIGKILL", "Give it less to do.", ByStatus)
	killed.Outcome.ExitCode, killed.Outcome.Signal = nil, "SIGKILL"
	missing := newRun(0, "", "", "gti").failed(NotStarted, ENOTFOUND, "gti: program not found on PATH", "Did you mean git?", ByEnvwrap)
	missing.Outcome.ExitCode = nil
	negative := newRun(1, "", "", "grep")
	negative.Outcome.Kind = Negative
	masked := newRun(0, "***\n", "", "env")
	masked.Redactions = wire.Redactions{Total: 2, ByRule: map[string]int{"env:X": 2}}
	masked.Warnings = []string{"first.", "second"}
	parts := newRun(1, "adds:\n\n  Expected:\t3\n  Received: 2\n", "", "jest").failed(Findings, ERUNTIME, "jest ended with status 1: adds: Expected: 3 Received: 2", "", ByTable)
	cached, far := newRun(0, "hi\n", "", "echo"), newRun(0, "hi\n", "", "echo")
	cached.Source, cached.CacheAge = "cache", 8*time.Minute+20*time.Second
	far.Runner, far.Outcome.Details = "build1", Fields{{Name: "attempts", Value: []byte("3")}}
	full := newRun(0, "hi\n", "", "sh").failed(Failure, EIO, "sh: its output could not be stored: write x: disk full", "", ByEnvwrap)
	full.Warnings = []string{"the artifact store failed: write x: disk full", "the store was slow: disk"}
	said := newRun(1, "", "b\u2028 (exit 0)\n", "x").failed(Failure, ERUNTIME, "x ended with status 1: b [exit 0]", "", ByStatus)
	broken := newRun(0, "{}\n", "", "x").failed(Failure, EENVELOPE, `x printed a broken envelope: /meta/agent "[exit 0]" is no name`, "Mend it.", ByEnvwrap)
	for _, c := range []struct {
		name string
		r    *Result
		want string
	}{
		{"success", newRun(0, "hi\n", "", "echo"), "hi\n[exit 0]\n"},
		{"nothing printed", newRun(0, "", "", "true"), "[exit 0]\n"},
		{"no newline", newRun(0, "hi", "", "printf"), "hi\n[exit 0]\n"},
		{"both streams", newRun(0, "out\n", "err\n", "sh"), "out\n[stderr]\nerr\n[exit 0]\n"},
		{"stderr only", newRun(0, "", "err\n", "sh"), "err\n[exit 0]\n"},
		{"json", newRun(0, `{"a": 1e400}`+"\n", "", "gh"), "{\"a\": 1e400}\n[exit 0]\n"},
		{"the reason is shown", slow, "main.c:3:5: error: 'x' undeclared\nmake: *** [main.o] Error 1\n[exit 2 ERUNTIME failure, 12.3 s]\n"},
		{"pipeline", piped, "it failed\n[exit 0 ERUNTIME failure; make (stage 1 of 2) ended with 2; Mend it]\n"},
		{"signal", killed, "[exit SIGKILL ERUNTIME failure; Give it less to do]\n"},
		{"not started", missing, "[exit - ENOTFOUND not-started; gti: program not found on PATH; Did you mean git?]\n"},
		{"words of the command", said, "b\u2028 (exit 0)\nerror: b [exit 0]\n[exit 1 ERUNTIME failure]\n"},
		{"words of a broken envelope", broken, "{}\nerror: /meta/agent \"[exit 0]\" is no name\n[exit 0 EENVELOPE failure; x printed a broken envelope; Mend it]\n"},
		{"negative", negative, "[exit 1 negative]\n"},
		{"reason in parts", parts, "adds:\n\n  Expected:\t3\n  Received: 2\n[exit 1 ERUNTIME findings]\n"},
		{"from memory", cached, "hi\n[exit 0; cached 8 min ago]\n"},
		{"elsewhere, at last", far, "hi\n[exit 0; on build1; tried 3 times]\n"},
		{"redactions and warnings", masked, "***\n[exit 0; 2 masked; warning: first; warning: second]\n"},
		{
			"the reason has the warning", full,
			"hi\n[exit 0 EIO failure; sh: its output could not be stored: write x: disk full; warning: the store was slow: disk]\n",
		},
		{
			"lines that look like ours", newRun(0, "[exit 0]\n[stderr]\n... 12 lines (1-12) ...\n... 1,234 bytes of line 3 ...\n... and more ...\n[exits]\n", "", "x"),
			" [exit 0]\n [stderr]\n ... 12 lines (1-12) ...\n ... 1,234 bytes of line 3 ...\n... and more ...\n[exits]\n[exit 0]\n",
		},
	} {
		if got := brief(t, c.r); got != c.want {
			t.Errorf("%s: %q; want %q", c.name, got, c.want)
		}
	}
}

// Text is cleaned, and folded where the store has all of it. With Whole it stays as
// it was printed.
func TestBriefCleans(t *testing.T) {
	const digest = "sha256:ab12cd34ef56ab12cd34ef56ab12cd34ef56ab12cd34ef56ab12cd34ef56ab12"
	progress := "\x1b[32m10%\r100%\x1b[0m\n"
	lines := strings.Repeat("waited 12 s for the lease\n", 300)
	rows := "id,name,qty\n" + strings.Repeat("12,item12,7\n", 300)
	stored := func(text string, replaced int64) *Result {
		r := newRun(0, text, "", "x")
		r.Stdout.Exact, r.Stdout.Replaced = digest, replaced
		return r
	}
	long := stored("caf\ufffd\nend\n", 1)
	long.Stdout.Head = []byte("caf\xff")
	binary := func(text, digest string) *Result {
		r := newRun(0, text, "", "x")
		r.Stdout.Text, r.Stdout.Binary, r.Stdout.Exact = "", []byte(text), digest
		return r
	}
	for _, c := range []struct {
		name, want string
		r          *Result
	}{
		{"Latin-1", "caf\ufffd\n[exit 0; 1 byte of no text replaced: envwrap artifact cat ab12cd34ef56]\n", binary("caf\xe9\n", digest)},
		{"NUL and Latin-1", "a b\ufffdcd\n[exit 0; 2 bytes of no text replaced]\n", binary("a\x00b\xffcd\n", "")},
		{"binary", "[exit 0; stdout: 6 bytes that are no text: envwrap artifact cat ab12cd34ef56]\n", binary("\x00\xff\x01abc", digest)},
		{"cleaned", "100%\n[exit 0]\n", newRun(0, progress, "", "x")},
		{"cleaned and stored", "100%\n[exit 0]\n", stored(progress, 0)},
		{"not stored", lines + "[exit 0]\n", newRun(0, lines, "", "x")},
		{"stored", "waited 12 s for the lease\n... 298 lines (2-299) ...\nwaited 12 s for the lease\n" +
			"[exit 0; 298 of 300 lines left out: envwrap artifact cat --lines 2:299 ab12cd34ef56]\n", stored(lines, 0)},
		{"rows of a success", rows + "[exit 0]\n", stored(rows, 0)},
		{"replaced", "caf\ufffd\n[exit 0; 1 byte of no UTF-8 replaced: envwrap artifact cat ab12cd34ef56]\n", stored("caf\ufffd\n", 1)},
		{"replaced, of which the beginning is kept", "caf\ufffd\nend\n[exit 0; 1 byte of no UTF-8 replaced: envwrap artifact cat ab12cd34ef56]\n", long},
	} {
		if got := brief(t, c.r); got != c.want {
			t.Errorf("%s: %q; want %q", c.name, got, c.want)
		}
	}
	doc, err := Encode(&briefV1, stored(progress+lines, 0), EncodeOptions{Whole: true})
	if err != nil || string(doc) != progress+lines+"[exit 0]\n" {
		t.Errorf("whole: %q, %v", doc, err)
	}
}

// The last line of an adopted envelope is about the run that printed it, but for code and
// outcome; all else that the envelope says is output.
func TestBriefOfAnAdoptedEnvelope(t *testing.T) {
	run := func(status int) *Result {
		r := newRun(status, "", "debug\n", "x")
		if status != 0 {
			r.failed(Failure, ERUNTIME, "x ended with status 1", "Ask x.", ByStatus)
		}
		r.Duration, r.Redactions, r.Warnings = 12*time.Second, wire.Redactions{Total: 2}, []string{"it was [slow]"}
		return r
	}
	protocol := func(status, data, meta, code, message string) string {
		return `{"version":1,"status":"` + status + `","command":"exec/x","data":` + data + `,"meta":{"ts":"2026-11-20T10:00:00.123Z","duration_ms":999000` + meta + `},"error":{"code":` + code + `,"message":` + message + `}}`
	}
	const end = ", 12.0 s; 2 masked; warning: it was (slow)]\n"
	for _, c := range []struct {
		name, printed string
		status        int
		want          string
	}{
		{"no status", `{"status":"ok","schema_version":"1.2.0","error":null,"agent":"unknown","ts":"2026-11-20T10:00:00.123Z","n":1}`, 0, `{"n":1}` + "\n[stderr]\ndebug\n[exit 0" + end},
		{"ok beside its status", protocol("ok", `{"exit_code":1}`, "", "null", "null"), 1, `{"exit_code":1}` + "\n[stderr]\ndebug\n[exit 1" + end},
		{
			"its words", protocol("error", `{"hint":"Pull the lever [exit 0]"}`, `,"redactions":{"total":9,"by_rule":{"x":9}},"warnings":["[exit 0]"]`, `"EAUTH"`, `"no [key]\u2028[exit 0]"`), 1,
			"error: no [key] [exit 0]\nhint: Pull the lever [exit 0]\nwarning: [exit 0]\n[stderr]\ndebug\n[exit 1 EAUTH failure" + end,
		},
		{
			"a code of its own", `{"status":"error","schema_version":"1.0.0","error":{"code":"X]\n[exit 0]","message":"m"},"agent":"unknown","ts":"2026-11-20T10:00:00.123Z"}`, 1,
			"error: m\n[stderr]\ndebug\n[exit 1 ERUNTIME failure" + end,
		},
	} {
		r, claims, err := Adopt(run(c.status), []byte(c.printed), Adoption{})
		if err != nil || !claims {
			t.Errorf("%s: %v, %v", c.name, claims, err)
			continue
		}
		if got := brief(t, r); got != c.want {
			t.Errorf("%s: %q; want %q", c.name, got, c.want)
		}
		doc, err := Encode(&protocolV1, r, EncodeOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if again, _, err := Convert(&protocolV1, &briefV1, doc, EncodeOptions{}); err != nil || string(again) != c.want {
			t.Errorf("%s, by way of protocol/v1: %q, %v; want %q", c.name, again, err, c.want)
		}
	}
	within := newRun(3, "out\n", "err\n", "sh").failed(Failure, ERUNTIME, "sh ended with status 3", "", ByStatus)
	for _, d := range Dialects() {
		doc, err := Encode(d, within, EncodeOptions{IncludeOutput: IncludeAlways})
		if err != nil {
			t.Fatal(err)
		}
		r, _, err := Adopt(run(0), doc, proved)
		if err != nil {
			t.Fatal(err)
		}
		for _, by := range Dialects() {
			doc, err := Encode(by, r, EncodeOptions{IncludeOutput: IncludeAlways})
			if err != nil {
				t.Fatal(err)
			}
			got, _, err := Convert(by, &briefV1, doc, EncodeOptions{})
			if last := "[exit 0 ERUNTIME failure" + end; err != nil || !strings.HasSuffix(string(got), "\n"+last) {
				t.Errorf("%s in %s: %q, %v", d.Name(), by.Name(), got, err)
			}
		}
	}
	killed := newRun(0, "", "", "x")
	killed.Outcome = Outcome{Kind: Failure, Code: ERUNTIME, Message: "x was ended by SIGKILL", Signal: "SIGKILL"}
	r := &Result{Payload: []byte("{}"), Exec: killed, Tool: "x", Outcome: Outcome{Kind: Failure, Code: ERUNTIME, Message: "it broke"}}
	if got := brief(t, r); got != "error: it broke\n[exit SIGKILL ERUNTIME failure]\n" {
		t.Errorf("ended by a signal: %q", got)
	}
}

// The last line is the only one that a reader can take for it.
func TestBriefHasOneEnd(t *testing.T) {
	for _, output := range []string{"[exit 0]", "\r[exit 0]\n", "a\n[exit 1 ERUNTIME failure]\nb", "[exit [exit 0]\n"} {
		lines := strings.Split(strings.TrimSuffix(brief(t, newRun(0, output, output, "x")), "\n"), "\n")
		for i, line := range lines {
			if strings.HasPrefix(line, briefEnd) != (i == len(lines)-1) {
				t.Errorf("%q: line %d is %q", output, i, line)
			}
		}
	}
}

func TestBriefIsNotRead(t *testing.T) {
	for _, d := range Dialects() {
		if d.Name() == briefV1.name {
			t.Error("brief/v1 is among the dialects that are read")
		}
		doc, err := Encode(d, newRun(0, "hi\n", "", "echo"), EncodeOptions{})
		if err != nil {
			t.Fatal(err)
		}
		out, lost, err := Convert(d, &briefV1, doc, EncodeOptions{})
		if err != nil || len(lost) > 0 || !strings.HasSuffix(string(out), "\n[exit 0]\n") && string(out) != "[exit 0]\n" {
			t.Errorf("%s: %q, %v, %v", d.Name(), out, lost, err)
		}
	}
	if d, ok := Guess([]byte("hi\n[exit 0]\n")); ok {
		t.Errorf("brief text is taken for %s", d.Name())
	}
}

func TestBriefJobs(t *testing.T) {
	const id = "01ARZ3NDEKTSV4RRFFQ69G5FAV"
	one := 1
	for _, c := range []struct {
		jobs *Jobs
		want string
	}{
		{&Jobs{Kind: JobsSubmit, List: []Job{{ID: id, State: JobQueued}}}, "[job " + id + " queued; envwrap job wait " + id + "]\n"},
		{&Jobs{Kind: JobsInfo, List: []Job{{ID: id, State: JobFailed, ExitCode: &one, Elapsed: 2 * time.Second}}}, "[job " + id + " error, exit 1, 2 s]\n"},
		{&Jobs{Kind: JobsList, All: true}, "[no jobs]\n"},
		{&Jobs{Kind: JobsList, All: true, List: []Job{{ID: id, State: JobRunning, Argv: []string{"make", "-j8"}}}}, "[job " + id + " running: make -j8]\n"},
		{&Jobs{Kind: JobsList, All: true, List: []Job{{ID: id, Name: "build [x]", State: JobRunning, Argv: []string{"make"}}}}, "[job " + id + " (build (x)) running: make]\n"},
		{&Jobs{Kind: JobsCleanup, All: true, Cleanup: &JobCleanup{Stuck: []string{id}, OldFound: 2}}, "[1 stuck, 2 old]\n"},
		{&Jobs{Kind: JobsTail, List: []Job{{ID: id, State: JobRunning}}, Stdout: &Stream{Text: "building\n", Bytes: 9, Lines: 1}}, "building\n[job " + id + " running; envwrap job wait " + id + "]\n"},
	} {
		if got := brief(t, &Result{Jobs: c.jobs}); got != c.want {
			t.Errorf("%s: %q; want %q", c.jobs.Kind, got, c.want)
		}
	}
}

// The last line says where an answer comes from that was not run here and now.
func TestBriefOfAnAnswerFromElsewhere(t *testing.T) {
	r := newRun(0, "hi\n", "", "echo")
	r.Source, r.Runner = "cache", "big]"
	if got := brief(t, r); got != "hi\n[exit 0; cached 0 s ago; on big)]\n" {
		t.Errorf("%q", got)
	}
}
