//go:build unix

package enginejob

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/cli/clitest"
	"github.com/envwrap/envwrap/internal/app/cli/farend"
	"github.com/envwrap/envwrap/internal/app/engine"
	"github.com/envwrap/envwrap/internal/test/testenv"
	"github.com/envwrap/envwrap/job"
)

// replaceFile makes path a file with text.
func replaceFile(t *testing.T, path, text string) {
	t.Helper()
	if err := errors.Join(os.RemoveAll(path), testenv.WriteProgram(path, text)); err != nil {
		t.Fatal(err)
	}
}

// An end that cannot be read or written is an error, and is recorded once it can.
func TestEngineEndCannotBeKept(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		blocked string // in the job's directory: is a directory; "" moves all of that
		log     string
		follow  bool
	}{
		"no directory":    {"", "out\n", false},
		"stdout":          {engine.Stdout + ".new", podEnvelope, false},
		"stderr":          {engine.Stderr + ".new", podEnvelope, false},
		"envelope":        {engine.Envelope + ".new", podEnvelope, false},
		"envelope, old":   {engine.Envelope, podEnvelope, false},
		"raw stdout":      {engine.RawOut + ".new", "out\n", false},
		"raw stderr":      {engine.RawErr + ".new", "out\n", false},
		"status":          {engine.ExitFile + ".new", "out\n", false},
		"status, old":     {engine.ExitFile, "out\n", false},
		"record":          {"record.json.new", podEnvelope, false},
		"record, bare":    {"record.json.new", "out\n", false},
		"what is shown":   {engine.Stdout, "out\n", true},
		"a status of old": {"status of old", "out\n", false},
	} {
		p := newPodJob(t, nil)
		p.follow = c.follow
		p.says(t, podList("Failed", podEnded), c.log)
		dir := p.Store.Path(p.Record.ID)
		path := filepath.Join(dir, c.blocked)
		var err error
		switch c.blocked {
		case "":
			err = os.Rename(dir, dir+".moved")
		case "status of old":
			path = filepath.Join(dir, engine.ExitFile)
			err = os.WriteFile(path, []byte("x\n"), 0o600)
		default:
			err = os.MkdirAll(filepath.Join(path, "x"), 0o700)
		}
		if err != nil {
			t.Fatal(err)
		}
		if over, err := p.step(t.Context(), true); over || err == nil || p.Record.State.Over() {
			t.Errorf("%s: %t, %v, %s", name, over, err, p.Record.State)
		}
		if c.blocked == "" {
			err = errors.Join(os.RemoveAll(dir), os.Rename(dir+".moved", dir))
		} else {
			err = os.RemoveAll(path)
		}
		if err != nil {
			t.Fatal(err)
		}
		if over, err := p.step(t.Context(), true); !over || err != nil || p.Record.Outcome.ExitStatus != 7 {
			t.Errorf("%s, later: %t, %v, %+v", name, over, err, p.Record.Outcome)
		}
	}
}

// Of a log that was cut the message tells no false count.
func TestEngineLogIsCut(t *testing.T) {
	t.Parallel()
	p := newPodJob(t, nil)
	p.Record.Limits.MaxCapture = 3
	p.noteCut(true)
	p.says(t, podList("Failed", podEnded), "out and more\n")
	if over, err := p.step(t.Context(), true); !over || err != nil {
		t.Fatal(over, err)
	}
	res, err := p.Store.Result(p.Record.ID)
	if err != nil || !strings.Contains(res.Outcome.Message, " printed at least 13 bytes on stdout, over the capture limit of 3") {
		t.Errorf("%+v, %v", res, err)
	}
}

