package enginejob

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/cli/farend"
	"github.com/envwrap/envwrap/internal/app/engine"
	"github.com/envwrap/envwrap/internal/shared/errtext"
	"github.com/envwrap/envwrap/internal/shared/hints"
	"github.com/envwrap/envwrap/job"
)

// How a job of an engine has ended: as the far envwrap's envelope says, or the files of a
// script that ran without one, or, if neither is there, the engine.

// concludeEnd records the end of the job if the far side has left it, and reports whether
// the job is over.
func (e *Job) concludeEnd(ctx context.Context) (over bool, now *job.Record, err error) {
	if e.Record.Array != nil {
		return e.concludeGroup(ctx)
	}
	data, err := e.Store.ReadShared(e.Record.ID, engine.Envelope)
	if errors.Is(err, fs.ErrNotExist) {
		over, err = e.concludeBare(ctx)
		return over, e.Record, err
	}
	if err != nil {
		return false, e.Record, err
	}
	d, _ := envelope.Lookup("protocol/v1")
	res, err := envelope.Decode(d, data)
	if err != nil {
		return e.Conclude(ctx, e.result(envelope.Outcome{Kind: envelope.Failure, Code: envelope.ERUNTIME, Message: fmt.Sprintf("runner %q: the envelope of the run cannot be read: %v", e.Row.Name, err)}))
	}
	return e.concludeFar(ctx, res)
}

// concludeFar records the end of the job as the far envwrap tells it.
func (e *Job) concludeFar(ctx context.Context, res *envelope.Result) (over bool, now *job.Record, err error) {
	res.ExitStatus = farend.Status(res)
	if res.Exec != nil {
		res.Exec.ExitStatus = res.ExitStatus
	}
	if farend.StoreOf(e.Env, e.Store) == "" { // the far side was told the store by its name
		named := " --store " + hints.Quote(e.Store.Dir())
		for _, stream := range []*envelope.Stream{&res.Stdout, &res.Stderr} {
			stream.Read = strings.Replace(stream.Read, named, "", 1)
		}
	}
	if !e.explainStop(ctx, res) {
		return false, e.Record, nil
	}
	return e.Conclude(ctx, res)
}

// concludeGroup collects what the members of a group have left that an engine holds, and
// records the group's end if that was the last one.
func (e *Job) concludeGroup(ctx context.Context) (over bool, now *job.Record, err error) {
	ended, err := e.Store.Collect(e.Record.ID, e.member)
	if err != nil || ended < e.Record.Array.Members {
		return false, e.Record, err
	}
	return e.Conclude(ctx, e.result(envelope.Outcome{Kind: envelope.Success}))
}

// member reads the envelope of a member, and returns what the group's output has of it.
func (e *Job) member(n int, file []byte) (job.Member, []byte) {
	d := envelope.Dialects()[0]
	res, err := envelope.Decode(d, file)
	why, refused := strings.CutPrefix(strings.TrimSpace(string(file)), engine.NoStart)
	switch {
	case err == nil:
		res.ExitStatus = farend.Status(res)
	case refused:
		why = fmt.Sprintf("member %d did not run: %s", n, errtext.Bound(why))
	default:
		why = fmt.Sprintf("the envelope of member %d cannot be read: %v", n, err)
	}
	if err != nil {
		ended := *e.Record
		ended.Ended = e.Now().UTC()
		res = ended.Unended(n)
		res.Outcome.Message, res.Outcome.Retryable = fmt.Sprintf("runner %q: %s", e.Row.Name, why), refused
	}
	res.Runner = e.Row.Name
	res.MaskTexts(e.Mask)
	doc, _ := envelope.Encode(d, res, envelope.EncodeOptions{Layout: envelope.LayoutCompact})
	return job.Member{Number: n, Status: res.ExitStatus, State: job.StateOf(&res.Outcome)}, doc
}

// concludeBare records the end of a command that ran where no envwrap is, and left its exit
// status and its output in files. The output is masked here.
func (e *Job) concludeBare(ctx context.Context) (over bool, err error) {
	text, err := e.Store.ReadShared(e.Record.ID, engine.ExitFile)
	if errors.Is(err, fs.ErrNotExist) { // it has not ended
		return false, nil
	}
	if err != nil {
		return false, err
	}
	status, how, err := engine.ParseExit(text)
	if err != nil {
		return false, fmt.Errorf("read the status of job %q: %w", e.Record.ID, err)
	}
	started := e.Record.Started
	if at, ok := e.Store.StartedThere(e.Record.ID); ok {
		started = at
	}
	res, err := e.bareResult(e.Record, bareEnd{status, how, started}, e.raw())
	if err != nil {
		return false, err
	}
	if how == engine.Stopped && res.Outcome.Kind != envelope.Canceled {
		o := &res.Outcome
		o.Kind, o.Code, o.Retryable, o.ClassifiedBy = envelope.Canceled, envelope.ECANCELED, false, envelope.ByEnvwrap
		o.Message, o.Hint = res.Tool+" was canceled: the runner sent its script a signal to end", ""
		res.ExitStatus = exitStatus(o)
	}
	if !e.explainStop(ctx, res) {
		return false, nil
	}
	over, _, err = e.Conclude(ctx, res)
	return over, err
}

