//go:build unix

package farend

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/cli/clitest"
	"github.com/envwrap/envwrap/internal/shared/hints"
	"github.com/envwrap/envwrap/internal/test/testenv"
	"github.com/envwrap/envwrap/job"
)

// askedRunner returns an environment with a runner "far" that prints the files job-results,
// job-wait and job-cancel of the environment's directory as its answers, and notes its calls in
// the file calls. It fails if there is a file fails.
func askedRunner(t *testing.T) *cli.Env {
	t.Helper()
	env := clitest.EnvIn(t, t.TempDir())
	env.Table = cli.Table{Root: func(*cli.Env) *cli.Verb { return new(cli.Verb) }}
	now := env.Now()
	env.Now = func() time.Time { return now }
	config, script := env.Path(".config/envwrap/config.toml"), env.Path("far")
	if err := errors.Join(
		os.MkdirAll(filepath.Dir(config), 0o700),
		os.WriteFile(config, []byte("[runner.far]\ncommand = [\""+script+"\"]\n"), 0o600),
		testenv.WriteProgram(script, "#!/bin/sh\necho \"$2-$3\" >>\"${0%/*}/calls\"\n[ ! -e \"${0%/*}/fails\" ] || trap 'exit 3' 0\ncat \"${0%/*}/$2-$3\"\n"),
	); err != nil {
		t.Fatal(err)
	}
	return env
}