// A log that cannot be read is asked for again, and is lost only after a while.
func TestEngineLogIsLost(t *testing.T) {
	t.Parallel()
	p := newPodJob(t, nil)
	now := p.Env.Now()
	p.Env.Now = func() time.Time { return now }
	p.says(t, podList("Failed", podEnded), "")
	if err := os.Remove(filepath.Join(p.dir, "log")); err != nil {
		t.Fatal(err)
	}
	for _, after := range []time.Duration{0, grace - 1} {
		now = now.Add(after)
		if over, err := p.step(t.Context(), true); over || err != nil {
			t.Fatal(over, err)
		}
	}
	now = now.Add(1)
	if over, err := p.step(t.Context(), true); !over || err != nil || p.Record.Outcome.ExitStatus != 7 {
		t.Fatal(over, err)
	}
	res, err := p.Store.Result(p.Record.ID)
	if err != nil || !slices.ContainsFunc(res.Warnings, func(w string) bool { return strings.Contains(w, "what the command has printed is lost: cat") }) {
		t.Errorf("%+v, %v", res, err)
	}
}

// The same holds for a member, whose envelope counts only if the pod has ended with its status.
func TestMemberLogIsLost(t *testing.T) {
	t.Parallel()
	p := newPodJob(t, &job.Array{First: 1, Members: 2, Parallel: 2})
	now := p.Env.Now()
	p.Env.Now = func() time.Time { return now }
	pod := &engine.Pod{Name: "p", Exited: true, Exit: 7}
	done, cancel := context.WithCancel(t.Context())
	cancel()
	if doc, err := p.memberDoc(done, 1, pod); doc != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("after the end of its caller: %s, %v", doc, err)
	}
	for _, after := range []time.Duration{0, grace - 1} {
		now = now.Add(after)
		if doc, err := p.memberDoc(t.Context(), 1, pod); doc != nil || !errors.Is(err, errAskAgain) {
			t.Fatalf("%s, %v", doc, err)
		}
	}
	if doc, err := p.memberDoc(t.Context(), 2, pod); doc != nil || !errors.Is(err, errAskAgain) {
		t.Errorf("each has its own time: %s, %v", doc, err)
	}
	now = now.Add(1)
	if doc, err := p.memberDoc(t.Context(), 1, pod); err != nil || !strings.Contains(string(doc), "what the command has printed is lost: cat") || !strings.Contains(string(doc), `"exit_code":7`) {
		t.Errorf("%s, %v", doc, err)
	}
	p.says(t, "", "out\n"+podEnvelope)
	if doc, err := p.memberDoc(t.Context(), 1, pod); err != nil || string(doc) != podEnvelope {
		t.Errorf("%s, %v", doc, err)
	}
	pod.Exit = 3
	if doc, err := p.memberDoc(t.Context(), 1, pod); err != nil || !strings.Contains(string(doc), NoEnvwrapThere) || !strings.Contains(string(doc), `"exit_code":3`) || strings.Contains(string(doc), "is lost") {
		t.Errorf("%s, %v", doc, err)
	}
}

// A job that waited for too long is given up only if its engine has let go of it.
func TestEngineLetsGo(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		pods    string
		kept    bool // it cannot be taken away
		over    bool
		fails   bool
		deleted int // how often it is taken away, also once it is recorded
	}{
		"waits":             {podList("Pending", ""), false, true, false, 3},
		"is gone":           {`{"items":[]}`, false, true, false, 2},
		"cannot be asked":   {"", false, false, true, 0},
		"cannot be removed": {podList("Pending", ""), true, false, true, 0},
		"is about to start": {podList("Running", `"running":{}`), false, false, false, 1},
		"has started":       {podList("Running", podRuns), false, false, false, 0},
		"has ended":         {podList("Failed", podEnded), false, true, false, 1},
	} {
		p := newPodJob(t, nil)
		now := time.Date(2026, 11, 27, 6, 0, 0, 0, time.UTC)
		p.Env.Now = func() time.Time { return now }
		p.change(func(held *job.EngineJob) { held.Until = now.Add(-time.Minute) })
		p.says(t, c.pods, "out\n")
		if c.pods == "" {
			replaceFile(t, filepath.Join(p.dir, "kubectl"), "#!/bin/sh\nexit 1\n")
		}
		asked := filepath.Join(p.dir, "asked")
		if c.kept {
			if err := os.Mkdir(asked, 0o700); err != nil {
				t.Fatal(err)
			}
		}
		over, err := p.step(t.Context(), false)
		if over != c.over || (err != nil) != c.fails || p.Record.State.Over() != c.over {
			t.Errorf("%s: %t, %v, %s", name, over, err, p.Record.State)
		}
		if text, _ := os.ReadFile(asked); strings.Count(string(text), "delete job ") != c.deleted {
			t.Errorf("%s: %s", name, text)
		}
		if name == "has ended" && p.Record.Outcome.ExitStatus != 7 || name == "waits" && p.Record.Outcome.Code != envelope.ETIMEOUT {
			t.Errorf("%s: %+v", name, p.Record.Outcome)
		}
	}
}

