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
	"github.com/envwrap/envwrap/internal/app/cli/farend"
	"github.com/envwrap/envwrap/internal/app/session"
	"github.com/envwrap/envwrap/wrap"
)

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
		f := &farRun{Runner: &Runner{O: o, cmd: cmd, Session: s}, side: &farend.Side{Row: &cli.RunnerRow{Name: "far"}}}
		far := f.adopt(t.Context(), &envelope.Result{Command: "exec/make", JobID: "F", Stdout: envelope.Stream{Artifact: c.digest}})
		if got := strings.Join(far.Warnings, ""); got != "" != c.warned || c.warned && got != `its stored output is on runner "far" only: no store` {
			t.Errorf("%s: %q", name, got)
		}
		if far.JobID != "" || far.TaskID != "J" || far.TraceID != "T" || far.RequestID != "R" || far.Agent != "A" || far.Runner != "far" || far.Command != cmp.Or(c.name, "exec/make") {
			t.Errorf("%s: %+v", name, far)
		}
	}
}
