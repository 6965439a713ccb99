package runcmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/cli/farend"
	"github.com/envwrap/envwrap/internal/app/session"
	"github.com/envwrap/envwrap/internal/platform/launch"
	"github.com/envwrap/envwrap/internal/shared/errtext"
	"github.com/envwrap/envwrap/job"
	"github.com/envwrap/envwrap/redact"
	"github.com/envwrap/envwrap/wrap"
)

// A run with --on goes through the runner's command to an envwrap at the far end,
// which makes it a job under an id that is chosen here, waits for it, and prints its
// envelope. So the command runs at most once, even if the connection is lost:
// further calls ask for its state.
//
// The id is in the record of a job here before anything is sent: that of job submit or
// --wait, and in the foreground one that is removed once the envelope is printed. What
// is left where envwrap is killed, or cannot learn what became of the command, is
// settled by the verbs about jobs, which ask the far end (package farend).
//
// envwrap reports that a command did not run only if it cannot start later: a question
// about an unknown job makes the far end refuse that job from then on. This needs the
// start and the question to find the same store. So a call before the first run leaves a
// mark in the store; the start names the mark, and a store without it, or one that can
// have no jobs, refuses the start. If that happens (each call may have a container of its
// own) the run is sent once more without a mark, and envwrap cannot tell whether a lost
// start ran.

// Limits of the calls through a runner.
const (
	farWait     = "8760h"     // how long the far end waits for its job
	farEnvelope = 64 << 20    // most bytes of the far envelope
	farGrace    = time.Minute // after --timeout, for the far end to say so itself
	missedMost  = 2           // after this many consecutive starts without a matching mark, starts name none
)

// farRun is a run on a runner.
type farRun struct {
	*Runner
	side  *farend.Side
	store *job.Store // of the jobs here; nil where there can be none
	known job.RunnerMark
	begun time.Time
}

// most returns how long all calls together may take; 0 means no limit.
func (f *farRun) most() time.Duration {
	if f.O.Timeout == 0 {
		return 0
	}
	return f.O.Timeout + f.O.KillAfter + farGrace
}

// execute makes the result: here, or on a runner.
func (r *Runner) execute(ctx context.Context) (*envelope.Result, error) {
	if r.O.on == "" {
		launch.GrowSlowly()
		return r.Session.Run(ctx)
	}
	row, err := r.Env.Runner(r.O.on)
	if err != nil {
		return nil, err
	}
	f := &farRun{Runner: r, side: farend.New(r.Env, callEnviron(r.Env), row, job.Far{Runner: row.Name}), begun: r.Call.Now()}
	f.side.Mask = wrap.Mask(r.cmd.Redactor)
	defer f.open()()
	result, err := f.run(ctx)
	r.far = f.side.Far.ID
	if r.O.Cache.TTL > 0 && result != nil {
		result.Warnings = append(result.Warnings, notCached)
	}
	result.MaskTexts(f.side.Mask)
	return result, err
}

// open finds the jobs here, and what they know of the runner. The caller calls release.
func (f *farRun) open() (release func()) {
	release = func() {}
	if f.super != nil {
		f.store = f.super.Store()
		f.side.Far.ID = f.super.Record().Far.ID
	} else if store, err := OpenJobs(f.Env, f.O.Store); err == nil {
		f.store, release = store, func() { _ = store.Close() }
	} else {
		f.warnUnrecorded(err)
	}
	f.side.Far.ID = cmp.Or(f.side.Far.ID, f.Env.Session().NewULID())
	if f.store != nil {
		f.known = f.store.RunnerMark(farend.RunnerKey(f.side.Row))
		f.side.Far.Mark = f.known.Mark
	}
	return release
}

func (f *farRun) warnUnrecorded(err error) {
	f.cmd.Warnings = append(f.cmd.Warnings, "if the connection is cut, only the far end knows of the run: "+err.Error())
}