// A job whose submit has not said its id is found by its name.
func TestEngineFindsJob(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		squeue   string
		moved    bool // the job's directory
		state    engine.State
		id       string
		fails    bool
		canceled bool // when the job is dropped
	}{
		"found":           {"case $* in *--name*) echo 34 ;; *) echo '34|PENDING (Priority)' ;; esac", false, engine.Queued, "34", false, true},
		"unknown":         {"", false, engine.Absent, "", false, false},
		"cannot be asked": {"echo no controller >&2; exit 1", false, engine.Absent, "", true, false},
		"not recorded":    {"echo 34", true, engine.Unknown, "34", true, false},
	} {
		for _, drop := range []bool{false, true} {
			e := newSlurmJob(t, map[string]string{"squeue": c.squeue, "scancel": `echo "$*" >"${0%/*}/canceled"`}, false)
			e.change(func(held *job.EngineJob) { held.ID = "" })
			if dir := e.Store.Path(e.Record.ID); c.moved {
				if err := os.Rename(dir, dir+".moved"); err != nil {
					t.Fatal(err)
				}
			}
			var st engine.Status
			var err error
			if drop {
				err = e.drop(t.Context())
			} else if st, err = e.status(t.Context()); st.State != c.state && !c.fails {
				t.Errorf("%s: %v", name, st.State)
			}
			if (err != nil) != c.fails || e.Record.Far.Engine.ID != c.id {
				t.Errorf("%s: %v, %q", name, err, e.Record.Far.Engine.ID)
			}
			if text, _ := os.ReadFile(filepath.Join(e.dir, "canceled")); drop && (string(text) == "34\n") != c.canceled {
				t.Errorf("%s: scancel %s", name, text)
			}
			if kept, err := e.Store.Get(e.Record.ID); !c.moved && (err != nil || c.id != "" && kept.Far.Engine.ID != c.id) {
				t.Errorf("%s: %+v, %v", name, kept, err)
			}
		}
	}
}

// A cancellation that fails says that the command may go on.
func TestEngineCancelFails(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		squeue, scancel string
		do              func(e *slurmJob) error
	}{
		"its end cannot be read": {"echo '12|RUNNING'", "", func(e *slurmJob) error {
			return os.Mkdir(filepath.Join(e.Store.Path(e.Record.ID), engine.Envelope), 0o700)
		}},
		"it cannot be noted":   {"echo '12|RUNNING'", "", func(e *slurmJob) error { return os.Rename(e.Store.Path(e.Record.ID), e.Store.Path("moved")) }},
		"it cannot be stopped": {"echo '12|RUNNING'", "exit 1", func(e *slurmJob) error { return e.Store.MarkStarted(e.Record.ID, e.now) }},
		"it cannot be found": {"exit 1", "", func(e *slurmJob) error {
			e.change(func(held *job.EngineJob) { held.ID = "" })
			return e.Store.MarkStarted(e.Record.ID, e.now)
		}},
	} {
		e := newSlurmJob(t, map[string]string{"squeue": c.squeue, "scancel": c.scancel}, false)
		e.Env.Now = func() time.Time { e.now = e.now.Add(StopMost); return e.now }
		if err := c.do(e); err != nil {
			t.Fatal(err)
		}
		now, _, err := e.cancel(t.Context())
		if unknown, ok := errors.AsType[*farend.UnknownError](err); !ok || now != nil || !strings.Contains(unknown.Message, "its command may go on") {
			t.Errorf("%s: %+v, %v", name, now, err)
		}
	}
}

