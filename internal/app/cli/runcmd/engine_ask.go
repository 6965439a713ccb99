package runcmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/cli/farend"
	"github.com/envwrap/envwrap/internal/app/engine"
	"github.com/envwrap/envwrap/internal/shared/errtext"
	"github.com/envwrap/envwrap/job"
)

// How a job of an engine is watched. The end of a run is what its far side has left in the
// job's directory; the engine's word decides only if nothing is there.
const (
	engineLookMost  = time.Second // between two looks for files, which begin with engineLookLeast
	engineLookLeast = 50 * time.Millisecond
	engineAskMost   = 15 * time.Second // between two questions, which begin with engineAskLeast
	engineAskLeast  = time.Second
	engineApartMost = 2 * time.Second // for an engine that shares no files
	// engineGrace is how long after the engine's word that a job is over its files may come:
	// NFS shows a new file late.
	engineGrace = 10 * time.Second
	// engineUnknown is how long after its submit an engine may not know a job.
	engineUnknown = time.Minute
	// engineSilent is how long a job may wait before its caller is told why.
	engineSilent = 10 * time.Second
	// engineDropped is how long after it was canceled the end of a command may come that its
	// engine lists no more.
	engineDropped = time.Hour
	// engineStop is how long each step of a cancellation has.
	engineStop = 1500 * time.Millisecond

	engineAnswerMost = 10 * time.Second       // for an answer to a question, and between two pieces of a log
	engineSubmitMost = 20 * time.Second       // for an answer to a submit
	engineCancelMost = 4 * time.Second        // for all of a cancellation
	engineForgetMost = 600 * time.Millisecond // of which for what the engine is to remove
	engineKill       = 300 * time.Millisecond // from SIGTERM to SIGKILL of a command that has not answered
)

// askEngine is AskRunner for a job that an engine holds.
func askEngine(ctx context.Context, env *cli.Env, s *job.Store, rec *job.Record, q farend.Question) (*job.Record, *envelope.Result, error) {
	row, err := env.Runner(rec.Far.Runner)
	if err == nil && row.Engine == nil {
		err = errors.New("it has no engine now")
	}
	e := &engineJob{Env: env, store: s, rec: rec, row: row, mask: env.Mask()}
	if err != nil {
		e.row = &cli.RunnerRow{Name: rec.Far.Runner}
		if over, now, endErr := e.concludeEnd(ctx); over || endErr != nil {
			return now, nil, endErr
		}
		lost := rec.Unsettled(env.Now(), farend.Unasked(rec, err))
		lost.MaskTexts(e.mask)
		return rec, lost, nil
	}
	switch q {
	case farend.AskCancel:
		return e.cancel(ctx)
	case farend.AskEnd, farend.AskFollow:
		e.follow = q == farend.AskFollow
		err = e.await(ctx)
	default:
		err = e.look(ctx)
	}
	if e.fault != nil && !e.rec.State.Over() && ctx.Err() == nil {
		env.Complain(fmt.Errorf("runner %q cannot be asked: %w", row.Name, e.fault))
	}
	return e.rec, nil, err
}

// look asks once what became of the job. If the engine says that it is over, and nothing
// has come of it, look waits for that.
func (e *engineJob) look(ctx context.Context) error {
	for {
		over, err := e.step(ctx, true)
		if over || err != nil || e.gone.IsZero() || !farend.Pause(ctx, engineLookMost/2) {
			return err
		}
	}
}

// await waits until the job is over, or ctx is done.
func (e *engineJob) await(ctx context.Context) error {
	look, every, asked := engineLookLeast, engineAskLeast, e.Now()
	said := false
	for {
		ask := e.Now().Sub(asked) >= every || !e.gone.IsZero()
		over, err := e.step(ctx, ask)
		if over || err != nil {
			return err
		}
		if ask && !said && e.fault != nil && ctx.Err() == nil {
			e.Complain(fmt.Errorf("runner %q cannot be asked, and is asked again: %w", e.row.Name, e.fault))
		}
		if ask && !said && e.strange {
			e.Complain(fmt.Errorf("runner %q says %q of job %s, which is no state that envwrap knows: whether it is over is asked again (an own row explains its words by the table states)", e.row.Name, errtext.BoundTo(e.rec.Far.Engine.Says, errtext.MaxValue), e.rec.ID))
		}
		said = e.fault != nil || e.strange
		if ask {
			e.sayWaits()
			most := engineAskMost
			if e.row.Engine.Apart() { // nothing but the answer says that it is over
				most = engineApartMost
			}
			asked, every = e.Now(), min(2*every, most)
		}
		if !farend.Pause(ctx, look) {
			return nil
		}
		look = min(look*5/4, engineLookMost)
	}
}

