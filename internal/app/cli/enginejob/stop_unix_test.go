//go:build unix

package enginejob

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli/clitest"
	"github.com/envwrap/envwrap/internal/app/cli/farend"
	"github.com/envwrap/envwrap/internal/app/engine"
	"github.com/envwrap/envwrap/internal/test/testenv"
	"github.com/envwrap/envwrap/job"
)

// A command that was stopped, and that nobody here has canceled, was ended by the engine
// for a reason that it knows.
func TestEngineExplainsStop(t *testing.T) {
	t.Parallel()
	const disrupted = `{"items":[{"kind":"Job","status":{"conditions":[JOB]}},{"kind":"Pod","metadata":{"name":"p"},"status":{"phase":"Failed","conditions":[POD],"containerStatuses":[{"state":{"terminated":{"exitCode":143,"reason":"REASON","startedAt":"2026-11-27T04:53:45Z"}}}]}}]}`
	says := func(job, pod, reason string) string {
		return strings.NewReplacer("JOB", job, "POD", pod, "REASON", reason).Replace(disrupted)
	}
	const failed, evicted = `{"type":"Failed","status":"True","reason":"BackoffLimitExceeded"}`, `{"type":"DisruptionTarget","status":"True","reason":"PreemptionByScheduler"}`
	for name, c := range map[string]struct {
		pods   string
		starts int
		known  bool
		code   envelope.Code
		status int
		retry  bool
		text   string
	}{
		"preempted":         {says(failed, evicted, "Error"), 1, true, envelope.ERUNTIME, 125, true, "PreemptionByScheduler"},
		"starts again":      {says("", evicted, "Error"), 2, false, envelope.ECANCELED, 143, false, ""},
		"does not again":    {says("", evicted, "Error"), 1, true, envelope.ERUNTIME, 125, true, "the engine ended the command"},
		"time limit":        {says(`{"type":"Failed","status":"True","reason":"DeadlineExceeded"}`, "", "Error"), 1, true, envelope.ETIMEOUT, 124, false, "DeadlineExceeded"},
		"memory":            {says(failed, "", "OOMKilled"), 1, true, envelope.ERUNTIME, 125, false, "OOMKilled"},
		"forgotten":         {`{"items":[]}`, 1, true, envelope.ECANCELED, 143, false, ""},
		"not yet over":      {podList("Running", podRuns), 1, false, envelope.ECANCELED, 143, false, ""},
		"cannot be reached": {`nothing`, 1, true, envelope.ECANCELED, 143, false, ""},
	} {
		p := newPodJob(t, nil)
		p.says(t, c.pods, "")
		p.Record.Far.Engine.Starts = c.starts
		res := &envelope.Result{Outcome: envelope.Outcome{Kind: envelope.Canceled, Code: envelope.ECANCELED}, ExitStatus: 143}
		known := p.explainStop(t.Context(), res)
		if o := &res.Outcome; known != c.known || o.Code != c.code || res.ExitStatus != c.status || o.Retryable != c.retry || !strings.Contains(o.Message, c.text) {
			t.Errorf("%s: %t, %d, %+v", name, known, res.ExitStatus, o)
		}
		if !known && p.explainStop(t.Context(), res) {
			t.Errorf("%s: it was known at once", name)
		}
		if err := p.Store.AskCancel(p.Record.ID); err != nil {
			t.Fatal(err)
		}
		canceled := &envelope.Result{Outcome: envelope.Outcome{Kind: envelope.Canceled, Code: envelope.ECANCELED}}
		if !p.explainStop(t.Context(), canceled) || canceled.Outcome.Code != envelope.ECANCELED {
			t.Errorf("%s: somebody here has canceled it: %+v", name, canceled.Outcome)
		}
		asked, err := os.ReadFile(filepath.Join(p.dir, "asked"))
		if again := c.retry; again != (err == nil && strings.HasPrefix(string(asked), "delete job")) {
			t.Errorf("%s: what would start nothing is taken away: %q", name, asked)
		}
	}
}

// A command of an engine that does not answer is killed with all that it started, and the
// error says so. An answer about the job has what was last known of it.
func TestEngineGivesNoAnswer(t *testing.T) {
	t.Parallel()
	e := newSlurmJob(t, map[string]string{
		"squeue":  "cd ${0%/*}; exec 3>held; (trap '' TERM; echo >begun; sleep 20; echo >survived) >/dev/null 2>&1 & trap '' TERM; wait; sleep 20",
		"scancel": "sleep 60",
	}, false)
	held := filepath.Join(e.dir, "held")
	if err := syscall.Mkfifo(held, 0o600); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_, _ = os.ReadFile(held) // its end is that of all that has it
	}()
	asked, late := context.WithCancelCause(t.Context())
	go func() {
		testenv.Await(t, filepath.Join(e.dir, "begun"))
		late(noAnswer(AnswerMost))
	}()
	_, err := e.status(asked)
	if _, ok := errors.AsType[noAnswer](err); !ok || err.Error() != "squeue: no answer within 10s" {
		t.Errorf("%v", err)
	}
	<-ended
	if _, err := os.Stat(filepath.Join(e.dir, "survived")); err == nil {
		t.Error("what it started went on")
	}
	e.unasked(err)
	if r := e.Record; r.State != job.Queued || r.Far.Engine.Unasked != "squeue: no answer within 10s" {
		t.Errorf("%s, %q", r.State, r.Far.Engine.Unasked)
	}
	if err := e.Store.MarkStarted(e.Record.ID, e.now); err != nil {
		t.Fatal(err)
	}
	_, _, err = e.cancel(asked)
	unknown, ok := errors.AsType[*farend.UnknownError](err)
	if !ok || unknown.Code != envelope.ERUNTIME || !unknown.Retryable || !strings.Contains(unknown.Message, "no answer within 10s: its command may go on") || !strings.Contains(unknown.Hint, "its job is 12") {
		t.Errorf("%+v", err)
	}
}