// Of a job that was adopted, and that its engine has forgotten, the end is known elsewhere.
func TestEngineForgotAdopted(t *testing.T) {
	t.Parallel()
	for _, adopted := range []bool{true, false} {
		p := newPodJob(t, nil)
		p.change(func(held *job.EngineJob) { held.Adopted = adopted })
		p.says(t, `{"items":[]}`, "")
		over, err := p.step(t.Context(), true)
		if over != adopted || err != nil || over && !strings.Contains(p.Record.Outcome.Message, endedElsewhere) {
			t.Errorf("%t: %t, %v, %+v", adopted, over, err, p.Record.Outcome)
		}
	}
}

// An engine that cannot be asked is said on stderr, unless its caller has no time left.
func TestEngineCannotBeAsked(t *testing.T) {
	t.Parallel()
	for _, late := range []bool{false, true} {
		env := withRunner(t, "[runner.gpu]\nengine = \"slurm\"\n")
		e := newSlurmJob(t, nil, false)
		ctx, cancel := context.WithCancel(t.Context())
		if late {
			cancel()
		}
		now, lost, err := Ask(ctx, env, env.Environ, e.Store, e.Record, farend.AskState)
		cancel()
		if err != nil || lost != nil || now.State.Over() {
			t.Errorf("%+v, %+v, %v", now, lost, err)
		}
		if said := clitest.Contents(t, env.Stderr.Name()); strings.Contains(said, `runner "gpu" cannot be asked: `) == late {
			t.Errorf("%t: %q", late, said)
		}
	}
}

// A start is refused only if that can be kept, and only until the command was started.
func TestEngineRefusesStart(t *testing.T) {
	t.Parallel()
	o := envelope.Outcome{Kind: envelope.Canceled, Code: envelope.ECANCELED}
	e := newSlurmJob(t, nil, false)
	if err := e.Store.MarkStarted(e.Record.ID, e.now); err != nil {
		t.Fatal(err)
	}
	if over, err := e.refuse(t.Context(), o); over || err != nil || e.Record.State.Over() {
		t.Errorf("it was started meanwhile: %t, %v", over, err)
	}
	dir := e.Store.Path(e.Record.ID)
	if err := os.Rename(dir, dir+".moved"); err != nil {
		t.Fatal(err)
	}
	if over, err := e.refuse(t.Context(), o); over || err == nil {
		t.Errorf("it cannot be kept: %t, %v", over, err)
	}
	over, _, err := e.Conclude(t.Context(), e.result(o))
	if by, ok := errors.AsType[*Unrecorded](err); over || !ok || by.End.Outcome.Code != envelope.ECANCELED {
		t.Errorf("nor can its end: %t, %v", over, err)
	}
	e = newSlurmJob(t, nil, false)
	e.Row = &cli.RunnerRow{Name: "gpu"}
	if over, err := e.refuse(t.Context(), o); !over || err != nil || e.Record.State != job.Canceled {
		t.Errorf("nobody holds its place: %t, %v", over, err)
	}
	p := newPodJob(t, nil)
	p.says(t, podList("Failed", podEnded), "out\n")
	dir = p.Store.Path(p.Record.ID)
	if err := os.Rename(dir, dir+".moved"); err != nil {
		t.Fatal(err)
	}
	if over, err := p.refuse(t.Context(), o); over || err == nil {
		t.Errorf("nor can that it was started: %t, %v", over, err)
	}
	if _, err := os.Stat(filepath.Join(p.dir, "asked")); err == nil {
		t.Error("it was taken away")
	}
}