// handOver records that the run is about to be sent. After an error nothing is sent.
func (f *farRun) handOver() error {
	f.side.Far.At = f.Call.Now()
	switch {
	case f.super != nil:
		return f.super.HandOver(f.side.Far)
	case f.store == nil:
		return nil
	}
	f.gate.mayUndo()
	rec := f.jobRecord()
	rec.Far = &f.side.Far
	v, err := job.Begin(job.Options{Dir: f.store.Dir(), Now: f.Now}, &job.Draft{ID: f.Session.Options.TaskID, Record: rec})
	if err != nil {
		f.store = nil
		f.warnUnrecorded(err)
		return nil
	}
	f.super, f.recorded = v, true
	return nil
}

// farLine returns the far end's command line: the options that affect the command, as they
// were given here.
func (f *farRun) farLine() []string {
	far := &f.side.Far
	line := []string{"envwrap", "run", "--format=protocol/v1", "--detail=full", "--budget=0", "--compact", "--output=-", "--stream=false", "--emit=always", "--exit-code=child", "--wait=" + farWait, "--id=" + far.ID, "--trace-id=" + f.cmd.TraceID}
	if far.Mark != "" {
		line = append(line, "--if-mark="+far.Mark)
	}
	line = append(line, f.farOptions()...)
	row := f.side.Row
	if row.Cwd != "" && len(f.Call.Option("cwd").Given) == 0 {
		line = append(line, "--cwd="+row.Cwd)
	}
	for _, e := range slices.Concat(row.Env, f.O.Env) {
		line = append(line, "--env="+e)
	}
	return append(append(line, "--"), f.Call.Rest...)
}

// run sends the run, and returns the far end's record or, without one, the known facts.
func (f *farRun) run(ctx context.Context) (*envelope.Result, error) {
	leaves := f.leavesMark()
	if leaves {
		f.side.Far.Mark = f.Env.Session().NewULID()
	}
	if err := f.handOver(); err != nil {
		return nil, err
	}
	if leaves && !f.leaveMark(ctx) {
		f.side.Far.Mark = ""
		if err := f.handOver(); err != nil {
			return nil, err
		}
	}
	connection := f.connect(ctx)
	far, refusal := f.side.Started(connection.Stdout.Text, f.cmd.TraceID)
	if refusal != nil && f.side.Far.Mark != "" && slices.Contains([]envelope.Code{envelope.ENOTFOUND, envelope.EIO}, refusal.Outcome.Code) {
		f.miss()
		if err := f.handOver(); err != nil {
			return nil, err
		}
		connection = f.connect(ctx)
		far, refusal = f.side.Started(connection.Stdout.Text, f.cmd.TraceID)
	}
	calls, end := f.untilSignal(ctx)
	defer end()
	stopped := connection.Outcome.Kind == envelope.Canceled || connection.Outcome.Kind == envelope.Timeout
	a := farend.Answer{State: farend.Done, Run: far}
	switch {
	case far != nil:
		f.hit(far)
	case isMissing(connection):
		a = farend.Answer{State: farend.Refused, Why: "the runner's own command did not start"}
	case stopped:
		a = f.side.Cancel(calls, farend.AskSoon)
	default:
		a = f.awaitResults(calls)
	}
	switch {
	case a.State == farend.Done && a.Run == far:
		farend.WithdrawRetry(far)
	case a.State == farend.Done && !(stopped && farend.LostThere(a.Run)): // else the scheduler has ended the job, and its supervisor with it
		farend.WithdrawRetry(a.Run)
		a.Run.Warnings = append(a.Run.Warnings, fmt.Sprintf("the connection to runner %q was cut; this is what its job %s has left", f.side.Row.Name, f.side.Far.ID))
	case refusal != nil && a.State != farend.Running:
		return f.refused(refusal, connection), nil
	default:
		return f.lost(a, connection), nil
	}
	far = a.Run
	far.ExitStatus = farend.Status(far)
	if stopped {
		far.ExitStatus = connection.ExitStatus
		stoppedHere(far, connection)
	}
	if far.Exec != nil {
		far.Exec.ExitStatus = far.ExitStatus
	}
	return f.adopt(calls, far), nil
}

// awaitResults asks the far end what became of the run. The supervisor of a job stays with one
// that runs there.
func (f *farRun) awaitResults(ctx context.Context) farend.Answer {
	a := f.side.ResultsOrAgain(ctx, farend.AskSoon)
	if a.State == farend.Running && f.super != nil && !f.recorded {
		a = f.side.Follow(ctx)
	}
	return a
}

