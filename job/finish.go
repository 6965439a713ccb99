package job

import (
	"slices"
	"time"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/envelope"
)

// Retain is how long a job's record is kept and its output pinned after its end, unless
// Cleanup is called with a shorter time.
const Retain = 14 * 24 * time.Hour

// end sets in a record when and how the run ended.
func (r *Record) end(res *envelope.Result, now time.Time) {
	run := res
	if res.Exec != nil { // what the command printed says how it ended, and Exec what the process did
		run = res.Exec
	}
	r.Ended = run.Ended.UTC()
	if r.Ended.Before(r.Submitted) { // it is a remembered run
		r.Ended = now
	}
	if !r.Started.IsZero() && !run.Started.Before(r.Submitted) {
		r.Started = run.Started.UTC() // as the run's own envelope counts
	}
	r.State = stateOf(&res.Outcome)
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

func stateOf(o *envelope.Outcome) State {
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

// keepsAll reports whether nothing that was printed is missing from a result and
// the artifacts that it names.
func keepsAll(res *envelope.Result) bool {
	if res.Exec != nil {
		res = res.Exec
	}
	for _, stream := range []*envelope.Stream{&res.Stdout, &res.Stderr} {
		if stream.Truncated && stream.Artifact == "" {
			return false
		}
	}
	return true
}

// brief returns a result of the run that is made of the record alone.
func (r *Record) brief() *envelope.Result {
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
		if o.Code != "" {
			res.Outcome.Hint = "Submit the job again."
		}
	}
	return res
}

// Unsettled returns the record of a run whose end is not known here at a time.
func (r *Record) Unsettled(now time.Time, o envelope.Outcome) *envelope.Result {
	rec := *r
	rec.Ended = now
	res := rec.brief()
	res.Outcome, res.ExitStatus = o, statusLost
	return res
}

// outputs are what the artifact store has of the output of jobs.
type outputs struct {
	dir string // of the artifact store
	now func() time.Time
}

// pin keeps a job's artifacts from the collector. If that fails they still have their
// grace period.
func (u *outputs) pin(rec *Record) {
	u.each(rec, func(a *artifact.Store, digest, owner string) {
		_, _ = a.Pin(digest, owner, rec.Ended.Add(Retain))
	})
}

func (u *outputs) unpin(rec *Record) {
	u.each(rec, func(a *artifact.Store, digest, owner string) { _, _ = a.Unpin(digest, owner) })
}

func (u *outputs) each(rec *Record, do func(a *artifact.Store, digest, owner string)) {
	digests := append([]string{rec.Outcome.Stdout.Artifact, rec.Outcome.Stderr.Artifact}, rec.Outcome.Within...)
	digests = slices.DeleteFunc(digests, func(digest string) bool { return digest == "" })
	if len(digests) == 0 {
		return
	}
	a, err := artifact.OpenRead(artifact.Options{Dir: u.dir, Now: u.now, NoMaintenance: true})
	if err != nil {
		return
	}
	defer a.Close()
	for _, digest := range digests {
		do(a, digest, "job-"+rec.ID)
	}
}
