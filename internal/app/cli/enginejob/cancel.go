package enginejob

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli/farend"
	"github.com/envwrap/envwrap/job"
)

// cancel ends the job, within five seconds.
func (e *Job) cancel(ctx context.Context) (*job.Record, *envelope.Result, error) {
	e.hurried = true
	ctx, end := context.WithTimeoutCause(ctx, cancelMost, noAnswer(cancelMost))
	defer end()
	now, err := e.cancelIn(ctx)
	if err == nil {
		return now, nil, nil
	}
	return nil, nil, &farend.UnknownError{Outcome: envelope.Outcome{
		Kind: envelope.Failure, Code: envelope.ERUNTIME, Retryable: true, ClassifiedBy: envelope.ByEnvwrap,
		Message: fmt.Sprintf("cancel job %q on runner %q: %v: its command may go on", e.Record.ID, e.Row.Name, err),
		Hint:    fmt.Sprintf("Cancel it again, or tell the runner itself: its job is %s.", cmp.Or(e.Record.Far.Engine.ID, e.Record.Far.Engine.Name)),
	}}
}

// cancelIn does the work of cancel until ctx is done.
func (e *Job) cancelIn(ctx context.Context) (*job.Record, error) {
	if over, now, err := e.concludeEnd(ctx); over || err != nil {
		return now, err
	}
	if e.Row.Engine.Apart() { // its command may have ended, and nobody has looked
		if over, err := e.step(ctx, true); over || err != nil {
			return e.Record, err
		}
	}
	if err := e.Store.AskCancel(e.Record.ID); err != nil {
		return nil, err
	}
	var over bool
	var err error
	if !e.hasStarted() {
		over, err = e.refuse(ctx, envelope.Outcome{Kind: envelope.Canceled, Code: envelope.ECANCELED, Message: e.Record.Tool + ": canceled before it was started"})
	}
	more := true
	if e.Record.Array != nil && !over && err == nil {
		err = e.Row.Engine.DropMembers(ctx, e.Call, e.Words())
	}
	for n := 0; more && !over && err == nil && !e.dropped; n++ {
		if e.Record.Far.Engine.ID == "" {
			if _, err = e.status(ctx); err != nil {
				break
			}
		}
		if more, err = e.Row.Engine.Stop(ctx, e.Call, e.Words(), n); err == nil {
			over, err = e.stops(ctx)
		}
	}
	if err == nil && !over {
		asked := errors.New("it was asked to end it")
		if e.dropped {
			asked = errors.New("the engine has no such job any more, and does not say that it killed it")
		}
		err = cmp.Or(context.Cause(ctx), asked)
	}
	return e.Record, err
}

// stops waits for the end of a job that is to stop.
func (e *Job) stops(ctx context.Context) (over bool, err error) {
	for end := e.Now().Add(StopMost); e.Now().Before(end); {
		if over, _, err = e.concludeEnd(ctx); over || err != nil {
			return over, err
		}
		if e.Row.Engine.Apart() {
			if over, err = e.bring(ctx, e.ask(ctx)); over || err != nil {
				return over, err
			}
			if e.brought {
				continue
			}
		}
		if e.Record.Array != nil && e.ask(ctx).State.Over() { // its members that did not start leave nothing
			break
		}
		if !farend.Pause(ctx, 2*lookLeast) {
			return false, context.Cause(ctx)
		}
	}
	st, err := e.status(ctx)
	if e.dropped = err == nil && e.mayGoOn(st); err != nil || !st.State.Over() || e.dropped {
		return false, err
	}
	if over, _, err = e.concludeEnd(ctx); over || err != nil {
		return over, err
	}
	over, _, err = e.Conclude(ctx, e.printedResult(e.outcome(st, leftNothing)))
	return over, err
}
