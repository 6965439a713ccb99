package runcmd

import (
	"testing"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli/clitest"
	"github.com/envwrap/envwrap/internal/test/testenv"
	"github.com/envwrap/envwrap/job"
)

// On a terminal a table is shown, to a person who asked for no envelope.
func TestJobTableWanted(t *testing.T) {
	_, terminal := testenv.Terminal(t)
	defer terminal.Close()
	for name, c := range map[string]struct {
		change func(*JobOptions)
		agent  bool
		want   bool
	}{
		"plain":   {func(*JobOptions) {}, false, true},
		"format":  {func(o *JobOptions) { o.Format = envelope.Dialects()[0] }, false, false},
		"pretty":  {func(o *JobOptions) { o.Pretty = true }, false, false},
		"compact": {func(o *JobOptions) { o.Compact = true }, false, false},
		"agent":   {func(*JobOptions) {}, true, false},
	} {
		env := clitest.EnvIn(t, t.TempDir())
		env.AgentReads = new(c.agent)
		o := NewJobOptions()
		c.change(o)
		if o.LayoutFor(env, &job.View{}).Table {
			t.Errorf("%s: in a file", name)
		}
		env.Stdout = terminal
		if got := o.LayoutFor(env, &job.View{}).Table; got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
