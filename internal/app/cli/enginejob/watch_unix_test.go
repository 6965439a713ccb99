//go:build unix

package enginejob

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/cli/clitest"
	"github.com/envwrap/envwrap/internal/app/engine"
	"github.com/envwrap/envwrap/internal/test/testenv"
	"github.com/envwrap/envwrap/job"
)

// A slurmJob is a job of which a test decides what Slurm's programs do, and the time.
type slurmJob struct {
	*Job
	dir string
	now time.Time
}

// newSlurmJob makes a job that was submitted as 12. tools has scripts for Slurm's programs; apart
// is for a runner with shared = false.
func newSlurmJob(t *testing.T, tools map[string]string, apart bool) *slurmJob {
	t.Helper()
	return newSlurmGroup(t, tools, apart, nil)
}

// newSlurmGroup is newSlurmJob for a group; array is nil for a single job.
func newSlurmGroup(t *testing.T, tools map[string]string, apart bool, array *job.Array) *slurmJob {
	t.Helper()
	e := &slurmJob{dir: t.TempDir()}
	env := clitest.EnvIn(t, e.dir)
	e.now = env.Now()
	env.Now = func() time.Time { return e.now }
	all := map[string]string{
		"sacct":   "echo 'Slurm accounting storage is disabled' >&2; exit 1",
		"scancel": "", "rm": ": >" + filepath.Join(e.dir, "removed"),
	}
	maps.Copy(all, tools)
	for tool, text := range all {
		if err := testenv.WriteProgram(filepath.Join(e.dir, tool), "#!/bin/sh\n"+text+"\n"); err != nil {
			t.Fatal(err)
		}
	}
	settings := engine.Settings{Engine: "slurm"}
	if apart {
		settings.Values = map[string][]string{"shared": {"false"}}
	}
	row, err := engine.New(settings)
	if err != nil {
		t.Fatal(err)
	}
	store := filepath.Join(e.dir, "envwrap")
	if err := os.Mkdir(store, 0o700); err != nil {
		t.Fatal(err)
	}
	v, err := left(job.Options{Dir: store, Now: env.Now}, &job.Draft{Record: job.Record{
		Command: "exec/make", Tool: "make", Argv: []string{"make"}, Array: array, Far: &job.Far{Runner: "gpu", Engine: &job.EngineJob{Name: "envwrap-x", ID: "12"}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { v.Close() })
	rec, err := v.Store().Get(v.Record().ID)
	if err != nil {
		t.Fatal(err)
	}
	e.Job = &Job{Env: env, Inherit: env.Environ, Store: v.Store(), Record: rec, Row: &cli.RunnerRow{Name: "gpu", Engine: row}, Mask: env.Mask(), program: func(name string) string { return filepath.Join(e.dir, name) }}
	return e
}

// withRunner returns an environment with a configuration.
func withRunner(t *testing.T, config string) *cli.Env {
	t.Helper()
	env := clitest.EnvIn(t, t.TempDir())
	env.Table = cli.Table{Root: func(*cli.Env) *cli.Verb { return new(cli.Verb) }}
	path := env.UserConfig()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(config), 0o600)); err != nil {
		t.Fatal(err)
	}
	return env
}

// A job that waits for long says why, in each word of the engine once, and why it was given up.
func TestEngineSaysWhyItWaits(t *testing.T) {
	t.Parallel()
	e := newSlurmJob(t, map[string]string{"squeue": `exec cat "${0%/*}/says"`}, false)
	says := func(word string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(e.dir, "says"), []byte("12|"+word+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if over, err := e.step(t.Context(), true); over || err != nil {
			t.Fatal(over, err)
		}
		e.sayWaits()
	}
	says("PENDING (Priority)")
	e.now = e.now.Add(silentMost)
	for _, word := range []string{"PENDING (Priority)", "PENDING (Resources)", "PENDING (Priority)", "RUNNING", "PENDING (Resources)"} {
		says(word)
	}
	text := clitest.Contents(t, e.Stderr.Name())
	if got := strings.Count(text, "\n"); got != 2 || !strings.Contains(text, `waits: runner "gpu" says PENDING (Resources)`) {
		t.Errorf("%d lines: %s", got, text)
	}
	e.change(func(held *job.EngineJob) { held.Until = e.now.Add(-1) })
	if over, err := e.step(t.Context(), true); !over || err != nil || !strings.Contains(e.Record.Outcome.Message, "within --queue-timeout, and the runner says PENDING (Resources)") {
		t.Errorf("%t, %v, %+v", over, err, e.Record.Outcome)
	}
}

// What becomes of a job that left no envelope, by what Slurm says of it: it is settled once
// files had time to come, and never while Slurm holds it or cannot be asked.
func TestEngineSettles(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		says    string // of squeue; "" is that there is no such job
		started bool
		over    bool
		status  int
		code    envelope.Code
		message string
		retry   bool
		cat     string // what reads the log of a job without shared files; "" with them
	}{
		"waits":            {"PENDING", false, false, 0, "", "", false, ""},
		"runs":             {"RUNNING", true, false, 0, "", "", false, ""},
		"unreachable":      {"down", true, false, 0, "", "", false, ""},
		"a later word":     {"POWER_UP_NODE", true, false, 0, "", "", false, ""},
		"time limit":       {"TIMEOUT", true, true, 124, envelope.ETIMEOUT, "slurm says TIMEOUT of its job 12", false, ""},
		"memory":           {"OUT_OF_MEMORY", true, true, 125, envelope.ERUNTIME, "OUT_OF_MEMORY", false, ""},
		"lost node":        {"NODE_FAIL", true, true, 125, envelope.ERUNTIME, "was started, and left no envelope", false, ""},
		"preempted":        {"PREEMPTED", true, true, 125, envelope.ERUNTIME, "PREEMPTED", true, ""},
		"ended by a user":  {"CANCELLED by 1000", true, true, 143, envelope.ECANCELED, "CANCELLED by 1000", false, ""},
		"forgotten":        {"", true, true, 125, envelope.ERUNTIME, "slurm has no such job any more", false, ""},
		"cannot be had":    {"FAILED (BadConstraints)", false, true, 125, envelope.ERUNTIME, "slurm says FAILED (BadConstraints)", false, ""},
		"never started":    {"FAILED", false, true, 125, envelope.ERUNTIME, "the command did not run", true, ""},
		"gone, not begun":  {"", false, true, 125, envelope.ERUNTIME, "the command did not run", true, ""},
		"dropped, waiting": {"CANCELLED", false, true, 143, envelope.ECANCELED, "the command did not run", false, ""},
		"log says nothing": {"FAILED", false, true, 125, envelope.ERUNTIME, "the command did not run", true, "echo slurmstepd: no such directory"},
		"log is unread":    {"FAILED", false, true, 125, envelope.ERUNTIME, "whether the command ran is not known: slurm says FAILED of its job 12, and what it printed cannot be read: bad disk", false, "echo bad disk >&2; exit 1"},
		"log has no start": {"FAILED", false, true, 125, envelope.ERUNTIME, "lacks the line of its start", false, "printf 'x\\n\\nenvwrap-ended envwrap-x 0\\n'"},
		"done, no start":   {"COMPLETED", false, true, 125, envelope.ERUNTIME, "lacks the line of its start", false, "echo x"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tools := map[string]string{"squeue": "echo '12|" + c.says + "'", "cat": c.cat}
			if c.says == "" {
				tools["squeue"] = "echo 'slurm_load_jobs error: Invalid job id specified' >&2; exit 1"
			}
			if c.says == "down" {
				tools["squeue"] = "echo 'slurm_load_jobs error: Unable to contact slurm controller' >&2; exit 1"
			}
			e := newSlurmJob(t, tools, c.cat != "")
			s, rec, now := e.Store, e.Record, &e.now
			if c.started {
				if err := os.Mkdir(filepath.Join(s.Path(rec.ID), "started.0"), 0o700); err != nil {
					t.Fatal(err)
				}
			}
			// An end that cannot be recorded is an error, and is found again.
			block := filepath.Join(s.Path(rec.ID), "record.json.new")
			step := func() (bool, error) {
				if e.Record.State.Over() {
					return true, nil
				}
				if err := os.MkdirAll(filepath.Join(block, "x"), 0o700); err != nil {
					return false, err
				}
				over, err := e.step(t.Context(), true)
				if _, ok := errors.AsType[*Unrecorded](err); over || err != nil && !ok {
					return over, fmt.Errorf("it is over, and cannot be recorded: %w", err)
				}
				if blocked := os.RemoveAll(block); err == nil || blocked != nil {
					return false, blocked
				}
				return e.step(t.Context(), true)
			}
			if over, err := step(); err != nil || over && c.started {
				t.Fatalf("at once: %t, %v", over, err)
			}
			*now = now.Add(unknownMost)
			var over bool
			var err error
			for range 2 { // the second after files had time to come
				if over, err = step(); err != nil || over {
					break
				}
				*now = now.Add(grace)
			}
			if over != c.over || err != nil {
				t.Fatalf("later: %t, %v", over, err)
			}
			if !c.over {
				return
			}
			res, err := s.Result(rec.ID)
			if err != nil {
				t.Fatal(err)
			}
			o := &res.Outcome
			if res.ExitStatus != c.status || o.Code != c.code || !strings.Contains(o.Message, c.message) || o.Retryable != c.retry {
				t.Errorf("%d, %+v", res.ExitStatus, o)
			}
			hint := map[string]string{
				"time limit": "Ask for more time", "memory": "Ask for more memory", "lost node": "What it had printed is kept", "forgotten": "What it had printed is kept", "preempted": "The engine gave its place",
				"cannot be had": "Ask for what the runner has", "ended by a user": "", "dropped, waiting": "", "log is unread": "Whether it did its work", "log has no start": "Whether it did its work", "done, no start": "Whether it did its work",
			}
			if want, ok := hint[name]; !ok && o.Hint != "Submit it again." || !strings.HasPrefix(o.Hint, want) || ok && (want == "") != (o.Hint == "") {
				t.Errorf("hint: %s", o.Hint)
			}
			if _, err := os.Stat(filepath.Join(e.dir, "removed")); (err == nil) != (c.cat != "" && c.retry) {
				t.Errorf("the log: %v", err)
			}
			if refused, err := s.RefuseStart(rec.ID); err != nil || refused == c.started {
				t.Errorf("a later start is refused: %t, %v", refused, err)
			}
		})
	}
}

