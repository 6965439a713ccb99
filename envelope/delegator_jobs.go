package envelope

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/envwrap/envwrap/envelope/internal/delegator"
	"github.com/envwrap/envwrap/envelope/internal/wire"
	"github.com/envwrap/envwrap/internal/jsontext"
)

// category returns the category of the tool that gives such an answer, by "Tool-to-Category
// Mapping".
func (j *Jobs) category() delegator.Category {
	switch j.Kind {
	case JobsSubmit:
		return delegator.ExecutionAck
	case JobsCancel, JobsList, JobsCleanup:
		return delegator.RegistryInfo
	}
	return delegator.StatusSnapshot
}

// delegatorAnswer returns meta and data of an answer about jobs.
func (v *view) delegatorAnswer() (wire.Fields, any) {
	var meta, data any
	switch v.delegatorCategory() {
	case delegator.WaitResult:
		meta, data = v.waitMeta(), v.waitData()
	case delegator.ResultSet:
		meta, data = &delegator.ResultMeta{Count: 1, Warnings: v.texts(v.Warnings)}, v.unfinished()
	case delegator.ExecutionAck:
		meta, data = v.ackMeta(), v.ackData()
	case delegator.StatusSnapshot:
		meta, data = v.snapshotMeta(), v.snapshotData()
	default:
		meta, data = v.registryMeta(), v.registryData()
	}
	return wire.FieldsIn(wire.MustEncode(meta)), data
}

// waitMeta returns meta of a wait that was over before its task.
func (v *view) waitMeta() *delegator.Meta {
	j := v.job()
	return &delegator.Meta{
		StartedTS: stamp(v.begun(j)), CompletedTS: v.ts(), DurationMS: milliseconds(v.Ended.Sub(v.begun(j))), Warnings: v.texts(v.Warnings),
	}
}

// waitData returns the data of a wait that was over before its task. The document has
// the state "timeout" for it, with what the task has printed so far.
func (v *view) waitData() *delegator.Data {
	j := v.job()
	summary := v.standing(j)
	lasted := seconds(v.Ended.Sub(v.begun(j)))
	output := v.outputSoFar()
	m := &delegator.Metadata{Duration: &lasted, TaskStatus: j.stateWord(), Error: &delegator.Context{
		Message: summary, Type: string(ETIMEOUT), TimeoutType: wire.TimeoutType(HardTimeout),
		Partial: &delegator.Partial{Output: tailBytes(*output.Stdout+*output.Stderr, tailKeep)},
	}}
	if v.Jobs.Next != "" {
		m.Error.Suggestions = []string{v.short("Wait again: " + v.Jobs.Next)}
	}
	return &delegator.Data{TaskID: j.taskID(), State: delegator.TaskTimeout, Summary: summary, Metadata: m, Output: output}
}

// unfinished returns the data of a result_set about a task that is not over.
func (v *view) unfinished() *delegator.Result {
	j := v.job()
	lasted := seconds(j.Elapsed)
	return &delegator.Result{
		TaskID: j.taskID(), State: delegator.TaskState(j.stateWord()), Summary: v.standing(j), Duration: lasted,
		Metadata: &delegator.Metadata{Duration: &lasted, TaskStatus: j.stateWord()},
		Output:   &delegator.Output{Reason: "The task is not over"},
		Events:   &delegator.Events{Reason: "The task is not over"},
	}
}

// standing says in one line how far a task has come.
func (v *view) standing(j *Job) string {
	if j.State == JobQueued {
		return "The task is queued; it has not started"
	}
	return "The task is still running after " + spokenSeconds(seconds(j.Elapsed))
}

// outputSoFar returns the end of what a task that is not over has printed.
func (v *view) outputSoFar() *delegator.Output {
	w := &delegator.Output{Included: true, MaxBytes: wire.Count(v.maxOutput())}
	var printed int64
	end := func(s *Stream) *string {
		if s == nil {
			return new("")
		}
		printed += s.Bytes
		text := jsontext.ValidUTF8(s.Text)
		if most := 2 * v.outputEnd(); len(text) > most || int64(len(s.Text)) < s.Bytes {
			w.Truncated = true
			text = joinEnds("", tailBytes(text, most))
		}
		return &text
	}
	w.Stdout, w.Stderr = end(v.Jobs.SoFar[0]), end(v.Jobs.SoFar[1])
	if w.Truncated {
		n := wire.Count(printed)
		w.OriginalSize, w.Reason = &n, "The task is not over; this is the end of what it has printed"
	}
	return w
}

func (j *Job) taskID() wire.Filled { return wire.Filled(localTask + j.ID) }

// job returns the job that the answer is about, an empty one where it has none.
func (v *view) job() *Job {
	if one := v.Jobs.one(); one != nil {
		return one
	}
	if len(v.Jobs.List) > 0 {
		return &v.Jobs.List[0]
	}
	return &Job{ID: v.taskID(), State: JobQueued}
}

