package runcmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/cli/farend"
	"github.com/envwrap/envwrap/internal/app/engine"
	"github.com/envwrap/envwrap/internal/shared/errtext"
	"github.com/envwrap/envwrap/job"
	"github.com/envwrap/envwrap/wrap"
)

// How a job of an engine has ended: as the far envwrap's envelope says, or the files of a
// script that ran without one, or, if neither is there, the engine.

// concludeEnd records the end of the job if the far side has left it, and reports whether
// the job is over.
func (e *engineJob) concludeEnd(ctx context.Context) (over bool, now *job.Record, err error) {
	if e.rec.Array != nil {
		return e.concludeGroup(ctx)
	}
	data, err := e.store.ReadShared(e.rec.ID, engine.Envelope)
	if errors.Is(err, fs.ErrNotExist) {
		over, err = e.concludeBare(ctx)
		return over, e.rec, err
	}
	if err != nil {
		return false, e.rec, err
	}
	d, _ := envelope.Lookup("protocol/v1")
	res, err := envelope.Decode(d, data)
	if err != nil {
		return e.conclude(ctx, e.result(envelope.Outcome{Kind: envelope.Failure, Code: envelope.ERUNTIME, Message: fmt.Sprintf("runner %q: the envelope of the run cannot be read: %v", e.row.Name, err)}))
	}
	return e.concludeFar(ctx, res)
}

// concludeFar records the end of the job as the far envwrap tells it.
func (e *engineJob) concludeFar(ctx context.Context, res *envelope.Result) (over bool, now *job.Record, err error) {
	res.ExitStatus = farend.Status(res)
	if res.Exec != nil {
		res.Exec.ExitStatus = res.ExitStatus
	}
	if farend.StoreOf(e.Env, e.store) == "" { // the far side was told the store by its name
		named := " --store " + cli.ShellQuote(e.store.Dir())
		for _, stream := range []*envelope.Stream{&res.Stdout, &res.Stderr} {
			stream.Read = strings.Replace(stream.Read, named, "", 1)
		}
	}
	if !e.explainStop(ctx, res) {
		return false, e.rec, nil
	}
	return e.conclude(ctx, res)
}

// explainStop says why a run was ended that nobody here has canceled, as the engine knows
// it. It reports false if the engine does not know yet, or is to start the command again.
func (e *engineJob) explainStop(ctx context.Context, res *envelope.Result) (known bool) {
	if res.Outcome.Kind != envelope.Canceled || e.row.Engine == nil || e.store.CancelAsked(e.rec.ID) {
		return true
	}
	if e.Now().Sub(e.stopAsked) < engineAskLeast {
		return false
	}
	e.stopAsked = e.Now()
	st, err := e.status(ctx)
	again := st.State == engine.Queued || st.State == engine.Preempted
	switch {
	case err != nil || st.State == engine.Absent || st.Cause == engine.CancelWord:
		return true
	case st.State.Over() && st.State != engine.Preempted && st.Cause == 0: // it has ended by itself
		return true
	case st.State == engine.Queued && e.rec.Far.Engine.Starts > 1, !again && !st.State.Over():
		return false
	}
	o := e.outcome(st, "the engine ended the command")
	if again {
		o.Retryable, o.Hint = true, "Slurm and the like give its place to another job, and may queue it again; with --retries it is started again then."
		_ = e.row.Engine.Cancel(ctx, e.call, e.words()) // it would start nothing
	}
	to := &res.Outcome
	to.Kind, to.Code, to.Message, to.Hint, to.Retryable, to.ClassifiedBy = o.Kind, o.Code, o.Message, o.Hint, o.Retryable, envelope.ByEnvwrap
	res.ExitStatus = cmp.Or(engineStatus(&o), cli.StatusFailed)
	return true
}

