package runcmd

import (
	"errors"
	"testing"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/cli/clitest"
	"github.com/envwrap/envwrap/job"
)

// Options of the reader override those of the submit.
func TestJobLayout(t *testing.T) {
	helper, _ := envelope.Lookup("helper/v1")
	delegator, _ := envelope.Lookup("delegator/v3.6")
	env := clitest.EnvIn(t, t.TempDir())
	submit := &job.View{
		Format: "helper/v1", ExitCode: "zero", Layout: envelope.LayoutPretty, IncludeOutput: envelope.IncludeAlways, Budget: 700, InlineLimit: 9,
	}
	o := NewJobOptions()
	got := o.LayoutFor(env, submit)
	if got.dialect != helper || got.Rules != helper || got.Exit != exitZero || got.Table || got.limit != 9 {
		t.Errorf("as submitted: %+v", got)
	}
	if e := got.encoding; e.Layout != envelope.LayoutPretty || e.IncludeOutput != envelope.IncludeAlways || e.Budget != 700 {
		t.Errorf("as submitted: %+v", e)
	}
	o.Format, o.Compact, o.includeOutput, o.budget = delegator, true, envelope.IncludeNever, 500
	o.exitRow.IsSet, o.exitCode = true, exitEnvelope
	got = o.LayoutFor(env, submit)
	if got.dialect != delegator || got.Rules != delegator || got.Exit != exitEnvelope {
		t.Errorf("as asked for: %+v", got)
	}
	if e := got.encoding; e.Layout != envelope.LayoutCompact || e.IncludeOutput != envelope.IncludeNever || e.Budget != 500 {
		t.Errorf("as asked for: %+v", e)
	}
	o.untrustedFormat = helper
	if got = o.LayoutFor(env, submit); got.dialect != helper || got.Rules != delegator {
		t.Errorf("a file's look: %+v", got)
	}
	if got := NewJobOptions().LayoutFor(env, &job.View{Format: "from/v9", ExitCode: "what"}); got.dialect != envelope.Dialects()[0] || got.Exit != exitChild {
		t.Errorf("a submit of another envwrap: %+v", got)
	}
}

// The verbs that show no run have no options of its envelope.
func TestJobOptionsOfRuns(t *testing.T) {
	has := func(list []*cli.Option, name string) bool {
		for _, o := range list {
			if o.Name == name {
				return true
			}
		}
		return false
	}
	if o := NewJobOptions(); has(o.Table(false), "exit-code") || !has(o.Table(true), "exit-code") || !has(o.Table(false), "format") {
		t.Error("exit-code is an option of those that end with a run's status")
	}
}

// An answer that cannot be written is told from any other failure.
func TestPrintJob(t *testing.T) {
	env := clitest.EnvIn(t, t.TempDir())
	layout := NewJobOptions().LayoutFor(env, &job.View{})
	res := JobFault(env, "status", errors.New("no such thing"), "")
	if err := PrintJob(env, layout, res); err != nil {
		t.Fatal(err)
	}
	if doc := []byte(clitest.Contents(t, env.Stdout.Name())); len(envelope.Validate(envelope.Dialects()[0], doc, envelope.ValidateOptions{})) > 0 {
		t.Errorf("printed %s", doc)
	}
	_ = env.Stdout.Close()
	if err := PrintJob(env, layout, res); !errors.Is(err, ErrPrint) {
		t.Errorf("got %v", err)
	}
}

// An answer names the store that the question named.
func TestJobQuestion(t *testing.T) {
	env := clitest.EnvIn(t, t.TempDir())
	if v := JobQuestion(env, ""); v.command != "" {
		t.Errorf("the usual store: %q", v.command)
	}
	if v := JobQuestion(env, "/own"); v.command != "envwrap --store /own" {
		t.Errorf("another one: %q", v.command)
	}
}