// startsAnew has the programs of which each call starts something new, in its own time:
// there is no call before the run, unless `+"`envwrap runner check`"+` has left a mark.
const startsAnew = " docker kubectl nerdctl oc podman salloc srun "

// leavesMark reports whether a mark is to be left at the far end before the run.
func (f *farRun) leavesMark() bool {
	return f.store != nil && f.known.Mark == "" && f.known.Missed < missedMost &&
		!slices.ContainsFunc(f.side.Row.Command, func(word string) bool {
			return strings.Contains(startsAnew, " "+filepath.Base(word)+" ")
		})
}

// leaveMark leaves the mark at the far end, and reports whether it is there.
func (f *farRun) leaveMark(ctx context.Context) bool {
	ctx, end := f.untilSignal(ctx)
	defer end()
	if f.side.LeaveMark(ctx, farend.MarkMost) != nil {
		return false
	}
	f.known.Mark, f.known.Since = f.side.Far.Mark, f.Call.Now()
	f.setKnown()
	return true
}

// miss forgets the mark: the store that the run met does not have it, or can have no job.
// The refused start has run nothing: the next one is another job.
func (f *farRun) miss() {
	f.known = job.RunnerMark{Since: f.Call.Now(), Missed: f.known.Missed + 1}
	f.setKnown()
	f.side.Far.ID, f.side.Far.Mark = f.Env.Session().NewULID(), ""
}

// hit notes that the store of a run has had the mark.
func (f *farRun) hit(far *envelope.Result) {
	if far.JobID == f.side.Far.ID && f.side.Far.Mark != "" && f.known.Missed > 0 {
		f.known.Missed = 0
		f.setKnown()
	}
}

// setKnown stores the mark of the runner for later runs. A failure costs the next run a call.
func (f *farRun) setKnown() { _ = f.store.SetRunnerMark(farend.RunnerKey(f.side.Row), f.known) }

// connect runs the runner's command to its end.
func (f *farRun) connect(ctx context.Context) *envelope.Result {
	o, row := f.Session.Options, f.side.Row
	options := session.Options{
		UserOptions: session.UserOptions{
			TraceID: f.cmd.TraceID,
			Limits:  wrap.Limits{MaxCapture: farEnvelope, InlineLimit: farEnvelope, MaxArtifact: farEnvelope, Timeout: f.most(), KillAfter: o.KillAfter},
			Meaning: wrap.Meaning{Parse: envelope.ParseText},
			Redact:  o.Redact, Store: o.Store, StoreSync: o.StoreSync, StoreMax: o.StoreMax,
		},
		Argv: row.Call(f.Env.Session().NewULID(), f.farLine()...), Own: o.Own, Alone: o.Alone, IsHelper: o.IsHelper,
		Secrets: slices.Concat(o.Secrets, redact.EnvValues(row.Env), redact.EnvValues(f.O.Env)), Rules: o.Rules,
	}
	if f.Call.Option("stdin").IsSet {
		options.Stdin = o.Stdin
	} else {
		options.Stdin = wrap.Stdin{Mode: wrap.StdinNull}
	}
	s := session.New(f.Env.Session(), options)
	defer s.Close()
	s.Prepare()
	s.Command.Signals, s.Command.BeforeStart, s.Command.GiveUp = f.cmd.Signals, f.beforeStart, f.cmd.GiveUp
	connection, err := s.Run(ctx)
	if err != nil { // maybe after the command was started
		connection = s.Refused(envelope.Outcome{Kind: envelope.Failure, Code: envelope.EIO, Message: err.Error()})
	}
	return connection
}

// beforeStart takes back the record of the run here if a signal came before.
func (f *farRun) beforeStart() {
	if f.recorded && !f.gate.tryPass() {
		f.super.Forget()
	}
	f.cmd.BeforeStart()
}

// adopt gives the far record the ids of this run, and fetches the artifacts that it
// names.
func (f *farRun) adopt(ctx context.Context, far *envelope.Result) *envelope.Result {
	far.Runner, far.JobID = f.side.Row.Name, ""
	far.RequestID, far.TaskID, far.TraceID, far.Agent = f.cmd.RequestID, f.Session.Options.TaskID, f.cmd.TraceID, f.cmd.Agent
	if f.O.Name != "" {
		far.Command = f.O.Name
	}
	if digests := far.Digests(); len(digests) > 0 && (!f.O.push || f.O.remote.URL == "") {
		if err := f.fetch(ctx, digests); err != nil {
			far.Warnings = append(far.Warnings, farend.OnlyThere(f.side.Row, err))
		}
	}
	return far
}

