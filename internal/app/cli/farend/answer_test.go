package farend

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli/clitest"
	"github.com/envwrap/envwrap/job"
)

// document is the envelope of a far run, changed.
func document(t *testing.T, change func(*envelope.Result)) string {
	t.Helper()
	r := &envelope.Result{
		Command: "exec/make", Tool: "make", Argv: []string{"make"}, Workspace: "/far",
		Started: clitest.Now(), Ended: clitest.Now(), Outcome: envelope.Outcome{Kind: envelope.Success, ExitCode: new(0)},
	}
	if change != nil {
		change(r)
	}
	doc, err := envelope.Encode(envelope.Dialects()[0], r, envelope.EncodeOptions{Layout: envelope.LayoutCompact})
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(doc))
}

// envwrap accepts a far end's output as the run's envelope only if it names the run's
// job or trace, with any text around it; an envwrap that runs nothing prints an envelope
// of its own that says so.
func TestFarStarted(t *testing.T) {
	const id, trace = "01ARZ3NDEKTSV4RRFFQ69G5FAV", "0123456789abcdef0123456789abcdef"
	doc := func(change func(*envelope.Result)) string {
		return document(t, func(r *envelope.Result) {
			r.JobID, r.TraceID = id, trace
			if change != nil {
				change(r)
			}
		})
	}
	refused := func(argv string, code envelope.Code, kind envelope.Kind, by envelope.Classifier) func(*envelope.Result) {
		return func(r *envelope.Result) {
			r.JobID, r.Argv = "", []string{argv}
			r.Outcome = envelope.Outcome{Kind: kind, Code: code, Message: "no", ClassifiedBy: by}
		}
	}
	run := doc(nil)
	for name, c := range map[string]struct{ text, want string }{
		"alone":               {run, "run"},
		"indented":            {strings.Replace(run, `{"version":1,`, "{\n  \"version\": 1,", 1), "run"},
		"after a greeting":    {"hello\n" + run + "\nbye\n", "run"},
		"after a broken one":  {`{"version":1,` + "\n" + run, "run"},
		"within a line":       {"hello " + run, "none"},
		"none":                {"hello\n", "none"},
		"of a verb":           {doc(func(r *envelope.Result) { r.Command = "jobs/info" }), "none"},
		"of another job":      {doc(func(r *envelope.Result) { r.JobID = "01ARZ3NDEKTSV4RRFFQ69G5FAW" }), "none"},
		"after another one's": {doc(func(r *envelope.Result) { r.JobID = "01ARZ3NDEKTSV4RRFFQ69G5FAW" }) + "\n" + run, "run"},
		"without jobs":        {doc(func(r *envelope.Result) { r.JobID = "" }), "run"},
		"of another trace":    {doc(func(r *envelope.Result) { r.JobID, r.TraceID = "", "f"+trace[1:] }), "none"},
		"no envwrap":          {doc(refused("envwrap", envelope.ENOTFOUND, envelope.NotStarted, envelope.ByEnvwrap)), "none"},
		"no such program":     {doc(refused("make", envelope.ENOTFOUND, envelope.NotStarted, envelope.ByEnvwrap)), "run"},
		"envwrap says so":     {doc(refused("envwrap", envelope.ENOTFOUND, envelope.NotStarted, envelope.BySignature)), "run"},
		"a usage error":       {doc(refused("make", envelope.EARG, envelope.Failure, envelope.ByEnvwrap)), "refusal"},
		"a refused job":       {doc(refused("make", envelope.EPOLICY, envelope.Failure, envelope.ByEnvwrap)), "refusal"},
		"a failed tool":       {doc(refused("make", envelope.EARG, envelope.Failure, envelope.ByTable)), "run"},
	} {
		far, refusal := (&Side{Far: job.Far{ID: id}}).Started(c.text, trace)
		got := "none"
		switch {
		case far != nil:
			got = "run"
		case refusal != nil:
			got = "refusal"
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// An answer about a job is its end, that it goes on, or that it never starts. That there
// is no such job means the last only in the store that has the mark of its start.
func TestFarRead(t *testing.T) {
	const id, mark = "01ARZ3NDEKTSV4RRFFQ69G5FAV", "01ARZ3NDEKTSV4RRFFQ69G5FAA"
	about := func(code envelope.Code) string {
		return document(t, func(r *envelope.Result) {
			r.Command, r.Jobs, r.JobID = "jobs/info", &envelope.Jobs{Kind: envelope.JobsInfo}, id
			if code == "" {
				r.Jobs.List = []envelope.Job{{ID: id, State: envelope.JobRunning, Command: "exec/make", Submitted: clitest.Now()}}
			} else {
				r.Outcome = envelope.Outcome{Kind: envelope.Failure, Code: code, Message: "no", ClassifiedBy: envelope.ByEnvwrap}
			}
		})
	}
	run := document(t, func(r *envelope.Result) { r.JobID = id })
	for name, c := range map[string]struct {
		text string
		far  job.Far
		want State
	}{
		"over":                     {run, job.Far{}, Done},
		"runs":                     {about(""), job.Far{}, Running},
		"refused":                  {about(envelope.EPOLICY), job.Far{}, Refused},
		"missing":                  {about(envelope.ECANCELED), job.Far{}, Unknown},
		"missing beside its mark":  {about(envelope.ECANCELED), job.Far{Mark: mark}, Refused},
		"missing without its mark": {about(envelope.ENOTFOUND), job.Far{Mark: mark}, Unknown},
		"of another":               {strings.ReplaceAll(run, id, mark), job.Far{}, Unknown},
		"nothing":                  {"", job.Far{}, Unknown},
	} {
		c.far.ID = id
		if got := (&Side{Far: c.far}).read(c.text); got.State != c.want {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// The status of a far run is in its envelope.
func TestFarStatus(t *testing.T) {
	type outcome = envelope.Outcome
	for _, c := range []struct {
		o    outcome
		want int
	}{
		{outcome{ExitCode: new(0)}, 0},
		{outcome{ExitCode: new(255), Code: envelope.ERUNTIME}, 255},
		{outcome{ExitCode: new(0), Code: envelope.EPARSE}, 125},
		{outcome{ExitCode: new(65), Code: envelope.EPARSE}, 65},
		{outcome{ExitCode: new(0), Kind: envelope.Timeout, Code: envelope.ETIMEOUT}, 124},
		{outcome{Signal: "SIGTERM", Kind: envelope.Canceled, Code: envelope.ECANCELED}, 143},
		{outcome{Signal: "SIGKILL", Code: envelope.ERUNTIME}, 137},
		{outcome{Signal: "SIGSEGV", Code: envelope.ERUNTIME}, 139},
		{outcome{Signal: "SIGTERM", Code: envelope.EOUTPUTTOOLARGE}, 125},
		{outcome{Kind: envelope.NotStarted, Code: envelope.ENOTFOUND}, 127},
		{outcome{Kind: envelope.Failure, Code: envelope.EIO}, 126},
		{outcome{Kind: envelope.Failure, Code: envelope.EARG}, 125},
		{outcome{Kind: envelope.Failure, Code: envelope.ERUNTIME}, 125},
	} {
		if got := Status(&envelope.Result{Outcome: c.o}); got != c.want {
			t.Errorf("%+v: %d, want %d", c.o, got, c.want)
		}
	}
	if got := Status(&envelope.Result{Exec: &envelope.Result{Outcome: outcome{ExitCode: new(7)}}}); got != 7 {
		t.Errorf("an adopted envelope: %d", got)
	}
}

// A job that ended without a word is no answer to a run that was ended.
func TestLostThere(t *testing.T) {
	r := func(code envelope.Code, by envelope.Classifier) *envelope.Result {
		return &envelope.Result{Outcome: envelope.Outcome{Code: code, ClassifiedBy: by}}
	}
	if !LostThere(r(envelope.ERUNTIME, envelope.ByEnvwrap)) || LostThere(r(envelope.ERUNTIME, envelope.BySignature)) || LostThere(r(envelope.ECANCELED, envelope.ByEnvwrap)) {
		t.Error("LostThere")
	}
	for hint, want := range map[string]bool{"It stopped. " + job.NeverStarted: true, "It stopped.": false} {
		far := r(envelope.ERUNTIME, envelope.ByEnvwrap)
		far.Outcome.Hint, far.Outcome.Retryable = hint, true
		if WithdrawRetry(far); far.Outcome.Retryable != want {
			t.Errorf("%s: %+v", hint, far.Outcome)
		}
	}
}

// Questions that a signal ends say so; any other end is for want of time.
func TestQuestionsEnd(t *testing.T) {
	for want, cause := range map[string]error{"a signal ended the questions": ErrSignal, "there was no time for more questions": errors.New("late")} {
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(cause)
		if a := new(Side).again(ctx); a.State != Unknown || a.Why != want {
			t.Errorf("%v: %+v", cause, a)
		}
	}
}

// A pause takes its time, unless nobody waits for its end.
func TestPause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		if !Pause(t.Context(), time.Minute) || time.Since(begun) != time.Minute {
			t.Errorf("it took %s", time.Since(begun))
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if Pause(ctx, time.Minute) {
			t.Error("it was waited for")
		}
	})
}