// sayWaits says on stderr why the job waits, in each word of the engine once.
func (e *engineJob) sayWaits() {
	says := e.rec.Far.Engine.Says
	if !e.queued && !e.dropped || says == "" || e.waits[says] || e.Now().Sub(e.rec.Far.At) < engineSilent {
		return
	}
	if e.waits == nil {
		e.waits = map[string]bool{}
	}
	e.waits[says] = true
	e.Complain(fmt.Errorf("job %s waits: runner %q says %s", e.rec.ID, e.row.Name, says))
}

// step looks once for the end of the job, and asks the engine if ask is set. It records an
// end that it finds, and reports true then.
func (e *engineJob) step(ctx context.Context, ask bool) (over bool, err error) {
	if over, _, err = e.concludeEnd(ctx); over || err != nil {
		return over, err
	}
	started := e.hasStarted()
	if until := e.rec.Far.Engine.Until; !started && !until.IsZero() && e.Now().After(until) {
		says := ""
		if e.queued {
			says = ", and the runner says " + e.rec.Far.Engine.Says
		}
		return e.refuse(ctx, envelope.Outcome{
			Kind: envelope.Timeout, Code: envelope.ETIMEOUT, Retryable: true, Message: fmt.Sprintf("runner %q: the command did not run: it was not started within --queue-timeout%s", e.row.Name, says),
			Hint: "Submit it again with a longer --queue-timeout, or with other --resources.",
		})
	}
	if !ask {
		return false, nil
	}
	st := e.ask(ctx)
	if e.row.Engine.Apart() {
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
	case st.State == engine.Absent && e.rec.Far.Engine.Adopted:
		over, _, err = e.conclude(ctx, e.result(e.outcome(st, endedElsewhere)))
		return over, err
	case st.State == engine.Absent && e.Now().Sub(e.rec.Far.At) < engineUnknown:
		return false, nil
	case !started && !e.row.Engine.Marked():
		return e.refuse(ctx, e.outcome(st, neverStarted))
	case e.gone.IsZero():
		e.gone = e.Now()
	case e.Now().Sub(e.gone) >= engineGrace && !started && e.unread != "":
		over, _, err = e.conclude(ctx, e.result(e.outcome(st, notKnown)))
		return over, err
	case e.Now().Sub(e.gone) >= engineGrace && !started:
		return e.refuse(ctx, e.outcome(st, neverStarted))
	case e.Now().Sub(e.gone) >= engineGrace:
		over, _, err = e.conclude(ctx, e.printedResult(e.outcome(st, leftNothing)))
		return over, err
	}
	return false, nil
}

// hasStarted reports whether the command was started, which it notes in the record.
func (e *engineJob) hasStarted() bool {
	at, started := e.store.StartedThere(e.rec.ID)
	if started && e.rec.State == job.Queued {
		now := *e.rec
		now.State, now.Started = job.Running, at
		e.rec = &now
	}
	return started
}

// ask returns the state of the job, or the zero Status if the engine cannot be asked, and
// keeps why.
func (e *engineJob) ask(ctx context.Context) engine.Status {
	st, err := e.status(ctx)
	if ctx.Err() == nil { // else its caller has no time left
		e.unasked(err)
	}
	if err != nil {
		return engine.Status{}
	}
	return st
}

// unasked records why the engine could not be asked, which nil says that it was.
func (e *engineJob) unasked(err error) {
	e.fault = err
	e.change(func(held *job.EngineJob) {
		if held.Unasked = ""; err != nil {
			held.Unasked = e.mask.Text(err.Error())
		}
	})
}

// status asks the engine for the state of the job, which it finds by its name if its id
// is not known.
func (e *engineJob) status(ctx context.Context) (engine.Status, error) {
	if e.rec.Far.Engine.ID == "" {
		id, err := e.row.Engine.Find(ctx, e.call, e.words())
		if err != nil || id == "" {
			return engine.Status{State: engine.Absent}, err
		}
		e.change(func(held *job.EngineJob) { held.ID = id })
		if err := e.store.SetEngineID(e.rec.ID, id); err != nil {
			return engine.Status{}, err
		}
	}
	st, err := e.row.Engine.Status(ctx, e.call, e.words())
	e.unit, e.queued = st.Unit, st.State == engine.Queued
	e.change(func(held *job.EngineJob) { held.Says = st.Word })
	switch {
	case st.State == engine.Queued && e.rec.State == job.Running: // it was queued again
		now := *e.rec
		now.State, now.Started = job.Queued, time.Time{}
		e.rec = &now
	case st.State == engine.Running && e.rec.State == job.Queued:
		e.change(func(held *job.EngineJob) { held.Says += ", and the command is about to start" })
	}
	e.strange = st.State == engine.Unknown && st.Word != ""
	return st, err
}