// A job at a far end ends here as it ended there, is canceled where it never came there, and
// runs on while it runs there. Only who waits for its end is asked to wait.
func TestAsk(t *testing.T) {
	t.Parallel()
	const id, mark, digest = "01ARZ3NDEKTSV4RRFFQ69G5FAV", "01ARZ3NDEKTSV4RRFFQ69G5FAA", "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
	info := func(change func(*envelope.Result)) string {
		return document(t, func(r *envelope.Result) {
			r.Command, r.Jobs, r.JobID = "jobs/info", &envelope.Jobs{Kind: envelope.JobsInfo}, id
			change(r)
		})
	}
	runs := info(func(r *envelope.Result) {
		r.Jobs.List = []envelope.Job{{ID: id, State: envelope.JobRunning, Command: "exec/make", Submitted: clitest.Now()}}
	})
	refused := info(func(r *envelope.Result) {
		r.Outcome = envelope.Outcome{Kind: envelope.Failure, Code: envelope.EPOLICY, Message: "no", ClassifiedBy: envelope.ByEnvwrap}
	})
	over := document(t, func(r *envelope.Result) { r.JobID = id })
	stored := document(t, func(r *envelope.Result) {
		r.JobID, r.Stdout = id, envelope.Stream{Bytes: 1 << 20, Lines: 1, Truncated: true, Artifact: digest}
	})
	for name, c := range map[string]struct {
		question Question
		answers  map[string]string // by the call
		state    job.State
		message  string // of the record
		warnings string // of the result
	}{
		"over":              {AskState, map[string]string{"results": over}, job.OK, "", "this is what job " + id + " on runner \"far\" has left"},
		"its output is not": {AskState, map[string]string{"results": stored}, job.OK, "", "its stored output is on runner \"far\" only"},
		"runs":              {AskState, map[string]string{"results": runs, "wait": over}, job.Running, "", ""},
		"ends":              {AskEnd, map[string]string{"results": runs, "wait": over}, job.OK, "", "has left"},
		"refused":           {AskState, map[string]string{"results": refused}, job.Failed, `runner "far": no envelope came back (it is Sunday); the command did not run: `, ""},
		"never came":        {AskCancel, map[string]string{"cancel": refused}, job.Canceled, "the command did not run: ", ""},
		"is canceled":       {AskCancel, map[string]string{"cancel": runs, "wait": over}, job.OK, "", "has left"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			env := askedRunner(t)
			for call, text := range c.answers {
				if err := os.WriteFile(env.Path("job-"+call), []byte(text+"\n"), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			v := handedOver(t, env, job.Far{Runner: "far", ID: id, Mark: mark})
			rec := v.Record()
			now, lost, err := Ask(t.Context(), env, env.Environ, v.Store(), rec, c.question)
			if err != nil || lost != nil || now.State != c.state {
				t.Fatalf("%+v, %+v, %v", now, lost, err)
			}
			if calls, err := os.ReadFile(env.Path("calls")); err != nil || strings.Count(string(calls), "job-results") > 1 {
				t.Errorf("an answer that is known is asked for again: %q, %v", calls, err)
			}
			if !now.State.Over() {
				return
			}
			res, err := v.Store().Result(rec.ID)
			if err != nil || !strings.Contains(now.Outcome.Message, c.message) || !strings.Contains(strings.Join(res.Warnings, "\n"), c.warnings) {
				t.Errorf("%+v, %q, %v", now.Outcome, res.Warnings, err)
			}
			if c.state == job.Canceled && (res.Outcome.Code != envelope.ECANCELED || res.Outcome.Retryable || res.Outcome.Hint != "") {
				t.Errorf("%+v", res.Outcome)
			}
		})
	}
}

// handedOver returns a job that is at a far end, and whose envwrap here is gone.
func handedOver(t *testing.T, env *cli.Env, far job.Far) *job.Supervisor {
	t.Helper()
	syscall.ForkLock.RLock() // a process that starts meanwhile would have the job's lock, too
	defer syscall.ForkLock.RUnlock()
	store := env.Path("store")
	if err := os.Mkdir(store, 0o700); err != nil {
		t.Fatal(err)
	}
	v, err := job.Begin(job.Options{Dir: store, Now: env.Now}, &job.Draft{Record: job.Record{
		Command: "exec/make", Tool: "make", Argv: []string{"make"}, TraceID: "0af7651916cd43dd8448eb211c80319c", View: job.View{InlineLimit: 1 << 15}, Far: &far,
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { v.Close() })
	v.Leave("it is Sunday")
	return v
}

// The far end says what a job has printed, and whatever else it says is an error.
func TestTail(t *testing.T) {
	t.Parallel()
	const id = "01ARZ3NDEKTSV4RRFFQ69G5FAV"
	said := document(t, func(r *envelope.Result) {
		r.Command, r.JobID = "jobs/tail", id
		r.Jobs = &envelope.Jobs{
			Kind: envelope.JobsTail, Stdout: &envelope.Stream{Text: "out\n", Bytes: 4, Lines: 1}, Stderr: &envelope.Stream{Text: "err\n", Bytes: 4, Lines: 1},
			List: []envelope.Job{{ID: id, State: envelope.JobRunning, Command: "exec/make", Submitted: clitest.Now()}},
		}
	})
	for answer, want := range map[string]string{
		"Welcome\n" + said: "out\nerr\n",
		strings.ReplaceAll(said, id, "01ARZ3NDEKTSV4RRFFQ69G5FAW"): "",
		"out": "",
	} {
		env := askedRunner(t)
		if err := os.WriteFile(env.Path("job-tail"), []byte(answer+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		rec := handedOver(t, env, job.Far{Runner: "far", ID: id}).Record()
		stdout, stderr, err := Tail(t.Context(), env, env.Environ, rec, 5)
		if got := string(stdout) + string(stderr); got != want || (err == nil) != (want != "") {
			t.Errorf("%s: %q, %v", answer, got, err)
		}
		rec.Far.Runner = "nosuch"
		if _, _, err := Tail(t.Context(), env, env.Environ, rec, 5); err == nil {
			t.Error("a runner that is in no configuration is asked")
		}
	}
}

// A job whose runner is in no configuration is not asked for, and stays as it is.
func TestAskNoRunner(t *testing.T) {
	t.Parallel()
	env := askedRunner(t)
	v := handedOver(t, env, job.Far{Runner: "gone", ID: "01ARZ3NDEKTSV4RRFFQ69G5FAV"})
	rec := v.Record()
	now, lost, err := Ask(t.Context(), env, env.Environ, v.Store(), rec, AskEnd)
	if err != nil || now.State.Over() || lost == nil || !strings.HasSuffix(lost.Outcome.Hint, "There are: far. Ask again then: its job there is 01ARZ3NDEKTSV4RRFFQ69G5FAV.") {
		t.Errorf("%+v, %+v, %v", now, lost, err)
	}
}

// Who no longer waits for a job at a far end leaves it running there.
func TestFollowEnds(t *testing.T) {
	t.Parallel()
	env := askedRunner(t)
	row, err := env.Runner("far")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if a := New(env, env.Environ, row, job.Far{ID: "01ARZ3NDEKTSV4RRFFQ69G5FAV"}).Follow(ctx); a.State != Running {
		t.Errorf("%+v", a)
	}
}

// A store has a name in the commands that ask again unless jobs are looked for there by default.
func TestStoreOf(t *testing.T) {
	t.Parallel()
	env := askedRunner(t)
	named := handedOver(t, env, job.Far{Runner: "far", ID: "J"}).Store()
	if got := StoreOf(env, named); got != named.Dir() || JobCommand(env, got) != "envwrap --store "+hints.Quote(named.Dir())+" job" {
		t.Errorf("%q: %q", named.Dir(), got)
	}
	home := env.StoreDirs("")[0]
	if err := os.MkdirAll(filepath.Dir(home), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(named.Dir(), home); err != nil {
		t.Fatal(err)
	}
	usual, err := job.Open(job.Options{Dir: home, Now: env.Now})
	if err != nil {
		t.Fatal(err)
	}
	defer usual.Close()
	if got := StoreOf(env, usual); got != "" || JobCommand(env, got) != "envwrap job" {
		t.Errorf("%q: %q", home, got)
	}
}
