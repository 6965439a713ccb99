package envelope

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/envwrap/envwrap/envelope/internal/wire"
	"github.com/envwrap/envwrap/internal/jsontext"
)

// readJobs makes r the answer about jobs that payload is, if it is one as
// [view.jobsPayload] writes it; cmd is the envelope's command, where it has one.
func (r *Result) readJobs(payload json.RawMessage, cmd string) bool {
	if cmd != "" && !strings.HasPrefix(cmd, "jobs/") {
		return false
	}
	var w wireJobs
	if jsontext.Kind(payload) != '{' || !wire.ReadInto(payload, &w) {
		return false
	}
	name, _ := strings.CutPrefix(cmp.Or(w.Command, cmd), "jobs/")
	nothing := w.Job == nil && w.Jobs == nil && w.Cleanup == nil && w.Hint == ""
	if nothing || !slices.Contains(jobsKinds(), JobsKind(name)) {
		return false
	}
	r.Jobs, r.Payload = w.jobs(JobsKind(name)), nil
	if w.Hint != "" {
		r.Outcome.Hint = w.Hint
	}
	if w.Warnings != nil {
		r.Warnings = w.Warnings
	}
	return true
}

func (w *wireJobs) jobs(kind JobsKind) *Jobs {
	j := &Jobs{Kind: kind, All: w.Jobs != nil, Omitted: int(w.Omitted), Next: w.Next, Source: w.Store, Cleanup: w.Cleanup.cleanup()}
	if w.Counts != nil {
		j.Counts = *w.Counts
	}
	if w.Job != nil {
		j.List = append(j.List, w.Job.job())
	}
	if w.Jobs != nil {
		for i := range *w.Jobs {
			j.List = append(j.List, (*w.Jobs)[i].job())
		}
	}
	for _, r := range w.Runners {
		j.Runners = append(j.Runners, JobRunner{string(r.ID), r.Name, r.Workspace, r.Platform, timeIn(r.SinceTS), int(r.MaxJobs)})
	}
	if w.Stdout != nil {
		s := w.Stdout.result(nil)
		j.Stdout = &s
	}
	if w.Stderr != nil {
		s := w.Stderr.result(nil)
		j.Stderr = &s
	}
	return j
}

func (w *wireJob) job() Job {
	j := Job{
		ID: string(w.ID), State: w.State, Command: string(w.Command), Argv: w.Argv,
		Submitted: timeIn(w.SubmittedTS), Started: timeIn(w.StartedTS), Ended: timeIn(w.EndedTS),
		Timeout: w.TimeoutMS.Duration(), Activity: w.LastLine, LastLines: w.LastLines,
		ExitCode: w.ExitCode, Signal: w.Signal, Code: Code(w.Code), Message: w.Message,
		Stdout: w.Stdout.output(), Stderr: w.Stderr.output(),
		Position: converted[int](w.Position), Pct: converted[float64](w.Pct),
		StartsIn: mapped(w.StartsInMS, wire.Count.Duration),
	}
	if w.ElapsedMS != nil {
		j.Elapsed = w.ElapsedMS.Duration()
	}
	return j
}

func (w *wireJobOutput) output() *JobOutput {
	if w == nil {
		return nil
	}
	return &JobOutput{int64(w.Bytes), int64(w.Lines), string(w.Artifact)}
}

func (w *wireCleanup) cleanup() *JobCleanup {
	if w == nil {
		return nil
	}
	c := &JobCleanup{
		DryRun: w.DryRun, StuckAfter: w.StuckAfterMS.Duration(), OldAfter: w.OldAfterMS.Duration(), Cleaned: int(w.Cleaned),
		OldFound: int(w.OldFound), OldDeleted: int(w.OldDeleted), Oldest: w.OldestMS.Duration(), Freed: int64(w.FreedBytes),
	}
	for _, id := range w.Stuck {
		c.Stuck = append(c.Stuck, string(id))
	}
	return c
}