// A command without envwrap whose script got a signal was canceled, whoever did so, unless
// the engine knows another reason.
func TestScriptWasStopped(t *testing.T) {
	t.Parallel()
	for says, want := range map[string]struct {
		code   envelope.Code
		status int
		text   string
	}{
		"COMPLETED":         {envelope.ECANCELED, 143, "make was canceled"},
		"CANCELLED by 1000": {envelope.ECANCELED, 143, "make was canceled"},
		"TIMEOUT":           {envelope.ETIMEOUT, 124, "slurm says TIMEOUT"},
		"NODE_FAIL":         {envelope.ERUNTIME, 125, "slurm says NODE_FAIL"},
		"PREEMPTED":         {envelope.ERUNTIME, 125, "slurm says PREEMPTED"},
	} {
		e := newSlurmJob(t, map[string]string{
			"squeue": "echo '12|" + says + "'", "cat": `printf 'envwrap-started envwrap-x 1700000000\nout\n\nenvwrap-ended envwrap-x 143 stopped\n'`,
		}, true)
		if over, err := e.step(t.Context(), true); !over || err != nil {
			t.Fatal(says, over, err)
		}
		res, err := e.Store.Result(e.Record.ID)
		if err != nil {
			t.Fatal(err)
		}
		if o := &res.Outcome; o.Code != want.code || res.ExitStatus != want.status || !strings.Contains(o.Message, want.text) || res.Stdout.Bytes != 4 {
			t.Errorf("%s: %d, %+v, %+v", says, res.ExitStatus, o, res.Stdout)
		}
	}
}

