package enginejob

import (
	"context"
	"time"

	"github.com/envwrap/envwrap/internal/app/engine"
	"github.com/envwrap/envwrap/job"
)

// status asks the engine for the state of the job, which it finds by its name if its id
// is not known.
func (e *Job) status(ctx context.Context) (engine.Status, error) {
	if e.Record.Far.Engine.ID == "" {
		id, err := e.Row.Engine.Find(ctx, e.Call, e.Words())
		if err != nil || id == "" {
			return engine.Status{State: engine.Absent}, err
		}
		e.change(func(held *job.EngineJob) { held.ID = id })
		if err := e.Store.SetEngineID(e.Record.ID, id); err != nil {
			return engine.Status{}, err
		}
	}
	st, err := e.Row.Engine.Status(ctx, e.Call, e.Words())
	e.unit, e.queued = st.Unit, st.State == engine.Queued
	e.change(func(held *job.EngineJob) { held.Says = st.Word })
	switch {
	case st.State == engine.Queued && e.Record.State == job.Running: // it was queued again
		now := *e.Record
		now.State, now.Started = job.Queued, time.Time{}
		e.Record = &now
	case st.State == engine.Running && e.Record.State == job.Queued:
		e.change(func(held *job.EngineJob) { held.Says += ", and the command is about to start" })
	}
	e.strange = st.State == engine.Unknown && st.Word != ""
	return st, err
}

// ask returns the state of the job, or the zero Status if the engine cannot be asked, and
// keeps why.
func (e *Job) ask(ctx context.Context) engine.Status {
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
func (e *Job) unasked(err error) {
	e.fault = err
	e.change(func(held *job.EngineJob) {
		if held.Unasked = ""; err != nil {
			held.Unasked = e.Mask.Text(err.Error())
		}
	})
}

// hasStarted reports whether the command was started, which it notes in the record.
func (e *Job) hasStarted() bool {
	at, started := e.Store.StartedThere(e.Record.ID)
	if started && e.Record.State == job.Queued {
		now := *e.Record
		now.State, now.Started = job.Running, at
		e.Record = &now
	}
	return started
}

// change lets do update a copy of the facts about the engine's job, and puts it into the
// record.
func (e *Job) change(do func(*job.EngineJob)) {
	now, far, held := *e.Record, *e.Record.Far, *e.Record.Far.Engine
	do(&held)
	far.Engine, now.Far = &held, &far
	e.Record = &now
}
