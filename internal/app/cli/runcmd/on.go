package runcmd

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/session"
	"github.com/envwrap/envwrap/redact"
	"github.com/envwrap/envwrap/wrap"
)

// A run with --on goes through the runner's command to an envwrap at the far end,
// which makes it a job under an id that is chosen here, waits for it, and prints its
// envelope. So the command runs once at the most, whatever becomes of the connection:
// what is known of it later comes by further calls.

// Limits of the calls through a runner.
const (
	farWait     = "8760h"     // how long the far end waits for its job
	farEnvelope = 64 << 20    // most bytes of the far envelope
	farGrace    = time.Minute // after --timeout, for the far end to say so itself
)

// farRun is a run on a runner.
type farRun struct {
	*Runner
	row *cli.RunnerRow
	id  string // of the far job

	begun time.Time
}

// most returns how long all calls together may take; 0 is no limit.
func (f *farRun) most() time.Duration {
	if f.O.Timeout == 0 {
		return 0
	}
	return f.O.Timeout + f.O.KillAfter + farGrace
}

// execute makes the result: here, or on a runner.
func (r *Runner) execute(ctx context.Context) (*envelope.Result, error) {
	if r.O.on == "" {
		return r.Session.Run(ctx)
	}
	row, err := r.World.Runner(r.O.on)
	if err != nil {
		return nil, err
	}
	f := &farRun{Runner: r, row: row, id: r.World.Session().NewULID(), begun: r.Call.Now()}
	return f.run(ctx)
}

// checkOn returns an error if the line has options that cannot be used with --on.
func checkOn(w *cli.World, c *cli.Call, name string) error {
	if name == "" {
		return nil
	}
	for _, option := range []string{"secret-file", "redact-config"} {
		if c.Option(option).IsSet {
			return &cli.UsageError{Text: "--" + option + " names a file here, and --on masks at the far end", Hint: "Put it into the configuration of the far end."}
		}
	}
	_, err := w.Runner(name)
	return err
}

// farLine returns the line for the far end: the options that say what is run, as they were
// given here.
func (f *farRun) farLine() []string {
	o := f.O
	line := []string{"envwrap", "run", "--format=protocol/v1", "--detail=full", "--budget=0", "--compact", "--output=-", "--stream=false", "--emit=always", "--exit-code=child", "--wait=" + farWait, "--id=" + f.id, "--trace-id=" + f.cmd.TraceID}
	for _, known := range f.Call.Verb.Options {
		if !known.InJob.OnSupervisorLine() || known.InJob == cli.LooksOnly || slices.Contains([]string{"on", "push", "jobs"}, known.Name) || strings.HasPrefix(known.Name, "cache") {
			continue
		}
		for _, value := range known.Given {
			line = append(line, "--"+known.Name+"="+value)
		}
	}
	if o.Timeout > 0 && len(f.Call.Option("timeout").Given) == 0 {
		line = append(line, "--timeout="+o.Timeout.String())
	}
	if f.row.Cwd != "" && len(f.Call.Option("cwd").Given) == 0 {
		line = append(line, "--cwd="+f.row.Cwd)
	}
	for _, e := range slices.Concat(f.row.Env, o.env) {
		line = append(line, "--env="+e)
	}
	if o.push && o.remote.URL != "" {
		line = append(line, "--push", "--remote="+o.remote.URL)
		for name, value := range map[string]string{"endpoint": o.remote.Endpoint, "region": o.remote.Region, "profile": o.remote.Profile} {
			if value != "" {
				line = append(line, "--remote-"+name+"="+value)
			}
		}
	}
	return append(append(line, "--"), f.Call.Rest...)
}

// run runs the connection, and returns the record of the far end.
func (f *farRun) run(ctx context.Context) (*envelope.Result, error) {
	connection, err := f.connect(ctx)
	if err != nil {
		return nil, err
	}
	ctx, end := f.untilSignal(ctx)
	defer end()
	far := f.decode([]byte(connection.Stdout.Text))
	switch {
	case far != nil:
		far.ExitStatus = connection.ExitStatus
	case connection.Outcome.Kind == envelope.Canceled || connection.Outcome.Kind == envelope.Timeout:
		f.ask(ctx, "job", "cancel", f.id)
		if far = f.decode(f.ask(ctx, "job", "wait", "--timeout=20s", "--format=protocol/v1", "--detail=full", f.id)); far != nil && lostThere(far) {
			far = nil // the scheduler has ended the job, and its supervisor with it
		} else if far != nil {
			far.ExitStatus = connection.ExitStatus
		}
	default:
		if far = f.decode(f.ask(ctx, "job", "results", "--format=protocol/v1", "--detail=full", f.id)); far != nil {
			far.ExitStatus, far.Outcome.Retryable = status(far), far.Outcome.Retryable && !lostThere(far)
			far.Warnings = append(far.Warnings, fmt.Sprintf("the connection to runner %q was cut; this is what its job %s has left", f.row.Name, f.id))
		}
	}
	if far == nil {
		return f.lost(ctx, connection), nil
	}
	return f.adopt(ctx, far), nil
}

// lostThere reports whether a far job ended without saying how.
func lostThere(far *envelope.Result) bool {
	return far.Outcome.Code == envelope.ERUNTIME && far.Outcome.ClassifiedBy == envelope.ByEnvwrap
}

// status returns the exit status of a far record that came without that of the connection.
func status(far *envelope.Result) int {
	if far.Outcome.ExitCode != nil {
		return *far.Outcome.ExitCode
	}
	return cli.StatusFailed
}