// The output of a command without envwrap may be of any length, and its status counts also if
// nothing of that is left.
func TestBareOutput(t *testing.T) {
	t.Parallel()
	const size = 65 << 20 // more than a file of the store may have that is read whole
	e := newSlurmJob(t, nil, false)
	e.Record.Limits.MaxArtifact = 1 << 20
	raw := filepath.Join(e.Store.Path(e.Record.ID), engine.RawOut)
	if err := errors.Join(e.Store.PutShared(e.Record.ID, engine.RawOut, []byte("password=hunter2hunter2\n")), os.Truncate(raw, size), e.Store.PutShared(e.Record.ID, engine.ExitFile, []byte("3\n"))); err != nil {
		t.Fatal(err)
	}
	if over, err := e.step(t.Context(), false); !over || err != nil {
		t.Fatal(over, err)
	}
	res, err := e.Store.Result(e.Record.ID)
	if err != nil {
		t.Fatal(err)
	}
	warnings := strings.Join(res.Warnings, "\n")
	if res.ExitStatus != 3 || res.Stdout.Bytes <= 64<<20 || res.Stdout.Artifact == "" || !res.Stdout.Truncated || res.Redactions.ByRule["assignment"] != 1 ||
		!strings.Contains(warnings, "kept the first 1048576 of ") || !strings.Contains(warnings, "what the command has printed is lost: read the raw.stderr") {
		t.Errorf("%d, %d bytes in %q, %t, %+v, %s", res.ExitStatus, res.Stdout.Bytes, res.Stdout.Artifact, res.Stdout.Truncated, res.Redactions, warnings)
	}
}