// conclude records the end of the job. What another process has recorded before stays.
func (e *engineJob) conclude(ctx context.Context, res *envelope.Result) (over bool, now *job.Record, err error) {
	rec := e.rec
	if rec.Array != nil {
		e.summarize(res)
	}
	res.Runner, res.Command, res.JobID, res.TaskID = e.row.Name, rec.Command, rec.ID, rec.ID
	res.RequestID, res.TraceID, res.Agent = rec.RequestID, rec.TraceID, rec.Agent
	res.MaskTexts(e.mask)
	if now, err = e.store.Conclude(rec.ID, res); err != nil {
		return false, rec, &unrecorded{err, res}
	}
	if e.rec = now; now.State.Over() && e.row.Engine != nil && e.row.Engine.Apart() && !now.Far.Engine.Adopted && e.unread == "" {
		most := engineAnswerMost
		if e.hurried {
			most = engineForgetMost
		}
		_ = e.row.Engine.Forget(context.WithoutCancel(ctx), e.callWithin(most), e.words()) // what has ended is kept here
	}
	return now.State.Over(), now, nil
}

// An unrecorded is the error of an end that is known, and that could not be recorded.
type unrecorded struct {
	error
	end *envelope.Result
}

// Unwrap returns why it could not.
func (u *unrecorded) Unwrap() error { return u.error }

// Exit statuses of timeout(1), and that of a shell for a command that a signal has ended.
const (
	bareTimedOut = 124
	bareBySignal = 128
)

// concludeBare records the end of a command that ran where no envwrap is, and left its exit
// status and its output in files. The output is masked here.
func (e *engineJob) concludeBare(ctx context.Context) (over bool, err error) {
	text, err := e.store.ReadShared(e.rec.ID, engine.ExitFile)
	if errors.Is(err, fs.ErrNotExist) { // it has not ended
		return false, nil
	}
	if err != nil {
		return false, err
	}
	status, stopped, err := engine.ParseExit(text)
	if err != nil {
		return false, fmt.Errorf("read the status of job %q: %w", e.rec.ID, err)
	}
	started := e.rec.Started
	if at, ok := e.store.StartedThere(e.rec.ID); ok {
		started = at
	}
	res, err := e.bareResult(e.rec, status, started, e.raw())
	if err != nil {
		return false, err
	}
	if stopped && res.Outcome.Kind != envelope.Canceled && res.Outcome.Kind != envelope.Timeout {
		o := &res.Outcome
		o.Kind, o.Code, o.Retryable, o.ClassifiedBy = envelope.Canceled, envelope.ECANCELED, false, envelope.ByEnvwrap
		o.Message, o.Hint = res.Tool+" was canceled: the runner sent its script a signal to end", ""
		res.ExitStatus = engineStatus(o)
	}
	if !e.explainStop(ctx, res) {
		return false, nil
	}
	over, _, err = e.conclude(ctx, res)
	return over, err
}

// An opener opens what a command has printed.
type opener = func() (io.ReadCloser, error)

// raw returns what opens stdout and stderr of a command that ran without envwrap.
func (e *engineJob) raw() (raw [2]opener) {
	for i, file := range [...]string{engine.RawOut, engine.RawErr} {
		raw[i] = func() (io.ReadCloser, error) { return e.openRaw(file) }
	}
	return raw
}

// openRaw opens a file with what the command has printed. One that is missing was removed for
// want of room on the disk: the command was started with both.
func (e *engineJob) openRaw(file string) (io.ReadCloser, error) {
	from, err := e.store.OpenShared(e.rec.ID, file)
	if errors.Is(err, fs.ErrNotExist) {
		e.lost = fmt.Sprintf("runner %q: what the command has printed is lost: %v", e.row.Name, err)
		return io.NopCloser(strings.NewReader("")), nil
	}
	return from, err
}

// noDirectory returns what a script prints whose command could not enter its directory; "" if
// it printed anything else.
func noDirectory(raw [2]opener) string {
	said := ""
	for _, open := range raw {
		from, err := open()
		if err != nil {
			return ""
		}
		text, _ := io.ReadAll(io.LimitReader(from, 8<<10)) // what is longer is something else
		_ = from.Close()
		said += string(text)
	}
	if said = strings.TrimSpace(said); !strings.HasPrefix(said, engine.NoDirectory) {
		return ""
	}
	return strings.TrimPrefix(said, "envwrap: ")
}