// connect runs the runner's command to its end.
func (f *farRun) connect(ctx context.Context) (*envelope.Result, error) {
	o := f.Session.Options
	options := session.Options{
		Argv: f.row.Line(f.farLine()...), TraceID: f.cmd.TraceID, Own: o.Own, Alone: o.Alone, IsHelper: o.IsHelper,
		Limits:  wrap.Limits{MaxCapture: farEnvelope, InlineLimit: farEnvelope, MaxArtifact: farEnvelope, Timeout: f.most(), KillAfter: o.KillAfter},
		Meaning: wrap.Meaning{Parse: envelope.ParseText},
		Redact:  f.O.redaction.Mode, Secrets: slices.Concat(o.Secrets, redact.EnvValues(f.row.Env), redact.EnvValues(f.O.env)), Rules: o.Rules, Store: o.Store, StoreSync: o.StoreSync, StoreMax: o.StoreMax,
	}
	if f.Call.Option("stdin").IsSet {
		options.Stdin = o.Stdin
	} else {
		options.Stdin = wrap.Stdin{Mode: wrap.StdinNull}
	}
	s := session.New(f.World.Session(), options)
	defer s.Close()
	s.Prepare()
	s.Command.Signals, s.Command.GiveUp = f.cmd.Signals, f.cmd.GiveUp
	return s.Run(ctx)
}

// decode reads the envelope of a run; nil where it is none, or not that of a run that
// is over.
func (f *farRun) decode(text []byte) *envelope.Result {
	far := farEnvelopeIn(text)
	if far == nil || far.Jobs != nil || strings.HasPrefix(far.Command, "jobs/") {
		return nil
	}
	if far.Outcome.Code == envelope.ENOTFOUND && far.Outcome.ClassifiedBy == envelope.ByEnvwrap && len(far.Argv) > 0 && far.Argv[0] == "envwrap" {
		return nil
	}
	return far
}

// farEnvelopeIn returns the envelope that a far end has printed; nil where there is none.
// Login scripts, and commands such as kubectl, print lines of their own around it.
func farEnvelopeIn(text []byte) *envelope.Result {
	d, _ := envelope.Lookup("protocol/v1")
	if res, err := envelope.Decode(d, bytes.TrimSpace(text)); err == nil {
		return res
	}
	for line := range bytes.Lines(text) {
		if !bytes.HasPrefix(line, []byte(`{"version":1,`)) {
			continue
		}
		if res, err := envelope.Decode(d, bytes.TrimSpace(line)); err == nil {
			return res
		}
	}
	return nil
}

// adopt gives the far record the ids of this run, and fetches the artifacts that it
// names.
func (f *farRun) adopt(ctx context.Context, far *envelope.Result) *envelope.Result {
	far.Runner, far.JobID = f.row.Name, ""
	far.RequestID, far.TaskID, far.TraceID, far.Agent = f.cmd.RequestID, f.Session.Options.TaskID, f.cmd.TraceID, f.cmd.Agent
	if f.O.command != "" {
		far.Command = f.O.command
	}
	if digests := far.Digests(); len(digests) > 0 && (!f.O.push || f.O.remote.URL == "") {
		if err := f.stream(ctx, digests); err != nil {
			far.Warnings = append(far.Warnings, fmt.Sprintf("its stored output is on runner %q only: %v", f.row.Name, err))
		}
	}
	return far
}

// lost returns the record of a run of which no envelope came.
func (f *farRun) lost(ctx context.Context, connection *envelope.Result) *envelope.Result {
	known := "whether the command ran is not known: the runner cannot be asked"
	hint := fmt.Sprintf("Try `envwrap runner check %s`.", f.row.Name)
	if ctx.Err() != nil {
		known = "whether the command ran is not known: a signal ended the questions"
	}
	if o := &connection.Outcome; o.Code == envelope.ENOTFOUND && o.ExitCode == nil && o.ClassifiedBy == envelope.ByEnvwrap {
		known = "the runner's own command did not start: nothing ran"
	} else if res := farEnvelopeIn(f.ask(ctx, "job", "status", "--format=protocol/v1", f.id)); res != nil {
		switch {
		case res.Jobs != nil && res.Outcome.OK():
			known = fmt.Sprintf("the command was started there, once, as job %s", f.id)
			hint = "Ask there: " + cli.ShellLine(f.row.Line("envwrap", "job", "wait", f.id)...)
		case res.Outcome.Code == envelope.ENOTFOUND:
			known = "the runner has no job of it: the command did not run, unless it cannot make jobs"
		}
	}
	why := cmp.Or(lastLine(connection.Stderr.Text), connection.Outcome.Message, "it said nothing")
	res := f.Session.Refused(envelope.Outcome{
		Kind: envelope.Failure, Code: envelope.ERUNTIME, Retryable: false, ClassifiedBy: envelope.ByEnvwrap,
		Message: fmt.Sprintf("runner %q: no envelope came back (%s); %s", f.row.Name, why, known), Hint: hint,
	})
	if connection.Outcome.Kind == envelope.Canceled || connection.Outcome.Kind == envelope.Timeout {
		res.Outcome.Kind, res.Outcome.Code = connection.Outcome.Kind, connection.Outcome.Code
	}
	res.Runner, res.Stderr, res.ExitStatus = f.row.Name, connection.Stderr, cmp.Or(connection.ExitStatus, cli.StatusFailed)
	res.Started, res.Ended, res.Duration = connection.Started, connection.Ended, connection.Duration
	return res
}

func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return lines[len(lines)-1]
}