// What a command without envwrap had printed whose script was killed is kept, masked, and how it
// ended stays unknown.
func TestBareOutputOfTheDead(t *testing.T) {
	t.Parallel()
	e := newSlurmJob(t, map[string]string{"squeue": "echo '12|NODE_FAIL'"}, false)
	dir := e.Store.Path(e.Record.ID)
	if err := errors.Join(os.Mkdir(filepath.Join(dir, "started.0"), 0o700), e.Store.PutShared(e.Record.ID, engine.Stdout, nil),
		e.Store.PutShared(e.Record.ID, engine.RawOut, []byte("password=hunter2hunter2\nhalf")), e.Store.PutShared(e.Record.ID, engine.RawErr, []byte("warned\n")), e.Store.PutShared(e.Record.ID, engine.Log, []byte("first\nslurmstepd: the node is down\n"))); err != nil {
		t.Fatal(err)
	}
	if over, err := e.step(t.Context(), true); over || err != nil {
		t.Fatal(over, err)
	}
	e.now = e.now.Add(unknownMost) // files had time to come
	if over, err := e.step(t.Context(), true); !over || err != nil {
		t.Fatal(over, err)
	}
	res, err := e.Store.Result(e.Record.ID)
	if err != nil {
		t.Fatal(err)
	}
	o := &res.Outcome
	if string(res.Stdout.Head) != "password=***\nhalf" || res.Stdout.Artifact == "" || !res.Stdout.Truncated || res.Redactions.Total != 1 || res.Stderr.Bytes != 7 || res.ExitStatus != cli.StatusFailed || res.Exec != nil || !strings.HasSuffix(o.Message, "left no envelope: slurm says NODE_FAIL of its job 12 (slurmstepd: the node is down)") {
		t.Errorf("%+v, %+v, %+v, %d", res.Stdout, res.Stderr, o, res.ExitStatus)
	}
}

// What cannot be read of such an output is said, and the end is recorded without it.
func TestBareOutputOfTheDeadIsLost(t *testing.T) {
	t.Parallel()
	e := newSlurmJob(t, nil, false)
	dir := e.Store.Path(e.Record.ID)
	if err := errors.Join(e.Store.PutShared(e.Record.ID, engine.RawOut, []byte("half")), os.Mkdir(filepath.Join(dir, engine.RawErr), 0o700)); err != nil {
		t.Fatal(err)
	}
	res := e.printedResult(envelope.Outcome{Kind: envelope.Failure, Code: envelope.ERUNTIME})
	if said := strings.Join(res.Warnings, "\n"); !strings.Contains(said, "read the output of job") || res.Stdout.Bytes != 0 || res.ExitStatus != cli.StatusFailed {
		t.Errorf("%s, %+v, %d", said, res.Stdout, res.ExitStatus)
	}
}

// While it is waited for, an engine is asked less and less, but one that shares no files at least
// every two seconds.
func TestEngineIsAskedLess(t *testing.T) {
	t.Parallel()
	for apart, want := range map[bool]int{false: 3, true: 5} {
		e := newSlurmJob(t, map[string]string{"squeue": `echo >>"${0%/*}/asked"; echo '12|RUNNING'`, "cat": ""}, apart)
		ctx, cancel := context.WithCancel(t.Context())
		calls := 0
		e.Env.Now = func() time.Time { // two calls of a look that asks, else one
			if calls++; calls == 12 || !apart && calls == 9 {
				cancel()
			}
			e.now = e.now.Add(apartAskMost)
			return e.now
		}
		if err := e.await(ctx); err != nil || e.Record.State.Over() {
			t.Errorf("%v, %s", err, e.Record.State)
		}
		if asks := len(clitest.Contents(t, filepath.Join(e.dir, "asked"))); asks != want {
			t.Errorf("apart %t: it was asked %d times, want %d", apart, asks, want)
		}
	}
}
