package envelope

import (
	"strings"

	"github.com/envwrap/envwrap/envelope/internal/delegator"
	"github.com/envwrap/envwrap/envelope/internal/wire"
)

// task reads the data of a wait_result or a result_set into r; nil where it is
// none of ours.
func readTask(w *delegator.Document, r *Result, data []byte, into interface{ Parts() delegator.Parts }) *Result {
	if !wire.ReadInto(data, into) {
		return nil
	}
	d := into.Parts()
	id, ok := strings.CutPrefix(string(d.TaskID), localTask)
	if !ok || !wire.IsULID(id) {
		return nil
	}
	r.TaskID = id
	if d.State != delegator.TaskCompleted || w.ToolCategory == delegator.ResultSet {
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
	var m delegator.Metadata
	if !wire.ReadInto(wire.RawIn(d.Metadata), &m) {
		return nil
	}
	if m.Redactions != nil {
		r.Redactions = *m.Redactions
	}
	readCache(m.Cache, r)
	if m.ExitCode != nil {
		r.Outcome.ExitCode = m.ExitCode
	}
	setState(d.State, &r.Outcome, m.Error)
	if o := d.Output; o != nil && o.Included && !o.Truncated && o.Stdout != nil && o.Stderr != nil {
		readOutput(d.Output, r)
	}
	if e := d.Events; e != nil && e.Count > 0 && r.Stdout.Summary == nil {
		n := int64(e.Count)
		r.Stdout.Summary = &Summary{SizeBytes: r.Stdout.Bytes, Kind: kindNDJSON, RecordCount: &n}
	}
	return r
}

// into takes whole streams, which may be in the store too.
func readOutput(w *delegator.Output, r *Result) {
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

// setState takes what the state of a task says of its run.
func setState(s delegator.State, o *Outcome, w *delegator.Context) {
	switch s {
	case delegator.TaskCompleted:
		return
	case delegator.TaskFailed:
		o.Kind, o.Code = Failure, ERUNTIME
	case delegator.TaskCancelled:
		o.Kind, o.Code = Canceled, ECANCELED
	case delegator.TaskTimeout:
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
