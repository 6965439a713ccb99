package wrap

import (
	"cmp"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/shared/pipeline"
	"github.com/envwrap/envwrap/redact"
	"github.com/envwrap/envwrap/wrap/internal/signals"
)

// outcomes has the records of many runs. UPDATE=1 writes it again:
// read the difference.
const outcomes = "testdata/outcomes.txt"

// An ended is a run that has ended, of which no process is needed to judge it.
type ended struct {
	argv      string // words; "tool" where empty
	end       exitState
	out, errs string
	set       func(*Command)
	at        func(*run) // what else is known of it
	name      string     // in outcomes, where argv does not say it
}

// TestOutcomes compares with outcomes what runs mean, and what becomes of their output.
func TestOutcomes(t *testing.T) {
	t.Parallel()
	store, err := artifact.Open(artifact.Options{Dir: filepath.Join(t.TempDir(), "store"), NoMaintenance: true})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	var b strings.Builder
	for _, e := range slices.Concat(statuses(), options(), outputs(), ends(), nested()) {
		e.argv = cmp.Or(e.argv, "tool")
		c := &Command{
			Process: Process{Argv: strings.Fields(e.argv), Env: []string{"PATH=/nowhere"}, Dir: t.TempDir()},
			Limits:  Limits{MaxCapture: 1 << 20, MaxArtifact: 1 << 30, InlineLimit: 2000, Excerpt: 300},
			Capture: Capture{
				Redactor: redact.New(redact.Options{Values: []redact.Value{{Rule: "env:X", Secret: "tell-nobody-9"}}}),
				Store:    func() (*artifact.Store, string, error) { return store, "", nil },
			},
			Meaning: Meaning{Parse: envelope.ParseAuto},
		}
		if strings.Contains(e.argv, " -c ") {
			before, text, _ := strings.Cut(e.argv, " -c ")
			c.Argv = append(strings.Fields(before), "-c", text)
		}
		if e.set != nil {
			e.set(c)
		}
		fmt.Fprintf(&b, "%s: %s\n", cmp.Or(e.name, e.argv), strings.ReplaceAll(e.record(c), c.Dir, "DIR"))
	}
	if os.Getenv("UPDATE") != "" {
		if err := errors.Join(os.MkdirAll(filepath.Dir(outcomes), 0o755), os.WriteFile(outcomes, []byte(b.String()), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(outcomes)
	if err != nil {
		t.Fatal(err)
	}
	got, lines := strings.Split(b.String(), "\n"), strings.Split(string(want), "\n")
	if len(got) != len(lines) {
		t.Errorf("%d lines, want %d", len(got), len(lines))
	}
	for i := range min(len(got), len(lines)) {
		if got[i] != lines[i] {
			t.Errorf("line %d:\n%s\nwant\n%s", i+1, got[i], lines[i])
		}
	}
}

// record makes the record of a run that has ended, and says what is in it.
func (e ended) record(c *Command) string {
	r := newRun(c)
	r.started = time.Unix(1_800_000_000, 0)
	r.ended = r.started.Add(time.Second)
	r.end = e.end
	r.stdout, r.stderr = r.replayedStream("stdout", &RecordedStream{}), r.replayedStream("stderr", &RecordedStream{})
	defer r.streams.close()
	for i, s := range r.both() {
		s.masked = r.mask.redactor.Writer(s.capture)
		_, _ = s.masked.Write([]byte([]string{e.out, e.errs}[i]))
		_ = s.masked.Close()
		s.capture.end()
	}
	if e.at != nil {
		e.at(r)
	}
	return describe(r.record(), c.Recording)
}

// describe says what is in a record that is not always so.
func describe(res *envelope.Result, recording *Recording) string {
	o := &res.Outcome
	text := fmt.Sprintf("%s %s %d", o.Kind, o.Code, res.ExitStatus)
	add := func(name string, value any) {
		switch s := fmt.Sprint(value); s {
		case "", "[]", "false", "map[]", "{0 map[]}":
		default:
			text += fmt.Sprintf(" | %s %q", name, s)
		}
	}
	add("by", o.ClassifiedBy)
	add("retryable", o.Retryable)
	add("message", o.Message)
	add("hint", o.Hint)
	add("meaning", o.Meaning)
	if o.ExitCode != nil {
		add("code", *o.ExitCode)
	}
	add("signal", o.Signal)
	add("timeout", o.Timeout)
	add("interpreter", o.Interpreter)
	add("suggestions", o.Suggestions)
	add("network", o.Network)
	for _, f := range o.Details {
		add(f.Name, string(f.Value))
	}
	add("skipped", res.SkippedSources)
	add("pipeline", res.Pipeline)
	add("warnings", res.Warnings)
	add("redactions", res.Redactions)
	add("payload", string(res.Payload))
	streams := []*envelope.Stream{&res.Stdout, &res.Stderr}
	if res.Exec != nil {
		text += " | adopted"
		add("exec warnings", res.Exec.Warnings)
		streams = append(streams, &res.Exec.Stdout, &res.Exec.Stderr)
	}
	for i, s := range streams {
		if s.Bytes == 0 {
			continue
		}
		text += fmt.Sprintf(" | %s %d %d", []string{"stdout", "stderr", "exec stdout", "exec stderr"}[i], s.Bytes, s.Lines)
		add("text", excerptOf(s.Text))
		add("json", string(s.JSON))
		add("binary", len(s.Binary) > 0)
		add("artifact", s.Artifact[:min(19, len(s.Artifact))])
		add("exact", s.Exact != "")
		add("truncated", s.Truncated)
		add("read", s.Read)
		if s.Excerpt != nil {
			add("excerpt", excerptOf(s.Excerpt.Text))
		}
	}
	if t := recording; t != nil {
		add("recorded", fmt.Sprintf("%t %d%s %d %d %t %d %v", t.Whole, t.ExitCode, t.Name, len(t.Stdout.Bytes), t.Stdout.Size, t.Stdout.Artifact != "", len(t.Stderr.Bytes), t.Warnings))
	}
	return text
}

// excerptOf returns an excerpt, or what distinguishes a long one from others.
func excerptOf(text string) string {
	if len(text) <= 200 {
		return text
	}
	return fmt.Sprintf("%d bytes, CRC %08x", len(text), crc32.ChecksumIEEE([]byte(text)))
}

// statuses are runs whose status, and what they printed, says what they mean.
func statuses() []ended {
	var all []ended
	for _, code := range []int{0, 1, 2, 63, 64, 65, 69, 74, 75, 77, 78, 79, 124, 125, 126, 127, 128, 130, 141, 143, 255} {
		all = append(all, ended{end: exitState{code: code}})
	}
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGSEGV, syscall.SIGPIPE, syscall.SIGTERM, 33} {
		all = append(all, ended{end: exitState{signal: int(sig), name: signals.Name(sig)}, errs: "half\n"})
	}
	one := exitState{code: 1}
	for _, row := range []struct {
		argv string
		end  exitState
		errs string
	}{
		{"grep zzz", one, ""},
		{"grep zzz", exitState{code: 2}, "grep: x: No such file or directory\n"},
		{"diff a b", one, ""},
		{"rsync a b", exitState{code: 23}, "rsync: some files\n"},
		{"curl x", exitState{code: 6}, "curl: (6) Could not resolve host: x\n"},
		{"curl x", exitState{code: 7}, ""},
		{"curl x", exitState{code: 22}, "curl: (22) The requested URL returned error: 401\n"},
		{"curl x", exitState{code: 28}, ""},
		{"curl x", exitState{code: 60}, ""},
		{"git fetch", exitState{code: 128}, "fatal: Authentication failed for 'x'\n"},
		{"git fetch", exitState{code: 128}, "fatal: not a git repository\n"},
		{"make", exitState{code: 2}, "make: *** [Makefile:2: all] Error 1\n"},
		{"make", exitState{code: 2}, "sh: 1: gcc: not found\nmake: *** [Makefile:2: all] Error 127\n"},
		{"make", exitState{code: 2}, "make: *** [Makefile:2: all] Error 126\n"},
		{"make", exitState{code: 2}, "make: *** [Makefile:2: all] Error 2\n"},
		{"npm ci", one, "npm error code E401\n"},
		{"npm ci", one, "npm error code ETIMEDOUT\n"},
		{"pytest", one, ""},
		{"pytest", exitState{code: 5}, ""},
		{"timeout 1 x", exitState{code: 124}, ""},
		{"ssh x", exitState{code: 255}, "ssh: connect to host x port 22: Connection refused\n"},
		{"curl x", exitState{code: 6}, "\r  0     0    0     0    0     0      0      0 --:--:-- --:--:-- --:--:--     0curl: (6) Could not resolve host: x\n"},
		{"docker run x", exitState{code: 125}, ""},
		{"terraform plan", exitState{code: 2}, ""},
		{"sh -l -c cd d && grep zzz x", one, ""},
		{"sh -x -c cd d && grep zzz x", one, ""},
		{"tool", one, "checking\n12 errors total\n"},
		{"tool", one, "checking\nelapsed 3 s\n"},
		{"tool", one, "checking\nload is 97% cpu now\n"},
		{"tool", one, "checking\ntool  0.00s user 0.00s system 88% cpu 0.002 total\n"},
		{"tool", one, "checking\n0.00user 0.00system 0:00.00elapsed 50%CPU (0avgtext+0avgdata 2048maxresident)k\n0inputs+0outputs (0major+92minor)pagefaults 0swaps\n"},
		{"tool", one, "checking\nreal 0.00\nuser 0.00\nsys 0.00\n"},
		{"tool", one, "checking\nuser ada failed\n"},
		{"tool", one, "error: rate limit exceeded\n"},
		{"tool", one, "429 Too Many Requests\n"},
		{"tool", one, "dial tcp: lookup x: no such host\n"},
		{"tool", one, "connect: connection refused\n"},
		{"tool", one, "write x: no space left on device\n"},
		{"tool", one, "401 Unauthorized\n"},
		{"tool", one, "i/o timeout\n"},
		{"tool", one, "\x1b[31mfatal: it\tfailed\x1b[0m\r\n\nTry 'tool --help' for more information.\n"},
		{"tool", one, "\x01\n" + strings.Repeat("x", 300)},
		{"tool", exitState{code: 75}, "connection refused\n"},
		{"tool.EXE", one, ""},
		{"sh -c gti", exitState{code: 127}, "sh: 1: gti: not found\n"},
		{"sh -c gti", exitState{code: 127}, "zsh:1: command not found: gti\n"},
		{"sh -c gti", exitState{code: 127}, ""},
		{"sh -c ./x", exitState{code: 126}, "sh: 1: ./x: Permission denied\n"},
		{"sh -c x", exitState{code: 128}, ""},
	} {
		all = append(all, ended{argv: row.argv, end: row.end, errs: row.errs})
	}
	return all
}

// options are runs whose caller says what they mean, or how they end.
func options() []ended {
	var all []ended
	add := func(name string, e ended, set func(*Command)) {
		e.name, e.set = name, set
		all = append(all, e)
	}
	three := ended{end: exitState{code: 3}, out: "out\n"}
	add("ok-exit", three, func(c *Command) { c.OkExit = []int{2, 3} })
	add("ok-exit of another", three, func(c *Command) { c.OkExit = []int{4} })
	for _, m := range []Mapping{
		{Code: envelope.ERATELIMIT},
		{Code: envelope.ETIMEOUT},
		{Code: envelope.ECANCELED},
		{Code: envelope.EAUTH},
		{Kind: envelope.Partial},
		{Kind: envelope.Timeout},
		{Kind: envelope.Canceled},
		{Kind: envelope.NotStarted},
		{Kind: envelope.Failure},
		{Kind: envelope.Warning},
		{Kind: envelope.Negative},
	} {
		add(fmt.Sprint("exit-map to ", m.Code, m.Kind), three, func(c *Command) { c.ExitMap = map[int]Mapping{3: m, 0: {Code: envelope.EIO}} })
	}
	add("exit-map of 0", ended{}, func(c *Command) { c.ExitMap = map[int]Mapping{0: {Code: envelope.EIO}} })
	json := func(c *Command) { c.Parse = envelope.ParseJSON }
	add("json", ended{out: "[1, 2]\n"}, json)
	add("no json", ended{out: "text\n"}, json)
	add("no json, and a failure", ended{out: "text\n", end: exitState{code: 3}}, json)
	add("no json, and ok-exit", ended{out: "text\n", end: exitState{code: 3}}, func(c *Command) { json(c); c.OkExit = []int{3} })
	add("ndjson", ended{out: "{\"a\":1}\n{\"a\":2}\n"}, func(c *Command) { c.Parse = envelope.ParseNDJSON })
	add("json as text", ended{out: "[1]"}, func(c *Command) { c.Parse = envelope.ParseText })
	for by := range []Overflow{OverflowError, OverflowTruncate, OverflowKill} {
		for _, code := range []int{0, 3} {
			for _, most := range []int64{9, 10, 0} {
				add(fmt.Sprint("10 bytes, of ", most, ", overflow ", by), ended{out: "123456789\n", end: exitState{code: code}}, func(c *Command) { c.MaxCapture, c.OnOverflow = most, Overflow(by) })
			}
		}
	}
	add("overflow and ok-exit", ended{out: "123456789\n", end: exitState{code: 3}}, func(c *Command) { c.MaxCapture, c.OkExit = 1, []int{3} })
	host := ended{end: exitState{code: 1}, errs: "no such host\n"}
	add("retrying", host, func(c *Command) { c.retrying = true })
	add("retrying, too many requests", ended{end: exitState{code: 1}, errs: "429 Too Many Requests\n"}, func(c *Command) { c.retrying = true })
	add("merged", ended{end: exitState{code: 1}, out: "first\nlast\n"}, func(c *Command) { c.Merge = true })
	add("names", ended{out: "x"}, func(c *Command) { c.Name, c.Warnings = "a/b", []string{"it is tell-nobody-9", "once", "once"} })
	add("secret", ended{argv: "tell-nobody-9 x", out: "tell-nobody-9\n", errs: "tell-nobody-9 failed\n", end: exitState{code: 1}}, nil)
	return all
}

// outputs are runs of whose output something goes to the store.
func outputs() []ended {
	var all []ended
	add := func(name string, e ended, set func(*Command)) {
		e.name, e.set = name, func(c *Command) {
			c.Recording = &Recording{}
			if set != nil {
				set(c)
			}
		}
		all = append(all, e)
	}
	text := func(lines int) string { return strings.Repeat("a line of text, which says little\n", lines) }
	fails := func(c *Command) {
		c.Store = func() (*artifact.Store, string, error) { return nil, "", errors.New("no store") }
	}
	for _, out := range []string{"", "cat: nosuch: No such file or directory\n"} {
		add(fmt.Sprintf("a test of another command's output, merged, after %q", out), ended{argv: `bash -c [ "$(cat nosuch)" = x ]`, out: out, end: exitState{code: 1}}, func(c *Command) { c.Merge = true })
	}
	none := func(c *Command) { c.Store = nil }
	add("short", ended{out: text(2), errs: text(1)}, nil)
	add("long", ended{out: text(80)}, nil)
	add("both long", ended{out: text(80), errs: text(70)}, nil)
	add("the longer one long", ended{out: text(30), errs: text(50), end: exitState{code: 1}}, nil)
	various := func(lines int) (text string) {
		for i := range lines {
			text += strings.Repeat(string(rune('a'+i%26)), 20+i%7) + fmt.Sprint(" ", i*i, "\n")
		}
		return text
	}
	add("both long and various", ended{out: various(90), errs: various(80), end: exitState{code: 1}}, nil)
	add("both long, one with little to say", ended{out: various(90), errs: text(70)}, nil)
	add("both long, the other with little to say", ended{out: text(80), errs: various(80)}, nil)
	add("both long and various, the usual excerpt", ended{out: various(400), errs: various(400)}, func(c *Command) { c.Excerpt = 0 })
	add("long, with Read", ended{out: text(80)}, func(c *Command) { c.Read = func(digest string) string { return "read " + digest[:10] } })
	add("long, the store has a warning", ended{out: text(80)}, func(c *Command) {
		store := c.Store
		c.Store = func() (*artifact.Store, string, error) { s, _, err := store(); return s, "a warning", err }
	})
	add("long, without a store", ended{out: text(80)}, none)
	add("longer, without a store", ended{out: text(80)}, func(c *Command) { none(c); c.InlineLimit = 0 })
	add("short, the store fails", ended{out: text(2)}, fails)
	add("long, the store fails", ended{out: text(80), errs: text(70)}, fails)
	add("long failure, the store fails", ended{out: text(80), end: exitState{code: 1}}, fails)
	for _, most := range []int64{2719, 2720, 100} {
		add(fmt.Sprint("2720 bytes, the store takes ", most), ended{out: text(80)}, func(c *Command) { c.MaxArtifact = most })
	}
	add("larger than memory", ended{out: text(40_000)}, func(c *Command) { c.MaxCapture = 0 })
	add("larger than memory, the store fails", ended{out: text(40_000)}, func(c *Command) { fails(c); c.MaxCapture = 0 })
	add("over the capture limit", ended{out: text(80)}, func(c *Command) { c.MaxCapture = 100 })
	add("over the capture limit, truncated", ended{out: text(80)}, func(c *Command) { c.MaxCapture, c.OnOverflow = 100, OverflowTruncate })
	add("stderr over the capture limit", ended{errs: text(80)}, func(c *Command) { c.MaxCapture = 100 })
	for keep := envelope.KeepLarge; keep <= envelope.KeepExact; keep++ {
		for _, code := range []int{0, 1} {
			add(fmt.Sprint("keep ", keep, ", status ", code), ended{out: "[1]\n", errs: "err\n", end: exitState{code: code}}, func(c *Command) { c.Placement.Keep = keep })
		}
		add(fmt.Sprint("keep ", keep, ", bad text"), ended{out: text(1) + "\xff\n"}, func(c *Command) { c.Placement.Keep = keep })
		add(fmt.Sprint("keep ", keep, ", colours, the store fails"), ended{out: "\x1b[31mred\x1b[0m\n", errs: text(1) + "\xff\n"}, func(c *Command) { fails(c); c.Placement.Keep = keep })
	}
	add("bytes", ended{out: "\x00\x01\xff"}, nil)
	const wire = `{"version":1,"status":"%s","command":"a/b","data":{"x":1},"meta":{"ts":"2026-01-01T00:00:00Z","duration_ms":1},"error":{"code":%s,"message":%s}}`
	well, bad := fmt.Sprintf(wire, "ok", "null", "null"), fmt.Sprintf(wire, "error", `"EAUTH"`, `"log in"`)
	for i, e := range []ended{
		{out: well, errs: "err\n"},
		{out: well, end: exitState{code: 3}},
		{out: bad, end: exitState{code: 3}, errs: "err\n"},
		{out: bad},
		{out: strings.Replace(well, `"meta"`, `"Meta"`, 1)},
		{out: strings.Replace(well, `{"x":1}`, `{"x":"`+strings.Repeat("x", 2700)+`"}`, 1)},
	} {
		add(fmt.Sprint("envelope ", i), e, nil)
		add(fmt.Sprint("envelope ", i, ", all kept"), e, func(c *Command) { c.Placement.Keep = envelope.KeepFailed })
		add(fmt.Sprint("envelope ", i, " as text"), e, func(c *Command) { c.Parse = envelope.ParseText })
	}
	return all
}

// ends are runs that a limit or a signal has ended, or that did not begin, or whose
// status the system did not say, and pipelines.
func ends() []ended {
	var all []ended
	term := exitState{signal: 15, name: "SIGTERM"}
	add := func(name string, e ended, at func(*run)) {
		e.name, e.at = name, at
		e.set = func(c *Command) {
			c.Timeout, c.IdleTimeout, c.Recording = time.Second, 1500*time.Millisecond, &Recording{}
		}
		all = append(all, e)
	}
	for cause := stopTimeout; cause <= stopOverflow; cause++ {
		add(fmt.Sprint("stopped by ", cause), ended{end: term, out: "half\n"}, func(r *run) { r.stopped.cause = cause })
		add(fmt.Sprint("stopped by ", cause, ", asking"), ended{end: term, out: "x\n", errs: "Password: "}, func(r *run) { r.stopped.cause, r.waitedForStdin = cause, true })
		add(fmt.Sprint("stopped by ", cause, ", well ended"), ended{out: "Continue? "}, func(r *run) { r.stopped.cause, r.stopped.late = cause, true })
	}
	add("stopped by SIGHUP", ended{end: term}, func(r *run) { r.stopped = stop{cause: stopCanceled, signal: syscall.SIGHUP} })
	add("lost", ended{end: exitState{lost: true}, out: "x"}, nil)
	add("cut", ended{out: "x"}, func(r *run) { r.stdout.cut = true })
	add("not started", ended{}, func(r *run) {
		r.failure = &startFailure{kind: envelope.NotStarted, code: envelope.ENOTFOUND, status: 127, message: "tool: not found", hint: "Install it."}
	})
	for _, p := range []struct {
		text     string
		code     int
		statuses []int
	}{
		{"make | cat", 0, []int{2, 0}},
		{"make | cat", 0, []int{0, 0}},
		{"make | head", 0, []int{2, 0}},
		{"make | head | cat", 0, []int{2, 0, 0}},
		{"grep x | cat", 0, []int{1, 0}},
		{"grep x | cat", 0, []int{2, 0}},
		{"nosuch | cat", 0, []int{127, 0}},
		{"nosuch | cat", 0, []int{126, 0}},
		{"tool | cat", 0, []int{75, 0}},
		{"curl x | cat", 0, []int{6, 0}},
		{"yes | cat", 0, []int{141, 0}},
		{"yes | head", 141, []int{141, 0}},
		{"yes | cat", 141, []int{141, 0}},
		{"cat | tool", 141, []int{0, 141}},
		{"cat | grep x", 1, []int{0, 1}},
		{"tool | grep x", 1, []int{3, 1}},
		{"cat | tool", 3, []int{0, 3}},
		{"cat | tool", 4, []int{0, 3}},
		{"tool | cat", 3, []int{3, 0}},
		{"false; cat | tool", 3, []int{0, 3}},
		{"cat | tool || true", 3, []int{0, 3}},
		{"tool | head | tool", 3, []int{2, 0, 3}},
	} {
		add(fmt.Sprint("bash -c ", p.text, " ", p.code, " ", p.statuses), ended{argv: "bash -c " + p.text, end: exitState{code: p.code}, errs: "err\n"}, func(r *run) {
			if line, ok := pipeline.Read([]string{"bash", "-c", p.text}, nil); ok {
				r.probe = &probe{Line: line, statuses: p.statuses}
			}
		})
	}
	add("a pipeline whose status is expected", ended{argv: "bash -c make | cat", errs: "err\n"}, func(r *run) {
		line, _ := pipeline.Read([]string{"bash", "-c", "make | cat"}, nil)
		r.probe, r.c.OkExit = &probe{Line: line, statuses: []int{2, 0}}, []int{0}
	})
	return all
}

// nested are runs of an envwrap that has printed an envelope with the digest of its output.
func nested() []ended {
	const digest = "sha256:98ea6e4f216f2fb4b69fff9b3a44842c38686ca685f3f55dc48c5d3fb1107be4"
	dialect, _ := envelope.Lookup("delegator/v3.6")
	doc := func(size int) string {
		code := 0
		began := time.Unix(1_800_000_000, 0)
		text, err := envelope.Encode(dialect, &envelope.Result{
			Command: "exec/echo", Tool: "echo", Argv: []string{"echo"}, RequestID: "56e4b996-7176-46f9-9fe9-ab6844d78cd6",
			Outcome: envelope.Outcome{Kind: envelope.Success, ExitCode: &code}, Started: began, Ended: began,
			Stdout: envelope.Stream{Bytes: int64(size), Artifact: digest},
		}, envelope.EncodeOptions{})
		if err != nil {
			panic(err)
		}
		return string(text)
	}
	var all []ended
	add := func(name, output string, set func(*Command)) {
		load := func(named string, w io.Writer) error {
			if named != digest {
				return os.ErrNotExist
			}
			_, err := io.WriteString(w, output)
			return err
		}
		all = append(all, ended{
			name: "nested, " + name, out: doc(len(output)), errs: "err\n",
			at: func(r *run) { r.nested = nestedEnd },
			set: func(c *Command) {
				c.Load, c.Stored, c.Recording = load, func(string) bool { return true }, &Recording{}
				if set != nil {
					set(c)
				}
			},
		})
	}
	long := strings.Repeat("0123456789abcde\n", 160)
	add("short", "hi\n", nil)
	add("JSON", `{"a": 1}`, nil)
	add("bytes", "\x00\xff", nil)
	add("long", long, nil)
	add("empty", "", nil)
	add("all kept", "hi\n", func(c *Command) { c.Placement.Keep = envelope.KeepFailed })
	add("as printed", "a\xff\n", func(c *Command) { c.Placement.Keep = envelope.KeepExact })
	add("without what it names", "hi\n", func(c *Command) { c.Load = func(string, io.Writer) error { return os.ErrNotExist } })
	add("nothing to load with", "hi\n", func(c *Command) { c.Load = nil })
	return all
}