// errLimit is why a transfer ends with the time limit of the run.
var errLimit = errors.New("the time limit of the run ended the transfer")

// fetch brings artifacts of the far end into our store.
func (f *farRun) fetch(ctx context.Context, digests []string) error {
	store, _, err := f.cmd.Store()
	if err != nil {
		return err
	}
	if most := f.most(); most > 0 {
		var end context.CancelFunc
		ctx, end = context.WithDeadlineCause(ctx, f.begun.Add(most), errLimit)
		defer end()
	}
	return f.side.Fetch(ctx, store, digests, f.O.MaxArtifact)
}

// refused returns the record of a run that the far end has refused.
func (f *farRun) refused(refusal, connection *envelope.Result) *envelope.Result {
	o := refusal.Outcome
	o.Message = fmt.Sprintf("runner %q: its envwrap refuses the command, which did not run: %s", f.side.Row.Name, o.Message)
	return f.record(o, connection)
}

// lost returns the record of a run that sent no envelope.
func (f *farRun) lost(a farend.Answer, connection *envelope.Result) *envelope.Result {
	silence := "it said nothing"
	if connection.Stdout.Bytes > 0 {
		silence = "what it printed is no envelope"
	}
	why := cmp.Or(errtext.LastLine(connection.Stderr.Text), connection.Outcome.Message, silence)
	asks := cli.ShellLine(f.side.Row.Line("envwrap", "job", "wait", f.side.Far.ID)...)
	if f.super != nil {
		asks = farend.JobCommand(f.Env, f.O.Store) + " wait " + f.super.Record().ID
		f.unsettled, f.cut = a.State != farend.Refused, errtext.BoundTo(why, errtext.MaxValue)
	}
	o := f.side.Outcome(a, why, asks)
	if kind := connection.Outcome.Kind; kind == envelope.Canceled || kind == envelope.Timeout {
		o.Kind, o.Code, o.Retryable = kind, connection.Outcome.Code, false
	}
	return f.record(o, connection)
}

// record returns the record of a run without an envelope. Its status is the status of
// a signal or time limit, or 125: the status of the connection could be the command's.
func (f *farRun) record(o envelope.Outcome, connection *envelope.Result) *envelope.Result {
	res := f.Session.Refused(o)
	res.Runner, res.Stderr, res.ExitStatus = f.side.Row.Name, connection.Stderr, cli.StatusFailed
	if o.Kind == envelope.Canceled || o.Kind == envelope.Timeout {
		res.ExitStatus = connection.ExitStatus
	}
	res.Started, res.Ended, res.Duration = connection.Started, connection.Ended, connection.Duration
	return res
}

// stoppedHere gives the record of a far run that was stopped from here the outcome
// of a local run that was stopped, instead of the exit status and signal seen there.
func stoppedHere(far, connection *envelope.Result) {
	o, here := &far.Outcome, &connection.Outcome
	if !o.OK() && (o.Kind != here.Kind || o.Kind == envelope.Timeout) {
		return // it failed by itself, or the far end says when it was stopped
	}
	o.Kind, o.Code, o.Retryable, o.ClassifiedBy, o.Timeout = here.Kind, here.Code, here.Retryable, here.ClassifiedBy, here.Timeout
	o.Message, o.Hint = here.Message, here.Hint
	if _, why, ok := strings.Cut(here.Message, stoppedBy); ok {
		sig, _, _ := strings.Cut(why, ":") // what the prefix printed follows
		o.Message = far.Tool + stoppedBy + sig
	}
}

// isMissing reports whether the runner's own command did not start.
func isMissing(connection *envelope.Result) bool {
	o := &connection.Outcome
	return o.ExitCode == nil && o.Signal == "" && o.ClassifiedBy == envelope.ByEnvwrap && o.Kind != envelope.Canceled && o.Kind != envelope.Timeout
}