// bareResult returns the record of a command that ran without envwrap, from its exit status
// and what it printed to stdout and stderr.
func (e *engineJob) bareResult(rec *job.Record, status int, started time.Time, raw [2]opener) (*envelope.Result, error) {
	ran := wrap.Recording{Whole: true, ExitCode: status, Started: started, Ended: e.Now().UTC()}
	if status > bareBySignal && status < bareBySignal+64 {
		ran.ExitCode, ran.Signal, ran.Name = -1, status-bareBySignal, farend.SignalName(status-bareBySignal)
	}
	s := e.session()
	defer s.Close()
	s.Command.Argv = rec.Argv
	for i, stream := range []*wrap.RecordedStream{&ran.Stdout, &ran.Stderr} {
		stream.Printed = raw[i]
	}
	if e.rec.Array == nil { // a member's envelope is kept as it is
		s.Command.Placement = envelope.Placement{Keep: envelope.KeepAll}
	}
	replayed, err := wrap.Replay(s.Command, &ran, nil)
	if err != nil {
		return nil, fmt.Errorf("read the output of job %q: %w", rec.ID, err)
	}
	res := replayed.Result
	if status == bareTimedOut && rec.Limits.Timeout > 0 {
		o := &res.Outcome
		o.Kind, o.Code, o.Retryable, o.ClassifiedBy = envelope.Timeout, envelope.ETIMEOUT, true, envelope.ByEnvwrap
		o.Message = fmt.Sprintf("%s timed out after %s", res.Tool, rec.Limits.Timeout.Round(time.Millisecond))
		res.ExitStatus = bareTimedOut
	}
	if status == cli.StatusFailed {
		if said := noDirectory(raw); said != "" {
			o := &res.Outcome
			o.Kind, o.Code, o.Message, o.ClassifiedBy = envelope.Failure, envelope.EARG, errtext.Bound(said), envelope.ByEnvwrap
			o.Hint = "Give --cwd, or cwd of the runner's table, a directory that exists there."
		}
	}
	if e.store.CancelAsked(rec.ID) && status != 0 {
		o := &res.Outcome
		o.Kind, o.Code, o.Message, o.ClassifiedBy, o.Retryable = envelope.Canceled, envelope.ECANCELED, res.Tool+" was canceled", envelope.ByEnvwrap, false
		res.ExitStatus = engineStatus(o)
	}
	res.Workspace = rec.Workspace
	warning := fmt.Sprintf("%s runner %q ran the command: its output was not masked there", noEnvwrapThere, e.row.Name)
	if status != 0 && e.rec.Far.Engine.Starts > 1 {
		warning += ", and --retries starts it again only where the engine has ended it"
	}
	if unheld := e.bareNote().Unheld; len(unheld) > 0 {
		warning += ", and these options did not hold: " + strings.Join(unheld, ", ")
	}
	res.Warnings = append(res.Warnings, warning)
	if e.lost != "" {
		res.Warnings = append(res.Warnings, e.lost)
	}
	return res, nil
}

// noEnvwrapThere begins the warning about such a run.
const noEnvwrapThere = "no envwrap was found where"

// What envwrap knows of the command of a job that left no envelope.
const (
	neverStarted = "the command did not run"
	leftNothing  = "the command was started, and left no envelope"
	notKnown     = "whether the command ran is not known"
	// endedElsewhere is for a job that was adopted too late.
	endedElsewhere = "how the command ended is known only on the machine that has submitted it"
)

// engineTitle returns how messages call the engine of a runner.
func engineTitle(row *cli.RunnerRow) string {
	if name := row.Engine.Name(); name != "command" {
		return name
	}
	return "the engine"
}

