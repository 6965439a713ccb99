package runcmd

import (
	"strings"
	"testing"
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/cli/clitest"
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

// What a far end prints is its envelope only if it is that of a run which is over there,
// whatever is printed around it.
func TestFarDecode(t *testing.T) {
	missing := func(argv string, by envelope.Classifier) func(*envelope.Result) {
		return func(r *envelope.Result) {
			r.Argv = []string{argv}
			r.Outcome = envelope.Outcome{Kind: envelope.NotStarted, Code: envelope.ENOTFOUND, Message: "not found", ClassifiedBy: by}
		}
	}
	run := farDocument(t, nil)
	for name, c := range map[string]struct {
		text string
		want bool
	}{
		"alone":              {run, true},
		"indented":           {strings.Replace(run, `{"version":1,`, "{\n  \"version\": 1,", 1), true},
		"after a greeting":   {"hello\n" + run + "\nbye\n", true},
		"after a broken one": {`{"version":1,` + "\n" + run, true},
		"within a line":      {"hello " + run, false},
		"none":               {"hello\n", false},
		"of a verb":          {farDocument(t, func(r *envelope.Result) { r.Command = "jobs/info" }), false},
		"no envwrap":         {farDocument(t, missing("envwrap", envelope.ByEnvwrap)), false},
		"no such program":    {farDocument(t, missing("make", envelope.ByEnvwrap)), true},
		"envwrap says so":    {farDocument(t, missing("envwrap", envelope.BySignature)), true},
	} {
		if got := (&farRun{}).decode([]byte(c.text)); (got != nil) != c.want {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// A job that ended without a word is no answer to a run that was ended; the status of one
// that has none is envwrap's.
func TestFarEnd(t *testing.T) {
	r := func(code envelope.Code, by envelope.Classifier) *envelope.Result {
		return &envelope.Result{Outcome: envelope.Outcome{Code: code, ClassifiedBy: by}}
	}
	if !lostThere(r(envelope.ERUNTIME, envelope.ByEnvwrap)) || lostThere(r(envelope.ERUNTIME, envelope.BySignature)) || lostThere(r(envelope.ECANCELED, envelope.ByEnvwrap)) {
		t.Error("lostThere")
	}
	ended := &envelope.Result{Outcome: envelope.Outcome{ExitCode: new(7)}}
	if status(ended) != 7 || status(&envelope.Result{}) != cli.StatusFailed {
		t.Error("status")
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
