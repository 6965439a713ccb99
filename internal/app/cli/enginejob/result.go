package enginejob

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/engine"
	"github.com/envwrap/envwrap/internal/shared/errtext"
)

// What envwrap knows of the command of a job that left no envelope.
const (
	neverStarted = "the command did not run"
	leftNothing  = "the command was started, and left no envelope"
	notKnown     = "whether the command ran is not known"
	// endedElsewhere is for a job that was adopted too late.
	endedElsewhere = "how the command ended is known only on the machine that has submitted it"
)

// Title returns how messages call the engine of a runner.
func Title(row *cli.RunnerRow) string {
	if name := row.Engine.Name(); name != "command" {
		return name
	}
	return "the engine"
}

// outcome returns how a job ended, from the engine's status and from neverStarted,
// leftNothing, notKnown or endedElsewhere.
func (e *Job) outcome(st engine.Status, known string) envelope.Outcome {
	o := envelope.Outcome{Kind: envelope.Failure, Code: envelope.ERUNTIME}
	says := fmt.Sprintf("%s says %s of its job %s", Title(e.Row), st.Word, e.Record.Far.Engine.ID)
	if st.State == engine.Absent {
		says = Title(e.Row) + " has no such job any more"
	}
	if known == neverStarted {
		o.Retryable, o.Hint = true, "Submit it again."
	}
	switch {
	case e.Store.CancelAsked(e.Record.ID) || st.Cause == engine.CancelWord:
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
	if log, err := e.Store.ReadShared(e.Record.ID, engine.Log); err == nil {
		if last := errtext.LastLine(string(log)); last != "" {
			says += fmt.Sprintf(" (%s)", strings.TrimSpace(last))
		}
	}
	o.Message = fmt.Sprintf("runner %q: %s: %s", e.Row.Name, known, says)
	if known == leftNothing && e.Store.CancelAsked(e.Record.ID) {
		o.Message = fmt.Sprintf("runner %q: %s was canceled, and killed before it could say how it ended", e.Row.Name, e.Record.Tool)
	}
	return o
}

// mayGoOn reports whether a job that was canceled while it ran, and left no end, has but vanished
// from the list of an engine, or counts as a success there, of which that does not mean that its
// command has ended.
func (e *Job) mayGoOn(st engine.Status) bool {
	return (st.State == engine.Absent || st.State == engine.Succeeded) && e.Record.Array == nil && e.Row.Engine.DropsRunning() && e.Store.CancelAsked(e.Record.ID) && e.hasStarted()
}

// result returns the record of a run that left no envelope.
func (e *Job) result(o envelope.Outcome) *envelope.Result {
	o.ClassifiedBy = envelope.ByEnvwrap
	res := e.Record.Unsettled(e.Now(), o)
	res.ExitStatus = cmp.Or(exitStatus(&o), cli.StatusFailed)
	return res
}

// RefusedResult returns the record of a run that did not start, and will not.
func (e *Job) RefusedResult(o envelope.Outcome) *envelope.Result {
	res := e.result(o)
	res.Started, res.Duration = res.Ended, 0
	return res
}

// printedResult returns the record of a run that began and left no envelope, with what its
// command had printed if it ran without envwrap.
func (e *Job) printedResult(o envelope.Outcome) *envelope.Result {
	res := e.result(o)
	if from, err := e.Store.OpenShared(e.Record.ID, engine.RawOut); err != nil || e.Record.Array != nil {
		return res
	} else if from.Close() != nil {
		return res
	}
	if bare, err := e.bareResult(e.Record, bareEnd{started: res.Started}, e.raw()); err != nil {
		res.Warnings = append(res.Warnings, err.Error())
	} else {
		res.Stdout, res.Stderr, res.Redactions, res.Warnings = bare.Stdout, bare.Stderr, bare.Redactions, bare.Warnings
		res.Stdout.Truncated, res.Stderr.Truncated = true, true
	}
	return res
}