// A word that is no state is said on stderr while it is waited for. A job that its engine has
// queued again is queued.
func TestEngineSaysWords(t *testing.T) {
	t.Parallel()
	e := newSlurmJob(t, map[string]string{"squeue": "echo '12|POWER_UP_NODE'"}, false)
	stderr, err := os.Create(filepath.Join(e.dir, "stderr"))
	if err != nil {
		t.Fatal(err)
	}
	defer stderr.Close()
	e.Stderr = stderr
	ctx, cancel := context.WithCancel(t.Context())
	now := e.Env.Now
	asks := 0
	e.Env.Now = func() time.Time { // each look is due for a question
		if asks++; asks == 20 {
			cancel()
		}
		e.now = e.now.Add(askMost)
		return now()
	}
	if err := e.await(ctx); err != nil || e.Record.State.Over() {
		t.Errorf("%v, %s", err, e.Record.State)
	}
	text, err := os.ReadFile(stderr.Name())
	if n := strings.Count(string(text), `says "POWER_UP_NODE"`); n != 1 || err != nil {
		t.Errorf("it is said %d times: %s, %v", n, text, err)
	}
	e.Env.Now = now
	if err := e.Store.MarkStarted(e.Record.ID, e.now); err != nil {
		t.Fatal(err)
	}
	for says, want := range map[string]job.State{"PENDING (BeginTime)": job.Queued, "RUNNING": job.Running} {
		if err := testenv.WriteProgram(filepath.Join(e.dir, "squeue"), "#!/bin/sh\necho '12|"+says+"'\n"); err != nil {
			t.Fatal(err)
		}
		if over, err := e.step(t.Context(), true); over || err != nil || e.Record.State != want {
			t.Errorf("%s: %t, %v, %s", says, over, err, e.Record.State)
		}
	}
}

// An engine of a row's own commands that has no job any more which was canceled while it ran
// does not say that the command has ended: it may go on, and its end is found later.
func TestEngineDropsRunning(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		started bool
		status  string // prints what the engine says
		code    envelope.Code
		message string
	}{
		"waits":       {false, "", envelope.ECANCELED, "canceled before it was started"},
		"says it":     {true, "echo failed", envelope.ECANCELED, "make was canceled, and killed"},
		"ends later":  {true, "", "", ""},
		"is but done": {true, "echo success", envelope.ERUNTIME, "its command may go on, and left no envelope within 1h0m0s"},
		"leaves none": {true, "", envelope.ERUNTIME, "its command may go on, and left no envelope within 1h0m0s"},
	} {
		e := newSlurmJob(t, map[string]string{"status": c.status, "drop": ""}, false)
		words := []string{"{id}"}
		row, err := engine.New(engine.Settings{Engine: "command", Values: map[string][]string{
			"submit": {"submit", "{script}"}, "status": append([]string{"status"}, words...), "cancel": append([]string{"drop"}, words...),
		}})
		if err != nil {
			t.Fatal(err)
		}
		e.Row.Engine = row
		begun := e.now
		var mu sync.Mutex // stores are maintained meanwhile
		set := func(at time.Time) { mu.Lock(); e.now = at; mu.Unlock() }
		e.Env.Now = func() time.Time {
			mu.Lock()
			defer mu.Unlock()
			e.now = e.now.Add(StopMost / 4)
			return e.now
		}
		if c.started {
			if err := e.Store.MarkStarted(e.Record.ID, begun); err != nil {
				t.Fatal(err)
			}
		}
		now, _, err := e.cancel(t.Context())
		if ended := name == "waits" || name == "says it"; !ended {
			unknown, ok := errors.AsType[*farend.UnknownError](err)
			if !ok || !unknown.Retryable || !strings.Contains(unknown.Message, "does not say that it killed it: its command may go on") {
				t.Errorf("%s: %+v, %v", name, now, err)
			}
			set(begun.Add(unknownMost + grace))
			for range 3 {
				if err := e.look(t.Context()); err != nil || e.Record.State.Over() || !strings.Contains(e.Record.Far.Engine.Says, "may go on") {
					t.Errorf("%s: %+v, %v", name, e.Record, err)
				}
				set(e.Now().Add(grace))
			}
			if name == "ends later" {
				for _, file := range []string{engine.RawOut, engine.RawErr, engine.ExitFile} {
					if err := e.Store.PutShared(e.Record.ID, file, []byte("0\n")); err != nil {
						t.Fatal(err)
					}
				}
			}
			set(time.Now().Add(droppedMost)) // the file of the cancellation has the time of the system
			if err = e.look(t.Context()); err == nil {
				now = e.Record
			}
		}
		if err != nil || !now.State.Over() || now.Outcome.Code != c.code || !strings.Contains(now.Outcome.Message, c.message) {
			t.Errorf("%s: %+v, %v", name, now.Outcome, err)
		}
	}
}

