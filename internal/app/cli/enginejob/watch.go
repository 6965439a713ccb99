package enginejob

import (
	"context"
	"fmt"
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli/farend"
	"github.com/envwrap/envwrap/internal/app/engine"
	"github.com/envwrap/envwrap/internal/shared/errtext"
	"github.com/envwrap/envwrap/job"
)

// look asks once what became of the job. If the engine says that it is over, and nothing
// has come of it, look waits for that.
func (e *Job) look(ctx context.Context) error {
	for {
		over, err := e.step(ctx, true)
		if over || err != nil || e.gone.IsZero() || !farend.Pause(ctx, lookMost/2) {
			return err
		}
	}
}

// await waits until the job is over, or ctx is done.
func (e *Job) await(ctx context.Context) error {
	look, every, asked := lookLeast, askLeast, e.Now()
	said := false
	for {
		ask := e.Now().Sub(asked) >= every || !e.gone.IsZero()
		over, err := e.step(ctx, ask)
		if over || err != nil {
			return err
		}
		if ask && !said && e.fault != nil && ctx.Err() == nil {
			e.Complain(fmt.Errorf("runner %q cannot be asked, and is asked again: %w", e.Row.Name, e.fault))
		}
		if ask && !said && e.strange {
			e.Complain(fmt.Errorf("runner %q says %q of job %s, which is no state that envwrap knows: whether it is over is asked again (an own row explains its words by the table states)", e.Row.Name, errtext.BoundTo(e.Record.Far.Engine.Says, errtext.MaxValue), e.Record.ID))
		}
		said = e.fault != nil || e.strange
		if ask {
			e.sayWaits()
			most := askMost
			if e.Row.Engine.Apart() { // nothing but the answer says that it is over
				most = apartAskMost
			}
			asked, every = e.Now(), min(2*every, most)
		}
		if !farend.Pause(ctx, look) {
			return nil
		}
		look = min(look*5/4, lookMost)
	}
}

// sayWaits says on stderr why the job waits, in each word of the engine once.
func (e *Job) sayWaits() {
	says := e.Record.Far.Engine.Says
	if !e.queued && !e.dropped || says == "" || e.waits[says] || e.Now().Sub(e.Record.Far.At) < silentMost {
		return
	}
	if e.waits == nil {
		e.waits = map[string]bool{}
	}
	e.waits[says] = true
	e.Complain(fmt.Errorf("job %s waits: runner %q says %s", e.Record.ID, e.Row.Name, says))
}

// step looks once for the end of the job, and asks the engine if ask is set. It records an
// end that it finds, and reports true then.
func (e *Job) step(ctx context.Context, ask bool) (over bool, err error) {
	if over, _, err = e.concludeEnd(ctx); over || err != nil {
		return over, err
	}
	started := e.hasStarted()
	if until := e.Record.Far.Engine.Until; !started && !until.IsZero() && e.Now().After(until) {
		says := ""
		if e.queued {
			says = ", and the runner says " + e.Record.Far.Engine.Says
		}
		return e.refuse(ctx, envelope.Outcome{
			Kind: envelope.Timeout, Code: envelope.ETIMEOUT, Retryable: true, Message: fmt.Sprintf("runner %q: the command did not run: it was not started within --queue-timeout%s", e.Row.Name, says),
			Hint: "Submit it again with a longer --queue-timeout, or with other --resources.",
		})
	}
	if !ask {
		return false, nil
	}
	st := e.ask(ctx)
	if e.Row.Engine.Apart() {
		if over, err = e.bring(ctx, st); over || err != nil {
			return over, err
		}
		started = e.hasStarted()
	}
	if !st.State.Over() || e.brought {
		e.gone = time.Time{}
		return false, nil
	}
	switch {
	case e.mayGoOn(st):
		return e.awaitDropped(ctx)
	case st.State == engine.Absent && e.Record.Far.Engine.Adopted:
		over, _, err = e.Conclude(ctx, e.result(e.outcome(st, endedElsewhere)))
		return over, err
	case st.State == engine.Absent && e.Now().Sub(e.Record.Far.At) < unknownMost:
		return false, nil
	case !started && !e.Row.Engine.Marked():
		return e.refuse(ctx, e.outcome(st, neverStarted))
	case e.gone.IsZero():
		e.gone = e.Now()
	case e.Now().Sub(e.gone) >= grace && !started && e.unread != "":
		over, _, err = e.Conclude(ctx, e.result(e.outcome(st, notKnown)))
		return over, err
	case e.Now().Sub(e.gone) >= grace && !started:
		return e.refuse(ctx, e.outcome(st, neverStarted))
	case e.Now().Sub(e.gone) >= grace:
		over, _, err = e.Conclude(ctx, e.printedResult(e.outcome(st, leftNothing)))
		return over, err
	}
	return false, nil
}

// awaitDropped waits for what a job that may go on leaves, for droppedMost at the most.
func (e *Job) awaitDropped(ctx context.Context) (over bool, err error) {
	const unknown = "it was canceled, and the engine has no such job any more: its command may go on"
	e.gone, e.dropped = time.Time{}, true
	e.change(func(held *job.EngineJob) { held.Says = unknown })
	if e.Now().Sub(e.Store.CanceledAt(e.Record.ID)) < droppedMost {
		return false, nil
	}
	over, _, err = e.Conclude(ctx, e.printedResult(envelope.Outcome{
		Kind: envelope.Failure, Code: envelope.ERUNTIME, Message: fmt.Sprintf("runner %q: %s, and left no envelope within %s", e.Row.Name, unknown, droppedMost),
		Hint: "What it had printed is kept. Whether it did its work is for you to see.",
	}))
	return over, err
}

// refuse makes sure that the job does not start, and records o as its end. It reports
// false if the job was started meanwhile.
func (e *Job) refuse(ctx context.Context, o envelope.Outcome) (over bool, err error) {
	if e.Row.Engine != nil && e.Row.Engine.Apart() {
		if ran, err := e.dropApart(ctx); ran || err != nil {
			return e.Record.State.Over(), err
		}
	}
	refused, err := e.Store.RefuseStart(e.Record.ID)
	if err != nil || !refused {
		return false, err
	}
	if fault := e.drop(ctx); fault != nil {
		e.Complain(fmt.Errorf("the job does not start, but runner %q may still hold its place: %w", e.Row.Name, fault))
	}
	over, _, err = e.Conclude(ctx, e.RefusedResult(o))
	return over, err
}

// drop takes a job that will not start out of the engine's queue.
func (e *Job) drop(ctx context.Context) error {
	if e.Row.Engine == nil {
		return nil
	}
	if e.Record.Far.Engine.ID == "" {
		if st, err := e.status(ctx); err != nil || st.State == engine.Absent {
			return err
		}
	}
	return e.Row.Engine.Cancel(ctx, e.Call, e.Words())
}

// dropApart takes a job out of an engine that shares no files, unless the command was
// started, which it reports.
func (e *Job) dropApart(ctx context.Context) (ran bool, err error) {
	for _, drop := range []bool{true, false} {
		st, err := e.status(ctx)
		if err != nil {
			return false, err
		}
		if _, err := e.bring(ctx, st); err != nil {
			return false, err
		}
		if _, started := e.Store.StartedThere(e.Record.ID); started || !drop && st.State == engine.Running {
			return true, nil
		}
		if drop && st.State != engine.Absent {
			if err := e.drop(ctx); err != nil {
				return false, err
			}
		}
	}
	return false, nil
}
