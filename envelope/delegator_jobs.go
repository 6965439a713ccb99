package envelope

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/envwrap/envwrap/envelope/internal/delegator"
	"github.com/envwrap/envwrap/envelope/internal/wire"
	"github.com/envwrap/envwrap/internal/shared/jsontext"
)

// A delegatorAnswer is an answer about jobs on its way into a delegator document.
type delegatorAnswer struct {
	*delegatorView
	job *Job // the subject of the answer, or the first job; empty without jobs
}

func newDelegatorAnswer(v *delegatorView) *delegatorAnswer {
	a := &delegatorAnswer{delegatorView: v, job: v.Jobs.one()}
	switch {
	case a.job != nil:
	case len(v.Jobs.List) > 0:
		a.job = &v.Jobs.List[0]
	default:
		a.job = &Job{ID: v.taskID(), State: JobQueued}
	}
	return a
}

// metaAndData returns meta and data of the document.
func (a *delegatorAnswer) metaAndData() (wire.Fields, any) {
	var meta, data any
	switch a.category {
	case delegator.WaitResult:
		meta, data = a.waitMeta(), a.waitData()
	case delegator.ResultSet:
		meta, data = &delegator.ResultMeta{Count: 1, Warnings: a.texts(a.Warnings)}, a.unfinished()
	case delegator.ExecutionAck:
		meta, data = a.ackMeta(), a.ackData()
	case delegator.StatusSnapshot:
		meta, data = a.snapshotMeta(), a.snapshotData()
	default:
		meta, data = a.registryMeta(), a.registryData()
	}
	return wire.FieldsIn(wire.MustEncode(meta)), data
}

// waitMeta returns meta of a wait that was over before its task.
func (a *delegatorAnswer) waitMeta() *delegator.Meta {
	begun := a.begun(a.job)
	return &delegator.Meta{
		StartedTS: wire.Stamp(begun), CompletedTS: a.ts(), DurationMS: wire.Milliseconds(a.Ended.Sub(begun)), Warnings: a.texts(a.Warnings),
	}
}

// waitData returns the data of a wait that was over before its task. The document has
// the state "timeout" for it, with what the task has printed so far.
func (a *delegatorAnswer) waitData() *delegator.Data {
	j := a.job
	summary := a.standing()
	lasted := wire.Seconds(a.Ended.Sub(a.begun(j)))
	output := a.outputSoFar()
	m := &delegator.Metadata{Duration: &lasted, TaskStatus: wire.Quoted(j.stateWord()), Error: &delegator.Context{
		Message: summary, Type: string(ETIMEOUT), TimeoutType: wire.TimeoutType(HardTimeout),
		Partial: &delegator.Partial{Output: tailBytes(*output.Stdout+*output.Stderr, tailKeep)},
	}}
	if a.Jobs.Next != "" {
		m.Error.Suggestions = []string{a.short("Wait again: " + a.Jobs.Next)}
	}
	return &delegator.Data{TaskID: j.taskID(), State: delegator.TaskTimeout, Summary: summary, Metadata: m, Output: output}
}

// unfinished returns the data of a result_set about a task that is not over.
func (a *delegatorAnswer) unfinished() *delegator.Result {
	lasted := wire.Seconds(a.job.Elapsed)
	return &delegator.Result{
		TaskID: a.job.taskID(), State: delegator.TaskState(a.job.stateWord()), Summary: a.standing(), Duration: lasted,
		Metadata: &delegator.Metadata{Duration: &lasted, TaskStatus: wire.Quoted(a.job.stateWord())},
		Output:   &delegator.Output{Reason: "The task is not over"},
		Events:   &delegator.Events{Reason: "The task is not over"},
	}
}

// standing says in one line how far a task has come.
func (a *delegatorAnswer) standing() string {
	if a.job.State == JobQueued {
		return "The task is queued; it has not started"
	}
	return "The task is still running after " + wire.SpokenSeconds(wire.Seconds(a.job.Elapsed))
}