// An engine that answers is not complained of; an end that cannot be read is an error.
func TestEngineAnswers(t *testing.T) {
	t.Parallel()
	e := newSlurmJob(t, map[string]string{"login": "echo '12|RUNNING'"}, false)
	env := withRunner(t, fmt.Sprintf("[runner.gpu]\nengine = \"slurm\"\ncommand = [%q]\n", filepath.Join(e.dir, "login")))
	now, lost, err := Ask(t.Context(), env, env.Environ, e.Store, e.Record, farend.AskState)
	if said := clitest.Contents(t, env.Stderr.Name()); err != nil || lost != nil || now.State.Over() || !strings.HasPrefix(now.Far.Engine.Says, "RUNNING") || said != "" {
		t.Errorf("%+v, %+v, %v, %q", now, lost, err, said)
	}
	plain := withRunner(t, "[runner.gpu]\ncommand = [\"ssh\", \"gpu\"]\n")
	if now, lost, err := Ask(t.Context(), plain, plain.Environ, e.Store, e.Record, farend.AskState); err != nil || lost == nil || now.State.Over() || !strings.Contains(lost.Outcome.Message, "it has no engine now") {
		t.Errorf("it has no engine: %+v, %+v, %v", now, lost, err)
	}
	if err := os.Mkdir(filepath.Join(e.Store.Path(e.Record.ID), engine.Envelope), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, q := range []farend.Question{farend.AskState, farend.AskEnd} {
		if now, lost, err := Ask(t.Context(), env, env.Environ, e.Store, e.Record, q); err == nil || lost != nil || now.State.Over() {
			t.Errorf("%+v, %+v, %v", now, lost, err)
		}
	}
}

// While it is waited for, an engine that cannot be asked is said on stderr once until it answers.
func TestEngineIsSilent(t *testing.T) {
	t.Parallel()
	e := newSlurmJob(t, map[string]string{"squeue": "echo no controller >&2; exit 1"}, false)
	ctx, cancel := context.WithCancel(t.Context())
	asks := 0
	e.Env.Now = func() time.Time { // each look is due for a question
		if asks++; asks == 9 {
			cancel()
		}
		e.now = e.now.Add(askMost)
		return e.now
	}
	if err := e.await(ctx); err != nil || e.Record.State.Over() {
		t.Errorf("%v, %s", err, e.Record.State)
	}
	if said := clitest.Contents(t, e.Stderr.Name()); strings.Count(said, "cannot be asked, and is asked again") != 1 {
		t.Errorf("%q", said)
	}
}

// A job that was canceled, and of which its engine says that it is over, is over, too, if it
// leaves nothing.
func TestEngineStopsLeaveNothing(t *testing.T) {
	t.Parallel()
	e := newSlurmJob(t, map[string]string{"squeue": "echo '12|CANCELLED by 1000'"}, false)
	if err := errors.Join(e.Store.MarkStarted(e.Record.ID, e.now), e.Store.AskCancel(e.Record.ID)); err != nil {
		t.Fatal(err)
	}
	e.Env.Now = func() time.Time { e.now = e.now.Add(StopMost); return e.now }
	if over, err := e.stops(t.Context()); !over || err != nil || e.Record.State != job.Canceled || e.Record.Outcome.ExitStatus != 143 {
		t.Errorf("%t, %v, %s, %+v", over, err, e.Record.State, e.Record.Outcome)
	}
}

// A command of an engine reads what it is given, and what it prints is masked. What it leaves
// running does not matter.
func TestEngineCommand(t *testing.T) {
	t.Parallel()
	e := newSlurmJob(t, map[string]string{"give": "cat; echo password=hunter2hunter2 >&2; exit 3", "leave": "sleep 1 & echo well"}, false)
	out, complaint, err := e.Call(t.Context(), []string{"give"}, "password=hunter2hunter2\n")
	if out != "password=***\n" || complaint != "password=***\n" || err == nil || err.Error() != "exit status 3" {
		t.Errorf("%q, %q, %v", out, complaint, err)
	}
	if out, complaint, err = e.Call(t.Context(), []string{"leave"}, ""); out != "well\n" || complaint != "" || err != nil {
		t.Errorf("%q, %q, %v", out, complaint, err)
	}
}
