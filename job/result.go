package job

import (
	"fmt"
	"time"

	"github.com/envwrap/envwrap/envelope"
)

// end sets in a record when and how the run ended.
func (r *Record) end(res *envelope.Result, now time.Time) {
	run := res
	if res.Exec != nil { // the printed envelope has the outcome, Exec the process
		run = res.Exec
	}
	r.Ended = run.Ended.UTC()
	if r.Ended.Before(r.Submitted) { // it is a remembered run
		r.Ended = now
	}
	if !r.Started.IsZero() && !run.Started.Before(r.Submitted) {
		r.Started = run.Started.UTC() // as the run's own envelope counts
	}
	r.State = StateOf(&res.Outcome)
	o := &res.Outcome
	r.Outcome = &Outcome{
		Kind: o.Kind, Code: o.Code, Message: o.Message, Retryable: o.Retryable,
		ExitCode: run.Outcome.ExitCode, Signal: run.Outcome.Signal, ExitStatus: res.ExitStatus,
		Stdout: output(&run.Stdout), Stderr: output(&run.Stderr),
		Redactions: run.Redactions, Warnings: run.Warnings,
	}
	for _, digest := range res.Digests() {
		if digest != r.Outcome.Stdout.Artifact && digest != r.Outcome.Stderr.Artifact {
			r.Outcome.Within = append(r.Outcome.Within, digest)
		}
	}
}

// StateOf returns the state of a run that has ended.
func StateOf(o *envelope.Outcome) State {
	switch {
	case o.OK():
		return OK
	case o.Code == envelope.ECANCELED:
		return Canceled
	}
	return Failed
}

func output(s *envelope.Stream) Output {
	return Output{Bytes: s.Bytes, Lines: s.Lines, Artifact: s.Artifact}
}

// asResult returns a result of the run that is made of the record alone.
func (r *Record) asResult() *envelope.Result {
	res := &envelope.Result{
		Command: r.Command, Tool: r.Tool, Argv: r.Argv, RequestID: r.RequestID, TaskID: r.ID, JobID: r.ID,
		TraceID: r.TraceID, Workspace: r.Workspace, Agent: r.Agent,
		Started: r.Started, Ended: r.Ended,
	}
	if res.Started.IsZero() {
		res.Started = r.Ended
	}
	res.Duration = res.Ended.Sub(res.Started)
	if o := r.Outcome; o != nil {
		res.ExitStatus, res.Redactions, res.Warnings = o.ExitStatus, o.Redactions, o.Warnings
		res.Stdout = envelope.Stream{Bytes: o.Stdout.Bytes, Lines: o.Stdout.Lines, Truncated: o.Stdout.Bytes > 0}
		res.Stderr = envelope.Stream{Bytes: o.Stderr.Bytes, Lines: o.Stderr.Lines, Truncated: o.Stderr.Bytes > 0}
		res.Outcome = envelope.Outcome{
			Kind: o.Kind, Code: o.Code, Message: o.Message, ExitCode: o.ExitCode, Signal: o.Signal,
			Retryable: o.Retryable, ClassifiedBy: envelope.ByEnvwrap,
		}
		switch {
		case o.Retryable:
			res.Outcome.Hint = "Submit the job again."
		case o.Code != "":
			res.Outcome.Hint = "Its result could not be kept. See what it did before you submit it again."
		}
	}
	return res
}

// Unsettled returns a result of a run whose end is unknown at the time now, with the
// outcome o.
func (r *Record) Unsettled(now time.Time, o envelope.Outcome) *envelope.Result {
	rec := *r
	rec.Ended = now
	res := rec.asResult()
	res.Outcome, res.ExitStatus = o, statusLost
	return res
}

// lostResult sets in a record the outcome of a run whose supervisor is dead, and returns
// it as a result.
func (r *Record) lostResult(canceled bool) *envelope.Result {
	r.State = Lost
	r.Outcome = &Outcome{Kind: envelope.Failure, Code: envelope.ERUNTIME, ExitStatus: statusLost, Retryable: true}
	hint := "Its supervisor was killed, or the machine restarted. What it had printed is kept; submit it again."
	switch {
	case r.handedOver():
		r.Outcome.Retryable = false
		r.Outcome.Message = fmt.Sprintf("%s: whether it ran on runner %q is not known", r.Tool, r.Far.Runner)
		hint = "Nobody asked the runner for two weeks, and it has forgotten job " + r.Far.ID + " by now."
	case canceled:
		r.State = Canceled
		r.Outcome = &Outcome{Kind: envelope.Canceled, Code: envelope.ECANCELED, ExitStatus: statusCanceled}
		r.Outcome.Message, hint = r.Tool+": canceled", "It was canceled, and its supervisor had to be killed."
	case r.Started.IsZero():
		r.Outcome.Message = r.Tool + ": the job was lost before it started"
		hint = "Its supervisor was killed, or the machine restarted. " + NeverStarted
	default:
		r.Outcome.Message = r.Tool + ": the job was lost while it ran"
	}
	res := r.asResult()
	res.Outcome.Hint = hint
	return res
}

// NeverStarted ends the hint of a job that was lost before its command started.
const NeverStarted = "Nothing was run; submit it again."

// Exit statuses of jobs without one of their own: that of a failed envwrap, and 128 plus
// SIGTERM.
const (
	statusLost     = 125
	statusCanceled = 143
)