func (v *view) ackMeta() *delegator.AckMeta {
	w := v.job().brief()
	return &delegator.AckMeta{QueuePosition: w.Position, EstimatedMS: w.StartsInMS, Warnings: v.texts(v.Warnings)}
}

func (v *view) ackData() *delegator.Ack {
	j := v.job()
	w := &delegator.Ack{TaskID: j.taskID(), Accepted: true, Capability: "background", StartedAt: stamp(v.begun(j))}
	if j.Timeout > 0 {
		w.Expected = "at most " + j.Timeout.Round(time.Millisecond).String()
	}
	return w
}

// begun returns when a job started, or was taken where it has not.
func (v *view) begun(j *Job) time.Time {
	for _, t := range []time.Time{j.Started, j.Submitted} {
		if !t.IsZero() {
			return t
		}
	}
	return v.Started
}

// snapshotMeta counts in total what is under way, as the document's example does.
func (v *view) snapshotMeta() *delegator.SnapshotMeta {
	n := v.Jobs.Counts
	return &delegator.SnapshotMeta{SnapshotTS: v.ts(), Total: wire.Count(n.Running + n.Queued), Warnings: v.texts(v.Warnings)}
}

func (v *view) snapshotData() *delegator.Snapshot {
	w := &delegator.Snapshot{}
	for i := range v.Jobs.List {
		switch j := &v.Jobs.List[i]; {
		case j.State == JobRunning:
			w.Tasks = append(w.Tasks, v.taskAtWork(j))
		case j.State == JobQueued:
			brief := j.brief()
			w.Queue = append(w.Queue, delegator.Queued{TaskID: j.taskID(), Position: j.waiting(), EstimatedMS: brief.StartsInMS})
		default:
			w.Completed = append(w.Completed, delegator.Finished{
				TaskID: j.taskID(), State: wire.Filled(j.taskState()), Duration: seconds(j.Elapsed), CompletedTS: stamp(j.Ended),
				LastLines: v.texts(j.LastLines),
			})
		}
	}
	slices.SortStableFunc(w.Completed, func(a, b delegator.Finished) int {
		return strings.Compare(string(b.CompletedTS), string(a.CompletedTS))
	})
	w.Summary = delegator.Counts{Running: wire.Count(len(w.Tasks)), Queued: wire.Count(len(w.Queue)), Completed: wire.Count(v.Jobs.Counts.Ended)}
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

func (v *view) taskAtWork(j *Job) delegator.Task {
	w := delegator.Task{
		TaskID: j.taskID(), State: delegator.TaskWorking, StartedTS: stamp(v.begun(j)), Elapsed: seconds(j.Elapsed), LastLines: v.texts(j.LastLines),
	}
	if line := v.short(oneLine(j.Activity)); line != "" || j.Pct != nil {
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

func seconds(d time.Duration) float64 { return float64(max(d, 0).Milliseconds()) / 1000 }

// hours returns a duration in hours, to the thousandth.
func hours(d time.Duration) float64 { return math.Round(max(d, 0).Hours()*1000) / 1000 }

func (v *view) registryMeta() *delegator.RegistryMeta {
	w := &delegator.RegistryMeta{Warnings: v.texts(v.Warnings)}
	switch c := v.Jobs.Cleanup; {
	case v.Jobs.Kind == JobsCleanup && c != nil:
		stuck, old := seconds(c.StuckAfter), hours(c.OldAfter)
		w.DryRun, w.StuckSeconds, w.OldHours = &c.DryRun, &stuck, &old
	case v.Jobs.Kind == JobsList:
		n := wire.Count(len(v.Jobs.Runners))
		w.Count, w.Source = &n, v.Jobs.Source
	}
	return w
}

func (v *view) registryData() *delegator.Registry {
	switch {
	case v.Jobs.Kind == JobsList:
		return v.environments()
	case v.Jobs.Kind == JobsCleanup:
		return v.Jobs.Cleanup.report()
	}
	j := v.job()
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

func (v *view) environments() *delegator.Registry {
	list := []delegator.Environment{}
	for _, r := range v.Jobs.Runners {
		list = append(list, delegator.Environment{
			ID: wire.Filled(r.ID), Name: r.Name, Repository: r.Workspace, TechStack: r.Platform,
			CreatedAt: stampOrNone(r.Since), MaxTasks: wire.Count(max(r.MaxJobs, 0)),
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
		Old:   &delegator.Old{Found: wire.Count(max(c.OldFound, 0)), Deleted: wire.Count(max(c.OldDeleted, 0)), OldestHours: hours(c.Oldest)},
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

// delegatorCategory returns the category of the tool that answers: of the tools of jobs the
// one that the answer is of, and of a run, or where there is no answer, what the
// record says.
func (v *view) delegatorCategory() delegator.Category {
	switch {
	case v.Jobs != nil && (v.Category == "" || v.Outcome.OK() && !v.Jobs.unfinished()):
		return v.Jobs.category()
	case v.Category != "":
		return delegator.Category(v.Category)
	}
	return delegator.WaitResult
}
