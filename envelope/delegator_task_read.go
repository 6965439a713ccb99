package envelope

import (
	"strings"

	"github.com/envwrap/envwrap/envelope/internal/wire"
)

// task reads the data of a wait_result or a result_set into r; nil where it is
// none of ours.
func (w *delegator) task(r *Result, data []byte, into taskData) *Result {
	if !wire.ReadInto(data, into) {
		return nil
	}
	d := into.parts()
	id, ok := strings.CutPrefix(string(d.TaskID), localTask)
	if !ok || !wire.IsULID(id) {
		return nil
	}
	r.TaskID = id
	if d.State != taskCompleted || w.ToolCategory == resultSet {
		r.JobID = id
	}
	if d.CompletedTS != "" {
		r.setTimes(string(d.CompletedTS), fromSeconds(d.Duration).Milliseconds())
	}
	reason := ""
	if d.Output != nil {
		reason = d.Output.Reason
	}
	r.setArtifacts(d.Artifacts, reason)
	var m delegatorMetadata
	if !wire.ReadInto(wire.RawIn(d.Metadata), &m) {
		return nil
	}
	if m.Redactions != nil {
		r.Redactions = *m.Redactions
	}
	m.Cache.into(r)
	if m.ExitCode != nil {
		r.Outcome.ExitCode = m.ExitCode
	}
	d.State.outcome(&r.Outcome, m.Error)
	if o := d.Output; o != nil && o.Included && !o.Truncated && o.Stdout != nil && o.Stderr != nil {
		d.Output.into(r)
	}
	if e := d.Events; e != nil && e.Count > 0 && r.Stdout.Summary == nil {
		n := int64(e.Count)
		r.Stdout.Summary = &Summary{SizeBytes: r.Stdout.Bytes, Kind: kindNDJSON, RecordCount: &n}
	}
	return r
}

// into takes whole streams, which may be in the store too.
func (w *delegatorOutput) into(r *Result) {
	stdout, stderr := r.Stdout.Artifact, r.Stderr.Artifact
	r.Stdout, r.Stderr = plainStream(wire.MustEncode(*w.Stdout)), plainStream(wire.MustEncode(*w.Stderr))
	if r.Stdout.Bytes == 0 && stderr == "" {
		stdout, stderr = "", stdout // the only artifact is that of the only stream that has something
	}
	r.Stdout.keptAs(stdout)
	r.Stderr.keptAs(stderr)
}

// keptAs says that a stream which is here is in the store too.
func (s *Stream) keptAs(artifact string) {
	if artifact != "" {
		s.Artifact, s.Excerpt = artifact, &Excerpt{Text: s.Text}
	}
}

// taskParts are what both categories say of a task that is over.
type taskParts struct {
	TaskID      wire.Filled
	State       delegatorState
	Duration    float64
	CompletedTS wire.Timestamp // "" where meta has it
	Metadata    any
	Artifacts   []delegatorArtifact
	Output      *delegatorOutput
	Events      *delegatorEvents
}

type taskData interface{ parts() taskParts }

func (w *delegatorData) parts() taskParts {
	return taskParts{TaskID: w.TaskID, State: w.State, Metadata: w.Metadata, Artifacts: w.Artifacts, Output: w.Output}
}

func (w *delegatorResult) parts() taskParts {
	return taskParts{w.TaskID, delegatorState(w.State), w.Duration, w.CompletedTS, w.Metadata, w.Artifacts, w.Output, w.Events}
}

// outcome is what the state of a task says of its run.
func (s delegatorState) outcome(o *Outcome, w *delegatorContext) {
	switch s {
	case taskCompleted:
		return
	case taskFailed:
		o.Kind, o.Code = Failure, ERUNTIME
	case taskCancelled:
		o.Kind, o.Code = Canceled, ECANCELED
	case taskTimeout:
		o.Kind, o.Code = Timeout, ETIMEOUT
	}
	if w == nil {
		return
	}
	o.setCode(w.Type, o.Code)
	o.Message, o.Signal, o.Retryable, o.ClassifiedBy = w.Message, w.Signal, w.Retryable, Classifier(w.ClassifiedBy)
	o.Timeout = TimeoutType(w.TimeoutType)
	if len(w.Suggestions) > 0 {
		o.Hint = w.Suggestions[0]
	}
}