// explainStop says why a run was ended that nobody here has canceled, as the engine knows
// it. It reports false if the engine does not know yet, or is to start the command again.
func (e *Job) explainStop(ctx context.Context, res *envelope.Result) (known bool) {
	if res.Outcome.Kind != envelope.Canceled || e.Row.Engine == nil || e.Store.CancelAsked(e.Record.ID) {
		return true
	}
	if e.Now().Sub(e.stopAsked) < askLeast {
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
	case st.State == engine.Queued && e.Record.Far.Engine.Starts > 1, !again && !st.State.Over():
		return false
	}
	o := e.outcome(st, "the engine ended the command")
	if again {
		o.Retryable, o.Hint = true, "Slurm and the like give its place to another job, and may queue it again; with --retries it is started again then."
		_ = e.Row.Engine.Cancel(ctx, e.Call, e.Words()) // it would start nothing
	}
	to := &res.Outcome
	to.Kind, to.Code, to.Message, to.Hint, to.Retryable, to.ClassifiedBy = o.Kind, o.Code, o.Message, o.Hint, o.Retryable, envelope.ByEnvwrap
	res.ExitStatus = cmp.Or(exitStatus(&o), cli.StatusFailed)
	return true
}

// Conclude records the end of the job. What another process has recorded before stays.
func (e *Job) Conclude(ctx context.Context, res *envelope.Result) (over bool, now *job.Record, err error) {
	rec := e.Record
	if rec.Array != nil {
		e.summarize(res)
	}
	res.Runner, res.Command, res.JobID, res.TaskID = e.Row.Name, rec.Command, rec.ID, rec.ID
	res.RequestID, res.TraceID, res.Agent = rec.RequestID, rec.TraceID, rec.Agent
	res.MaskTexts(e.Mask)
	if now, err = e.Store.Conclude(rec.ID, res); err != nil {
		return false, rec, &Unrecorded{err, res}
	}
	if e.Record = now; now.State.Over() && e.Row.Engine != nil && e.Row.Engine.Apart() && !now.Far.Engine.Adopted && e.unread == "" {
		most := AnswerMost
		if e.hurried {
			most = forgetMost
		}
		_ = e.Row.Engine.Forget(context.WithoutCancel(ctx), e.CallWithin(most), e.Words()) // what has ended is kept here
	}
	return now.State.Over(), now, nil
}

// An Unrecorded is the error of an end that is known, and that could not be recorded.
type Unrecorded struct {
	Err error
	End *envelope.Result // as it would have been recorded
}

func (u *Unrecorded) Error() string { return u.Err.Error() }

// Unwrap returns why it could not.
func (u *Unrecorded) Unwrap() error { return u.Err }

// summarize makes res the record of a group that an engine has held. Its outcome says what
// the engine knows, and counts only if members left no envelope.
func (e *Job) summarize(res *envelope.Result) {
	ends, err := e.Store.Ends(e.Record)
	if err != nil {
		return
	}
	defer ends.Close()
	ok, failed, canceled := ends.Counts()
	total, o := e.Record.Array.Members, &res.Outcome
	o.ClassifiedBy = envelope.ByEnvwrap
	switch left := total - ok - failed - canceled; {
	case left > 0 && o.Kind == envelope.Canceled:
	case left > 0:
		o.Message = fmt.Sprintf("%d of %d members left no envelope: %s", left, total, o.Message)
	case e.Store.CancelAsked(e.Record.ID) && canceled > 0:
		o.Kind, o.Code, o.Message = envelope.Canceled, envelope.ECANCELED, "the group was canceled"
	case failed+canceled > 0:
		o.Kind, o.Code, o.Message = envelope.Failure, envelope.ERUNTIME, fmt.Sprintf("%d of %d members failed", failed+canceled, total)
		o.Hint = "envwrap job retry --failed " + e.Record.ID + " runs them again."
	default:
		*o = envelope.Outcome{Kind: envelope.Success, ClassifiedBy: envelope.ByEnvwrap}
	}
	if res.ExitStatus = exitStatus(o); res.ExitStatus != 0 {
		return
	}
	for m, read := range ends.All() {
		if read == nil {
			m.Status = cli.StatusFailed
		}
		if m.Status != 0 {
			res.ExitStatus = m.Status
			break
		}
	}
}