// outputSoFar returns the end of what a task that is not over has printed.
func (a *delegatorAnswer) outputSoFar() *delegator.Output {
	w := &delegator.Output{Included: true, MaxBytes: wire.Count(a.maxOutput())}
	var printed int64
	end := func(s *Stream) *string {
		if s == nil {
			return new("")
		}
		printed += s.Bytes
		text := jsontext.ValidUTF8(s.Text)
		if most := 2 * a.outputEnd(); len(text) > most || int64(len(s.Text)) < s.Bytes {
			w.Truncated = true
			text = joinEnds("", tailBytes(text, most))
		}
		return &text
	}
	w.Stdout, w.Stderr = end(a.Jobs.SoFar[0]), end(a.Jobs.SoFar[1])
	if w.Truncated {
		n := wire.Count(printed)
		w.OriginalSize, w.Reason = &n, "The task is not over; this is the end of what it has printed"
	}
	return w
}

func (j *Job) taskID() wire.Filled { return wire.Filled(localTask + j.ID) }

func (a *delegatorAnswer) ackMeta() *delegator.AckMeta {
	w := a.job.brief()
	return &delegator.AckMeta{QueuePosition: w.Position, EstimatedMS: w.StartsInMS, Warnings: a.texts(a.Warnings)}
}

func (a *delegatorAnswer) ackData() *delegator.Ack {
	j := a.job
	w := &delegator.Ack{TaskID: j.taskID(), Accepted: true, Capability: "background", StartedAt: wire.Stamp(a.begun(j))}
	if j.Timeout > 0 {
		w.Expected = "at most " + j.Timeout.Round(time.Millisecond).String()
	}
	return w
}

// begun returns when a job started, or was taken where it has not.
func (a *delegatorAnswer) begun(j *Job) time.Time {
	for _, t := range []time.Time{j.Started, j.Submitted} {
		if !t.IsZero() {
			return t
		}
	}
	return a.Started
}

// snapshotMeta counts the jobs that run or wait in total, as the document's example does.
func (a *delegatorAnswer) snapshotMeta() *delegator.SnapshotMeta {
	n := a.Jobs.Counts
	return &delegator.SnapshotMeta{SnapshotTS: a.ts(), Total: wire.Count(n.Running + n.Queued), Warnings: a.texts(a.Warnings)}
}

func (a *delegatorAnswer) snapshotData() *delegator.Snapshot {
	w := &delegator.Snapshot{}
	for i := range a.Jobs.List {
		switch j := &a.Jobs.List[i]; {
		case j.State == JobRunning:
			w.Tasks = append(w.Tasks, a.taskAtWork(j))
		case j.State == JobQueued:
			brief := j.brief()
			w.Queue = append(w.Queue, delegator.Queued{TaskID: j.taskID(), Position: j.waiting(), EstimatedMS: brief.StartsInMS})
		default:
			w.Completed = append(w.Completed, delegator.Finished{
				TaskID: j.taskID(), State: wire.Filled(j.taskState()), Duration: wire.Seconds(j.Elapsed), CompletedTS: wire.Stamp(j.Ended),
				LastLines: a.texts(j.LastLines),
			})
		}
	}
	slices.SortStableFunc(w.Completed, func(a, b delegator.Finished) int {
		return strings.Compare(string(b.CompletedTS), string(a.CompletedTS))
	})
	w.Summary = delegator.Counts{Running: wire.Count(len(w.Tasks)), Queued: wire.Count(len(w.Queue)), Completed: wire.Count(a.Jobs.Counts.Ended)}
	if len(w.Completed) == 0 {
		w.Summary.Completed = 0
	}
	return w
}

// waiting returns the place among the jobs that wait, where 0 is the next one: not
// that of execution_ack, where 0 runs.
func (j *Job) waiting() wire.Count {
	if j.Position == nil {
		return 0
	}
	return wire.Count(max(*j.Position-1, 0))
}

func (a *delegatorAnswer) taskAtWork(j *Job) delegator.Task {
	w := delegator.Task{
		TaskID: j.taskID(), State: delegator.TaskWorking, StartedTS: wire.Stamp(a.begun(j)), Elapsed: wire.Seconds(j.Elapsed), LastLines: a.texts(j.LastLines),
	}
	if line := a.short(oneLine(j.Activity)); line != "" || j.Pct != nil {
		w.Progress = &delegator.Progress{Percent: j.Pct, Activity: line}
	}
	return w
}

