package envelope

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/envwrap/envwrap/envelope/internal/delegator"
	"github.com/envwrap/envwrap/envelope/internal/wire"
)

// The functions of this file read answers about jobs from an envelope of envwrap or of another
// tool. Each returns nil if the data is not as envwrap writes it.

// localJob returns the ULID in the id of a task.
func localJob(id wire.Filled) (string, bool) {
	ulid, ok := strings.CutPrefix(string(id), localTask)
	return ulid, ok && wire.IsULID(ulid)
}

func readAck(w *delegator.Envelope, data json.RawMessage) *Jobs {
	if w.Error != nil {
		return &Jobs{Kind: JobsSubmit}
	}
	var d delegator.Ack
	var m delegator.AckMeta
	id, ok := localJob(d.TaskID)
	if wire.ReadInto(data, &d) && wire.ReadInto(wire.EncodeObject(w.Meta), &m) {
		id, ok = localJob(d.TaskID)
	}
	if !ok {
		return nil
	}
	j := Job{ID: id, State: JobQueued, Submitted: wire.TimeIn(d.StartedAt), Position: converted[int](m.QueuePosition)}
	if m.QueuePosition != nil && *m.QueuePosition == 0 {
		j.State, j.Started = JobRunning, j.Submitted
	}
	j.StartsIn = mapped(m.EstimatedMS, wire.Count.Duration)
	if limit, ok := strings.CutPrefix(d.Expected, "at most "); ok {
		j.Timeout, _ = time.ParseDuration(limit)
	}
	return &Jobs{Kind: JobsSubmit, List: []Job{j}}
}

func readSnapshot(w *delegator.Envelope, data json.RawMessage) *Jobs {
	if w.Error != nil {
		return &Jobs{Kind: JobsInfo}
	}
	var d delegator.Snapshot
	if !wire.ReadInto(data, &d) {
		return nil
	}
	j := &Jobs{Kind: JobsInfo, All: true, Counts: JobCounts{
		Queued: int(d.Summary.Queued), Running: int(d.Summary.Running), Ended: int(d.Summary.Completed),
	}}
	ok := true
	add := func(id wire.Filled, job Job) {
		var valid bool
		job.ID, valid = localJob(id)
		ok = ok && valid
		j.List = append(j.List, job)
	}
	for _, t := range d.Completed {
		add(t.TaskID, finishedTask(&t))
	}
	for _, t := range d.Tasks {
		add(t.TaskID, runningTask(&t))
	}
	for _, t := range d.Queue {
		add(t.TaskID, Job{State: JobQueued, Position: new(int(t.Position) + 1), StartsIn: mapped(t.EstimatedMS, wire.Count.Duration)})
	}
	if !ok {
		return nil
	}
	return j
}

func runningTask(t *delegator.Task) Job {
	j := Job{
		State: JobRunning, Started: wire.TimeIn(t.StartedTS), Elapsed: wire.FromSeconds(t.Elapsed), LastLines: t.LastLines, Position: new(0),
	}
	if p := t.Progress; p != nil {
		j.Pct, j.Activity = p.Percent, p.Activity
	}
	return j
}

func finishedTask(t *delegator.Finished) Job {
	j := Job{Ended: wire.TimeIn(t.CompletedTS), Elapsed: wire.FromSeconds(t.Duration), LastLines: t.LastLines}
	j.Started = j.Ended.Add(-j.Elapsed)
	j.setState(string(t.State))
	return j
}

// setState is the job's state for a task's.
func (j *Job) setState(s string) {
	switch s {
	case delegator.TaskWorking:
		j.State = JobRunning
	case delegator.TaskQueued:
		j.State = JobQueued
	case string(delegator.TaskCompleted):
		j.State = JobOK
	case string(delegator.TaskCancelled):
		j.State = JobCanceled
	case string(delegator.TaskTimeout):
		j.State, j.Code = JobFailed, ETIMEOUT
	default:
		j.State = JobFailed
	}
}

func readRegistry(w *delegator.Envelope, data json.RawMessage) *Jobs {
	if w.Error != nil {
		return &Jobs{Kind: JobsInfo}
	}
	var d delegator.Registry
	var m delegator.RegistryMeta
	if !wire.ReadInto(data, &d) || !wire.ReadInto(wire.EncodeObject(w.Meta), &m) {
		return nil
	}
	switch {
	case d.Environments != nil:
		return readRunners(&d, m.Source)
	case d.Stuck != nil && d.Old != nil:
		return readCleanup(&d, &m)
	case d.Cancelled != nil:
		id, ok := localJob(wire.Filled(d.TaskID))
		if !ok {
			return nil
		}
		j := Job{ID: id}
		j.setState(d.State)
		return &Jobs{Kind: JobsCancel, List: []Job{j}}
	}
	return nil
}

func readRunners(w *delegator.Registry, source string) *Jobs {
	j := &Jobs{Kind: JobsList, All: true, Source: source}
	for _, e := range *w.Environments {
		j.Runners = append(j.Runners, JobRunner{
			ID: string(e.ID), Name: e.Name, Workspace: e.Repository, Platform: e.TechStack, Since: wire.TimeIn(e.CreatedAt), MaxJobs: int(e.MaxTasks),
		})
	}
	return j
}

func readCleanup(w *delegator.Registry, m *delegator.RegistryMeta) *Jobs {
	c := &JobCleanup{
		Cleaned: int(w.Stuck.Cleaned), OldFound: int(w.Old.Found), OldDeleted: int(w.Old.Deleted), Oldest: wire.FromHours(w.Old.OldestHours),
	}
	for _, id := range w.Stuck.TaskIDs {
		ulid, _ := localJob(wire.Filled(id))
		c.Stuck = append(c.Stuck, ulid)
	}
	if m.DryRun != nil {
		c.DryRun = *m.DryRun
	}
	if m.StuckSeconds != nil {
		c.StuckAfter = wire.FromSeconds(*m.StuckSeconds)
	}
	if m.OldHours != nil {
		c.OldAfter = wire.FromHours(*m.OldHours)
	}
	return &Jobs{Kind: JobsCleanup, Cleanup: c}
}
