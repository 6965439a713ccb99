package runcmd

import (
	"os"
	"testing"
	"time"

	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/cli/clitest"
	"github.com/envwrap/envwrap/internal/app/session"
	"github.com/envwrap/envwrap/internal/platform/output"
	"github.com/envwrap/envwrap/internal/test/testenv"
	"github.com/envwrap/envwrap/wrap"
)

// newRunner returns one of a command, with the defaults.
func newRunner(t *testing.T) *Runner {
	t.Helper()
	env := clitest.EnvIn(t, t.TempDir())
	r := &Runner{Env: env, Call: &cli.Call{Env: env, Verb: RunVerb(env), Rest: []string{"true"}}, O: DefaultRunOptions(), readers: output.NewReaders()}
	r.sink = &output.Sink{Stream: env.Stdout}
	r.O.chooseFormat()
	return r
}

// A command whose run is remembered asks no person: it reads nothing, the first time as
// the second.
func TestRememberedReadsNoTerminal(t *testing.T) {
	_, terminal := testenv.Terminal(t)
	defer terminal.Close()
	file, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for name, c := range map[string]struct {
		stdin *os.File
		ttl   time.Duration
		asked string
		want  wrap.StdinMode
	}{
		"remembered":            {terminal, time.Hour, "auto", wrap.StdinNull},
		"remembered, of a file": {file, time.Hour, "auto", wrap.StdinAuto},
		"of no stdin":           {nil, time.Hour, "auto", wrap.StdinAuto},
		"asked for":             {terminal, time.Hour, "inherit", wrap.StdinInherit},
		"not remembered":        {terminal, 0, "auto", wrap.StdinAuto},
	} {
		r := newRunner(t)
		r.Stdin, r.O.stdin, r.O.Cache.TTL = c.stdin, c.asked, c.ttl
		r.Session = session.New(r.Env.Session(), r.options())
		r.cmd = r.Session.Command
		if err := r.PrepareSession(); err != nil {
			t.Fatal(err)
		}
		if got := r.Session.Options.Stdin.Mode; got != c.want {
			t.Errorf("%s: %v", name, got)
		}
		r.Session.Close()
	}
}

// Options of the line set the fields of session.Options.
func TestSessionOptions(t *testing.T) {
	r := newRunner(t)
	r.O.Retry.Times = 3
	o := r.options()
	if o.KillAfter != 5*time.Second || o.Dir != "" || o.Push != nil || o.Retry.Times != 3 || o.Terminal {
		t.Errorf("the defaults: %+v", o)
	}
	r.O.KillAfter, r.O.Dir, r.O.push, r.bytes = 0, "sub", true, true
	o = r.options()
	if o.KillAfter >= 0 || o.Dir != "sub" || o.Push == nil || o.Retry.Times != 0 {
		t.Errorf("as asked for: %+v", o)
	}
}

// The live line is drawn where nothing else is: on a terminal that can redraw it, or where
// it is asked for.
func TestLineWanted(t *testing.T) {
	_, terminal := testenv.Terminal(t)
	defer terminal.Close()
	for name, c := range map[string]struct {
		change         func(*Runner)
		onTerm, inFile bool
	}{
		"auto":   {func(*Runner) {}, true, false},
		"dumb":   {func(r *Runner) { r.Environ = append(r.Environ, "TERM=dumb") }, false, false},
		"on":     {func(r *Runner) { r.O.events.line = shownOn }, true, true},
		"off":    {func(r *Runner) { r.O.events.line = shownOff }, false, false},
		"bytes":  {func(r *Runner) { r.bytes, r.O.events.line = true, shownOn }, false, false},
		"tee":    {func(r *Runner) { r.cmd.LiveStderr, r.O.events.line = r.Stderr, shownOn }, false, false},
		"events": {func(r *Runner) { r.cmd.Progress, r.O.events.line = (&Streamer{}).Report, shownOn }, false, false},
	} {
		r := newRunner(t)
		r.cmd = &wrap.Command{}
		c.change(r)
		if got := r.lineWanted(); got != c.inFile {
			t.Errorf("%s: in a file %t", name, got)
		}
		r.Stderr = terminal
		if got := r.lineWanted(); got != c.onTerm {
			t.Errorf("%s: on a terminal %t", name, got)
		}
	}
}

// An early end knows the secrets of a run once its session is made without a fault: else it
// shows no argument.
func TestSessionIsLearned(t *testing.T) {
	for _, fault := range []bool{false, true} {
		r := newRunner(t)
		r.early = &earlyEnd{}
		if fault {
			r.O.output = r.Directory() // which is no file
		}
		err := r.MakeSession()
		if l := r.early.learned.Load(); (err != nil) != fault || (l == nil || !l.sessionMade) != fault {
			t.Errorf("fault %t: %v, %+v", fault, err, l)
		}
		r.Session.Close()
	}
}