// taskState returns how a job that is over ended, as "State Values" has it.
func (j *Job) taskState() delegator.State {
	switch {
	case j.State == JobOK:
		return delegator.TaskCompleted
	case j.State == JobCanceled:
		return delegator.TaskCancelled
	case j.Code == ETIMEOUT:
		return delegator.TaskTimeout
	}
	return delegator.TaskFailed
}

func (a *delegatorAnswer) registryMeta() *delegator.RegistryMeta {
	w := &delegator.RegistryMeta{Warnings: a.texts(a.Warnings)}
	switch c := a.Jobs.Cleanup; {
	case a.Jobs.Kind == JobsCleanup && c != nil:
		stuck, old := wire.Seconds(c.StuckAfter), wire.Hours(c.OldAfter)
		w.DryRun, w.StuckSeconds, w.OldHours = &c.DryRun, &stuck, &old
	case a.Jobs.Kind == JobsList:
		n := wire.Count(len(a.Jobs.Runners))
		w.Count, w.Source = &n, a.Jobs.Source
	}
	return w
}

func (a *delegatorAnswer) registryData() *delegator.Registry {
	switch {
	case a.Jobs.Kind == JobsList:
		return a.environments()
	case a.Jobs.Kind == JobsCleanup:
		return a.Jobs.Cleanup.report()
	}
	j := a.job
	canceled := j.State == JobCanceled
	w := &delegator.Registry{TaskID: string(j.taskID()), State: j.stateWord(), Cancelled: &canceled}
	switch {
	case canceled:
		w.Summary = "The task was cancelled"
	case j.State.Over():
		w.Summary = "The task was over before; it is " + w.State
	default:
		w.Summary = "The task was asked to end, and has not yet"
	}
	return w
}

// stateWord returns the state of a job, whether it is over or not.
func (j *Job) stateWord() string {
	switch j.State {
	case JobRunning:
		return delegator.TaskWorking
	case JobQueued:
		return delegator.TaskQueued
	}
	return string(j.taskState())
}

func (a *delegatorAnswer) environments() *delegator.Registry {
	list := []delegator.Environment{}
	for _, r := range a.Jobs.Runners {
		list = append(list, delegator.Environment{
			ID: wire.Filled(r.ID), Name: r.Name, Repository: r.Workspace, TechStack: r.Platform,
			CreatedAt: wire.StampOrNone(r.Since), MaxTasks: wire.Count(max(r.MaxJobs, 0)),
		})
	}
	return &delegator.Registry{Environments: &list}
}

// report returns what a clean-up did, as "Cleanup Registry" has it.
func (c *JobCleanup) report() *delegator.Registry {
	if c == nil {
		c = &JobCleanup{}
	}
	ids := []string{}
	for _, id := range c.Stuck {
		if wire.IsULID(id) {
			ids = append(ids, localTask+id)
		}
	}
	w := &delegator.Registry{
		Stuck: &delegator.Stuck{Found: wire.Count(len(ids)), Cleaned: wire.Count(max(c.Cleaned, 0)), TaskIDs: ids},
		Old:   &delegator.Old{Found: wire.Count(max(c.OldFound, 0)), Deleted: wire.Count(max(c.OldDeleted, 0)), OldestHours: wire.Hours(c.Oldest)},
	}
	w.Summary = fmt.Sprintf("Cleaned %s, deleted %s", tasks(w.Stuck.Cleaned, "stuck"), tasks(w.Old.Deleted, "old"))
	if c.DryRun {
		w.Summary = fmt.Sprintf("Found %s and %s", tasks(w.Stuck.Found, "stuck"), tasks(w.Old.Found, "old"))
	}
	return w
}

func tasks(n wire.Count, kind string) string {
	if n == 1 {
		return "1 " + kind + " task"
	}
	return fmt.Sprintf("%d %s tasks", n, kind)
}