// The files of a command that ran without envwrap say how it ended; of one that was stopped the
// engine knows why, once it is over.
func TestEngineFilesSayTheEnd(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		says   string
		status string
		limit  time.Duration
		over   bool
		fails  bool
		exit   int
		code   envelope.Code
	}{
		"well":              {"COMPLETED", "0", 0, true, false, 0, ""},
		"timed out":         {"FAILED", "143 timeout", time.Second, true, false, 124, envelope.ETIMEOUT},
		"fails with 124":    {"FAILED", "124", time.Second, true, false, 124, envelope.ERUNTIME},
		"no program":        {"FAILED", "127 missing", 0, true, false, 127, envelope.ENOTFOUND},
		"not executable":    {"FAILED", "126 denied", 0, true, false, 126, envelope.EIO},
		"a directory":       {"FAILED", "126 isdir", 0, true, false, 126, envelope.EIO},
		"no directory":      {"FAILED", "125 directory", 0, true, false, 125, envelope.EARG},
		"fails with 125":    {"FAILED", "125", 0, true, false, 125, envelope.ERUNTIME},
		"fails in time":     {"FAILED", "3", time.Second, true, false, 3, envelope.ERUNTIME},
		"stopped":           {"CANCELLED", "143 stopped", 0, true, false, 143, envelope.ECANCELED},
		"stopped, not over": {"RUNNING", "143 stopped", 0, false, false, 0, ""},
		"of a signal":       {"FAILED", "139", 0, true, false, 139, envelope.ERUNTIME},
		"above all signals": {"FAILED", "192", 0, true, false, 192, envelope.ERUNTIME},
		"below all signals": {"FAILED", "128", 0, true, false, 128, envelope.ERUNTIME},
		"of no file":        {"FAILED", "3", 0, false, true, 0, ""},
	} {
		e := newSlurmJob(t, map[string]string{"squeue": "echo '12|" + c.says + "'"}, false)
		e.Record.Limits.Timeout = c.limit
		dir := e.Store.Path(e.Record.ID)
		err := errors.Join(e.Store.PutShared(e.Record.ID, engine.RawErr, nil), e.Store.PutShared(e.Record.ID, engine.ExitFile, []byte(c.status+"\n")))
		if c.fails {
			err = errors.Join(err, os.Mkdir(filepath.Join(dir, engine.RawOut), 0o700))
		} else {
			err = errors.Join(err, e.Store.PutShared(e.Record.ID, engine.RawOut, []byte("out\n")))
		}
		if err != nil {
			t.Fatal(err)
		}
		over, err := e.step(t.Context(), false)
		if over != c.over || (err != nil) != c.fails || e.Record.State.Over() != c.over {
			t.Errorf("%s: %t, %v, %s", name, over, err, e.Record.State)
		}
		if !over {
			continue
		}
		if res, err := e.Store.Result(e.Record.ID); err != nil || res.ExitStatus != c.exit || res.Outcome.Code != c.code || res.Stdout.Bytes != 4 || (res.Outcome.Signal != "") != (c.status == "139" || c.exit != 0 && strings.HasPrefix(c.status, "143")) {
			t.Errorf("%s: %+v, %v", name, res, err)
		}
	}
}

// A log that is asked for in vain says nothing of the job.
func TestEngineLogIsNotRead(t *testing.T) {
	t.Parallel()
	e := newSlurmJob(t, map[string]string{"cat": "exit 1"}, true)
	late, cancel := context.WithCancel(t.Context())
	cancel()
	if over, err := e.bring(late, engine.Status{State: engine.Running}); over || !errors.Is(err, context.Canceled) {
		t.Errorf("its caller has no time left: %t, %v", over, err)
	}
	p := newPodJob(t, nil)
	p.follow = true
	p.says(t, podList("Running", podRuns), "out\n")
	if err := os.Mkdir(filepath.Join(p.Store.Path(p.Record.ID), engine.Stdout), 0o700); err != nil {
		t.Fatal(err)
	}
	if over, err := p.step(t.Context(), true); over || err == nil || p.copying != nil {
		t.Errorf("it cannot be shown: %t, %v", over, err)
	}
}
