package envelope

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/envwrap/envwrap/envelope/internal/wire"
)

// Adopt returns the record of an envelope that a command printed itself. stdout is the
// whole redacted output of run. If it does not claim to be one envelope of a known
// dialect, or progress events and their result, or if envwrap itself ended the run
// (timeout, canceled, not started), claims is false and nothing else is set. If it
// makes that claim and is invalid, or its status is ok although the run failed, err is
// why (the run is then EENVELOPE).
//
// Otherwise adopted is the envelope's record, with run as its Exec. If its Payload is
// too large to stay inline, the caller sets Payload to nil and Stdout to the stored
// stream.
func Adopt(run *Result, stdout []byte) (adopted *Result, claims bool, err error) {
	if run.Outcome.ClassifiedBy == ByEnvwrap && slices.Contains([]Kind{Timeout, Canceled, NotStarted}, run.Outcome.Kind) {
		return nil, false, nil
	}
	if last := resultOfStream(stdout); last != nil {
		stdout = last
	}
	claimed, claims := Identify(stdout)
	if !claims {
		return nil, false, nil
	}
	d := claimed.self().meant(stdout)
	w, faults := d.read(stdout, false)
	if len(faults) > 0 {
		return nil, true, &FaultError{d.name, faults}
	}
	if own, ok := w.(interface{ adopted(doc []byte) *Result }); ok {
		adopted = own.adopted(stdout)
	} else {
		adopted = d.record(w)
	}
	switch {
	case adopted.Progress:
		return nil, true, errors.New("the envelope is a progress event, and no other came after it")
	case adopted.Outcome.OK() && !run.Outcome.OK():
		return nil, true, fmt.Errorf("the envelope says ok, and the run failed: %s", run.Outcome.Message)
	}
	return adopted.foundIn(run, d), true, nil
}

// resultOfStream returns the last line of a stream of progress events that ends in a
// result (Protocol v1, "Streaming"); nil where text is none.
func resultOfStream(text []byte) []byte {
	lines := bytes.Split(bytes.TrimRight(text, "\r\n"), []byte{'\n'})
	for i, line := range lines {
		d, ok := Identify(line)
		status := wire.StringIn(wire.FieldsIn(line).Get("status"))
		if !ok || !d.Events() || (status == "progress") != (i < len(lines)-1) {
			return nil
		}
	}
	if len(lines) == 1 {
		return nil
	}
	return lines[len(lines)-1]
}

// foundIn makes run the facts of the command that printed the envelope a, and takes
// from it what d, a's dialect, has no place for.
func (a *Result) foundIn(run *Result, d *dialect) *Result {
	exec := *run
	exec.Stdout = Stream{Bytes: run.Stdout.Bytes, Lines: run.Stdout.Lines}
	exec.Extra = a.takeExec()
	a.Exec = &exec
	if d.nameless != "" && a.Command == d.nameless {
		a.Command, a.Tool = run.Command, run.Tool
	}
	for _, f := range []struct{ own, of *string }{
		{&a.RequestID, &exec.RequestID},
		{&a.TaskID, &exec.TaskID},
		{&a.JobID, &exec.JobID},
		{&a.TraceID, &exec.TraceID},
		{&a.Workspace, &exec.Workspace},
		{&a.Agent, &exec.Agent},
	} {
		if *f.own == "" {
			*f.own = *f.of
		}
	}
	if a.Started.IsZero() {
		a.Duration = run.Duration
		a.Started = a.Ended.Add(-run.Duration)
	}
	return a
}

// takeExec takes the facts of a run out of an envelope that has them: one that
// envwrap wrote of an envelope, or a helper's. They go into those of the run that
// is adopting it, so that the members of the payload stay in place.
func (a *Result) takeExec() wire.Fields {
	payload := wire.FieldsIn(a.Payload)
	for _, f := range []*wire.Fields{&payload, &a.Outcome.Details, &a.Extra} {
		var own wireExec
		exec := f.Get("exec")
		if !isExec(exec) || !wire.ReadInto(exec, &own) {
			continue
		}
		if f == &payload {
			a.Payload = wire.EncodeObject(payload.Without("exec"))
		} else {
			*f = f.Without("exec")
		}
		if a.Outcome.Hint == "" && !a.Outcome.OK() {
			a.Outcome.Hint = own.Hint
		}
		return wire.Fields{{Name: "exec", Value: exec}}
	}
	return nil
}