// outcome returns how a job ended, from the engine's status and from neverStarted,
// leftNothing, notKnown or endedElsewhere.
func (e *engineJob) outcome(st engine.Status, known string) envelope.Outcome {
	o := envelope.Outcome{Kind: envelope.Failure, Code: envelope.ERUNTIME}
	says := fmt.Sprintf("%s says %s of its job %s", engineTitle(e.row), st.Word, e.rec.Far.Engine.ID)
	if st.State == engine.Absent {
		says = engineTitle(e.row) + " has no such job any more"
	}
	if known == neverStarted {
		o.Retryable, o.Hint = true, "Submit it again."
	}
	switch {
	case e.store.CancelAsked(e.rec.ID) || st.Cause == engine.CancelWord:
		o = envelope.Outcome{Kind: envelope.Canceled, Code: envelope.ECANCELED}
	case st.Cause == engine.TimeLimit:
		o.Kind, o.Code, o.Hint = envelope.Timeout, envelope.ETIMEOUT, "Ask for more time, as in --resources time=2:00:00."
	case st.Cause == engine.Memory:
		o.Hint = "Ask for more memory, as in --resources memory=8G."
	case st.Cause == engine.Impossible:
		o.Retryable, o.Hint = false, "Ask for what the runner has: other --resources, or another row."
	case st.State == engine.Preempted:
		o.Retryable, o.Hint = true, "The engine gave its place to another job. Submit it again."
	case known == notKnown:
		says += ", and " + e.unread
		o.Hint = "Whether it did its work is for you to see. The engine keeps what it has printed."
	case known == leftNothing:
		o.Hint = "What it had printed is kept. Whether it did its work is for you to see."
	}
	if log, err := e.store.ReadShared(e.rec.ID, engine.Log); err == nil {
		if last := errtext.LastLine(string(log)); last != "" {
			says += fmt.Sprintf(" (%s)", strings.TrimSpace(last))
		}
	}
	o.Message = fmt.Sprintf("runner %q: %s: %s", e.row.Name, known, says)
	if known == leftNothing && e.store.CancelAsked(e.rec.ID) {
		o.Message = fmt.Sprintf("runner %q: %s was canceled, and killed before it could say how it ended", e.row.Name, e.rec.Tool)
	}
	return o
}

// mayGoOn reports whether a job that was canceled while it ran, and left no end, has but vanished
// from the list of an engine, or counts as a success there, of which that does not mean that its
// command has ended.
func (e *engineJob) mayGoOn(st engine.Status) bool {
	return (st.State == engine.Absent || st.State == engine.Succeeded) && e.rec.Array == nil && e.row.Engine.DropsRunning() && e.store.CancelAsked(e.rec.ID) && e.hasStarted()
}

// awaitDropped waits for what a job that may go on leaves, for engineDropped at the most.
func (e *engineJob) awaitDropped(ctx context.Context) (over bool, err error) {
	const unknown = "it was canceled, and the engine has no such job any more: its command may go on"
	e.gone, e.dropped = time.Time{}, true
	e.change(func(held *job.EngineJob) { held.Says = unknown })
	if e.Now().Sub(e.store.CanceledAt(e.rec.ID)) < engineDropped {
		return false, nil
	}
	over, _, err = e.conclude(ctx, e.printedResult(envelope.Outcome{
		Kind: envelope.Failure, Code: envelope.ERUNTIME, Message: fmt.Sprintf("runner %q: %s, and left no envelope within %s", e.row.Name, unknown, engineDropped),
		Hint: "What it had printed is kept. Whether it did its work is for you to see.",
	}))
	return over, err
}

// engineStatus returns the exit status of a run that left no envelope.
func engineStatus(o *envelope.Outcome) int {
	return map[envelope.Kind]int{envelope.Timeout: 124, envelope.Canceled: 143}[o.Kind]
}

// result returns the record of a run that left no envelope.
func (e *engineJob) result(o envelope.Outcome) *envelope.Result {
	o.ClassifiedBy = envelope.ByEnvwrap
	res := e.rec.Unsettled(e.Now(), o)
	res.ExitStatus = cmp.Or(engineStatus(&o), cli.StatusFailed)
	return res
}

// printedResult returns the record of a run that began and left no envelope, with what its
// command had printed if it ran without envwrap.
func (e *engineJob) printedResult(o envelope.Outcome) *envelope.Result {
	res := e.result(o)
	if from, err := e.store.OpenShared(e.rec.ID, engine.RawOut); err != nil || e.rec.Array != nil {
		return res
	} else if from.Close() != nil {
		return res
	}
	if bare, err := e.bareResult(e.rec, cli.StatusFound, res.Started, e.raw()); err != nil {
		res.Warnings = append(res.Warnings, err.Error())
	} else {
		res.Stdout, res.Stderr, res.Redactions, res.Warnings = bare.Stdout, bare.Stderr, bare.Redactions, bare.Warnings
		res.Stdout.Truncated, res.Stderr.Truncated = true, true
	}
	return res
}

// refusedResult returns the record of a run that did not start, and will not.
func (e *engineJob) refusedResult(o envelope.Outcome) *envelope.Result {
	res := e.result(o)
	res.Started, res.Duration = res.Ended, 0
	return res
}
