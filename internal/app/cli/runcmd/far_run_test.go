package runcmd

import (
	"cmp"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/cli/clitest"
	"github.com/envwrap/envwrap/internal/app/session"
	"github.com/envwrap/envwrap/job"
	"github.com/envwrap/envwrap/wrap"
)

// farDocument is the envelope of a far run, changed.
func farDocument(t *testing.T, change func(*envelope.Result)) string {
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
		return farDocument(t, func(r *envelope.Result) {
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
		far, refusal := (&farSide{far: job.Far{ID: id}}).started(c.text, trace)
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
		return farDocument(t, func(r *envelope.Result) {
			r.Command, r.Jobs, r.JobID = "jobs/info", &envelope.Jobs{Kind: envelope.JobsInfo}, id
			if code == "" {
				r.Jobs.List = []envelope.Job{{ID: id, State: envelope.JobRunning, Command: "exec/make", Submitted: clitest.Now()}}
			} else {
				r.Outcome = envelope.Outcome{Kind: envelope.Failure, Code: code, Message: "no", ClassifiedBy: envelope.ByEnvwrap}
			}
		})
	}
	run := farDocument(t, func(r *envelope.Result) { r.JobID = id })
	for name, c := range map[string]struct {
		text string
		far  job.Far
		want farJobState
	}{
		"over":                     {run, job.Far{}, farDone},
		"runs":                     {about(""), job.Far{}, farRunning},
		"refused":                  {about(envelope.EPOLICY), job.Far{}, farRefused},
		"missing":                  {about(envelope.ECANCELED), job.Far{}, farUnknown},
		"missing beside its mark":  {about(envelope.ECANCELED), job.Far{Mark: mark}, farRefused},
		"missing without its mark": {about(envelope.ENOTFOUND), job.Far{Mark: mark}, farUnknown},
		"of another":               {strings.ReplaceAll(run, id, mark), job.Far{}, farUnknown},
		"nothing":                  {"", job.Far{}, farUnknown},
	} {
		c.far.ID = id
		if got := (&farSide{far: c.far}).read(c.text); got.farJobState != c.want {
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
		if got := farStatus(&envelope.Result{Outcome: c.o}); got != c.want {
			t.Errorf("%+v: %d, want %d", c.o, got, c.want)
		}
	}
	if got := farStatus(&envelope.Result{Exec: &envelope.Result{Outcome: outcome{ExitCode: new(7)}}}); got != 7 {
		t.Errorf("an adopted envelope: %d", got)
	}
}

// A job that ended without a word is no answer to a run that was ended.
func TestLostThere(t *testing.T) {
	r := func(code envelope.Code, by envelope.Classifier) *envelope.Result {
		return &envelope.Result{Outcome: envelope.Outcome{Code: code, ClassifiedBy: by}}
	}
	if !lostThere(r(envelope.ERUNTIME, envelope.ByEnvwrap)) || lostThere(r(envelope.ERUNTIME, envelope.BySignature)) || lostThere(r(envelope.ECANCELED, envelope.ByEnvwrap)) {
		t.Error("lostThere")
	}
	for hint, want := range map[string]bool{"It stopped. " + job.NeverStarted: true, "It stopped.": false} {
		far := r(envelope.ERUNTIME, envelope.ByEnvwrap)
		far.Outcome.Hint, far.Outcome.Retryable = hint, true
		if withdrawRetry(far); far.Outcome.Retryable != want {
			t.Errorf("%s: %+v", hint, far.Outcome)
		}
	}
}

// All calls together may take a while longer than the command, so that the far end can
// say itself that the time is over.
func TestFarLimit(t *testing.T) {
	o := DefaultRunOptions()
	f := &farRun{Runner: &Runner{O: o}}
	if got := f.most(); got != 0 {
		t.Errorf("without a limit: %s", got)
	}
	o.Timeout = time.Hour
	if got := f.most(); got <= o.Timeout+o.KillAfter {
		t.Errorf("an hour: %s", got)
	}
}

// The output of a far run is fetched, unless the far end has pushed it to a remote.
func TestAdopt(t *testing.T) {
	const digest = "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
	for name, c := range map[string]struct {
		push   bool
		remote string
		digest string
		name   string // --command
		warned bool   // the store here does not open
	}{
		"stored":             {digest: digest, warned: true},
		"nothing stored":     {name: "x/y"},
		"pushed":             {push: true, remote: "https://host/x", digest: digest},
		"pushed to no place": {push: true, digest: digest, warned: true},
		"has a remote":       {remote: "https://host/x", digest: digest, warned: true},
	} {
		o := DefaultRunOptions()
		o.push, o.remote.URL, o.Name = c.push, c.remote, c.name
		cmd := &wrap.Command{}
		cmd.TraceID, cmd.RequestID, cmd.Agent = "T", "R", "A"
		cmd.Store = func() (*artifact.Store, string, error) { return nil, "", errors.New("no store") }
		s := &session.Session{}
		s.Options.TaskID = "J"
		f := &farRun{Runner: &Runner{O: o, cmd: cmd, Session: s}, side: &farSide{row: &cli.RunnerRow{Name: "far"}}}
		far := f.adopt(t.Context(), &envelope.Result{Command: "exec/make", JobID: "F", Stdout: envelope.Stream{Artifact: c.digest}})
		if got := strings.Join(far.Warnings, ""); got != "" != c.warned || c.warned && got != `its stored output is on runner "far" only: no store` {
			t.Errorf("%s: %q", name, got)
		}
		if far.JobID != "" || far.TaskID != "J" || far.TraceID != "T" || far.RequestID != "R" || far.Agent != "A" || far.Runner != "far" || far.Command != cmp.Or(c.name, "exec/make") {
			t.Errorf("%s: %+v", name, far)
		}
	}
}