// change lets do update a copy of the facts about the engine's job, and puts it into the
// record.
func (e *engineJob) change(do func(*job.EngineJob)) {
	now, far, held := *e.rec, *e.rec.Far, *e.rec.Far.Engine
	do(&held)
	far.Engine, now.Far = &held, &far
	e.rec = &now
}

// refuse makes sure that the job does not start, and records o as its end. It reports
// false if the job was started meanwhile.
func (e *engineJob) refuse(ctx context.Context, o envelope.Outcome) (over bool, err error) {
	if e.row.Engine != nil && e.row.Engine.Apart() {
		if ran, err := e.dropApart(ctx); ran || err != nil {
			return e.rec.State.Over(), err
		}
	}
	refused, err := e.store.RefuseStart(e.rec.ID)
	if err != nil || !refused {
		return false, err
	}
	if fault := e.drop(ctx); fault != nil {
		e.Complain(fmt.Errorf("the job does not start, but runner %q may still hold its place: %w", e.row.Name, fault))
	}
	over, _, err = e.conclude(ctx, e.refusedResult(o))
	return over, err
}

// drop takes a job that will not start out of the engine's queue.
func (e *engineJob) drop(ctx context.Context) error {
	if e.row.Engine == nil {
		return nil
	}
	if e.rec.Far.Engine.ID == "" {
		if st, err := e.status(ctx); err != nil || st.State == engine.Absent {
			return err
		}
	}
	return e.row.Engine.Cancel(ctx, e.call, e.words())
}

// cancel ends the job, within five seconds.
func (e *engineJob) cancel(ctx context.Context) (*job.Record, *envelope.Result, error) {
	e.hurried = true
	ctx, end := context.WithTimeoutCause(ctx, engineCancelMost, noAnswer(engineCancelMost))
	defer end()
	now, err := e.cancelIn(ctx)
	if err == nil {
		return now, nil, nil
	}
	return nil, nil, &farend.UnknownError{Outcome: envelope.Outcome{
		Kind: envelope.Failure, Code: envelope.ERUNTIME, Retryable: true, ClassifiedBy: envelope.ByEnvwrap,
		Message: fmt.Sprintf("cancel job %q on runner %q: %v: its command may go on", e.rec.ID, e.row.Name, err),
		Hint:    fmt.Sprintf("Cancel it again, or tell the runner itself: its job is %s.", cmp.Or(e.rec.Far.Engine.ID, e.rec.Far.Engine.Name)),
	}}
}

// cancelIn does the work of cancel until ctx is done.
func (e *engineJob) cancelIn(ctx context.Context) (*job.Record, error) {
	if over, now, err := e.concludeEnd(ctx); over || err != nil {
		return now, err
	}
	if e.row.Engine.Apart() { // its command may have ended, and nobody has looked
		if over, err := e.step(ctx, true); over || err != nil {
			return e.rec, err
		}
	}
	if err := e.store.AskCancel(e.rec.ID); err != nil {
		return nil, err
	}
	var over bool
	var err error
	if !e.hasStarted() {
		over, err = e.refuse(ctx, envelope.Outcome{Kind: envelope.Canceled, Code: envelope.ECANCELED, Message: e.rec.Tool + ": canceled before it was started"})
	}
	more := true
	if e.rec.Array != nil && !over && err == nil {
		err = e.row.Engine.DropMembers(ctx, e.call, e.words())
	}
	for n := 0; more && !over && err == nil && !e.dropped; n++ {
		if e.rec.Far.Engine.ID == "" {
			if _, err = e.status(ctx); err != nil {
				break
			}
		}
		if more, err = e.row.Engine.Stop(ctx, e.call, e.words(), n); err == nil {
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
	return e.rec, err
}

// stops waits for the end of a job that is to stop.
func (e *engineJob) stops(ctx context.Context) (over bool, err error) {
	for end := e.Now().Add(engineStop); e.Now().Before(end); {
		if over, _, err = e.concludeEnd(ctx); over || err != nil {
			return over, err
		}
		if e.row.Engine.Apart() {
			if over, err = e.bring(ctx, e.ask(ctx)); over || err != nil {
				return over, err
			}
			if e.brought {
				continue
			}
		}
		if e.rec.Array != nil && e.ask(ctx).State.Over() { // its members that did not start leave nothing
			break
		}
		if !farend.Pause(ctx, 2*engineLookLeast) {
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
	over, _, err = e.conclude(ctx, e.printedResult(e.outcome(st, leftNothing)))
	return over, err
}
