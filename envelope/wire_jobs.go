package envelope

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/envwrap/envwrap/envelope/internal/preview"
	"github.com/envwrap/envwrap/envelope/internal/wire"
	"github.com/envwrap/envwrap/internal/shared/jsontext"
)

// wireJobs is an answer about background jobs: the data of protocol/v1 and
// foxctl/v1, and the payload of the dialects that have no place of their own
// for such a thing. These say in command which question it answers.
type wireJobs struct {
	Command string       `json:"command,omitempty" doc:"jobs/submit, jobs/info, jobs/tail, jobs/cancel, jobs/ls or jobs/cleanup, where the envelope has no such member"`
	Group   wire.ULID    `json:"group,omitempty" doc:"id of the job that was asked about, if it is a group of many runs"`
	Job     *wireJob     `json:"job,omitempty" doc:"the job that was asked about"`
	Counts  *JobCounts   `json:"counts,omitempty" doc:"how many jobs there are, where all were asked about"`
	Jobs    *[]wireJob   `json:"jobs,omitempty" doc:"the jobs, in the order of submit; of jobs/ls the last one first"`
	Omitted wire.Count   `json:"omitted,omitempty" doc:"jobs for which there was no room"`
	Runners []wireRunner `json:"runners,omitempty" doc:"where jobs can run"`
	Store   string       `json:"store,omitempty" doc:"where the jobs are kept"`
	Cleanup *wireCleanup `json:"cleanup,omitempty" doc:"what was found and removed"`
	Stdout  *wireStream  `json:"stdout,omitempty" doc:"the end of standard output so far"`
	Stderr  *wireStream  `json:"stderr,omitempty" doc:"the end of standard error so far"`
	Next    string       `json:"next,omitempty" doc:"the command that shows more"`
	Hint    string       `json:"hint,omitempty" doc:"on an error, what the caller can do"`

	Warnings []string `json:"warnings,omitempty" doc:"what the caller should know, where the envelope has no other place for it"`
}

type wireJob struct {
	ID          wire.ULID      `json:"id" doc:"ULID of the job"`
	Name        string         `json:"name,omitempty" doc:"the name that the submit gave it"`
	State       JobState       `json:"state" doc:"how far it has come"`
	Command     wire.Command   `json:"command,omitempty" doc:"namespace/verb of its run"`
	Argv        []string       `json:"argv,omitempty" doc:"the command line, redacted"`
	SubmittedTS wire.Timestamp `json:"submitted_ts,omitempty" doc:"when it was submitted"`
	StartedTS   wire.Timestamp `json:"started_ts,omitempty" doc:"when its command started"`
	EndedTS     wire.Timestamp `json:"ended_ts,omitempty" doc:"when it was over"`
	ElapsedMS   *wire.Count    `json:"elapsed_ms,omitempty" doc:"wall time of its command"`
	Position    *wire.Count    `json:"queue_position,omitempty" doc:"place in the queue; 0 runs, 1 is next"`
	StartsInMS  *wire.Count    `json:"estimated_start_ms,omitempty" doc:"milliseconds until it starts, estimated"`
	TimeoutMS   wire.Count     `json:"timeout_ms,omitempty" doc:"the limit on its wall time"`
	Pct         *wire.Decimal  `json:"pct,omitempty" doc:"how much is done, as the command says"`
	LastLine    string         `json:"last_line,omitempty" doc:"the last line that it printed"`
	LastLines   []string       `json:"last_lines,omitempty" doc:"its last lines, at most five"`
	ExitCode    *int           `json:"exit_code,omitempty" doc:"the command's own status"`
	Signal      string         `json:"signal,omitempty" doc:"name of the signal that ended the command"`
	Code        string         `json:"code,omitempty" doc:"code of the catalog, where it failed"`
	Message     string         `json:"message,omitempty" doc:"one line for people, where it failed"`
	Stdout      *wireJobOutput `json:"stdout,omitempty" doc:"how much it has written to standard output"`
	Stderr      *wireJobOutput `json:"stderr,omitempty" doc:"how much it has written to standard error"`
	Members     *JobMembers    `json:"members,omitempty" doc:"of a group: how many runs there are, by their state"`
}

type wireJobOutput struct {
	Bytes    wire.Count  `json:"bytes" doc:"length of the redacted stream so far"`
	Lines    wire.Count  `json:"lines" doc:"newlines, plus one for an unfinished last line"`
	Artifact wire.Digest `json:"artifact,omitempty" doc:"digest of the stream in the store"`
}

type wireRunner struct {
	ID        wire.Filled    `json:"id" doc:"what meta.runner calls it"`
	Name      string         `json:"name" doc:"its name for people"`
	Workspace string         `json:"workspace,omitempty" doc:"absolute path of the workspace"`
	Platform  string         `json:"platform,omitempty" doc:"system and processor"`
	SinceTS   wire.Timestamp `json:"since_ts,omitempty" doc:"when the first job that is remembered was submitted"`
	MaxJobs   wire.Count     `json:"max_jobs,omitempty" doc:"how many jobs run at a time"`
}

type wireCleanup struct {
	DryRun       bool        `json:"dry_run" doc:"whether nothing was done"`
	StuckAfterMS wire.Count  `json:"stuck_after_ms" doc:"how long a job without a sign of life is left alone"`
	OldAfterMS   wire.Count  `json:"old_after_ms" doc:"how long a job that is over is remembered"`
	Stuck        []wire.ULID `json:"stuck" doc:"jobs that said they were alive and were dead"`
	Cleaned      wire.Count  `json:"cleaned" doc:"how many of them were settled"`
	OldFound     wire.Count  `json:"old_found" doc:"jobs that were over long enough"`
	OldDeleted   wire.Count  `json:"old_deleted" doc:"how many of them were removed"`
	OldestMS     wire.Count  `json:"oldest_age_ms" doc:"age of the oldest one"`
	FreedBytes   wire.Count  `json:"freed_bytes,omitempty" doc:"room that was made in the store"`
}

// jobsRoom is how much of the 32 KiB that stay inline the jobs may take.
const jobsRoom = inlineMost - 2<<10

// jobsPayload returns the answer as JSON, of at most some 30 KiB: where there is no
// room, jobs are described in brief, then the oldest ones that are over are left
// out, then others. The only job loses its last lines, then its command line.
//
// cmd is the command where the envelope has no member for it.
func (v *view) jobsPayload(cmd string) json.RawMessage {
	w := newWireJobs(v)
	room := jobsRoom
	if v.cut.inline > 0 {
		room = min(room, v.cut.inline)
	}
	if w.Command = cmd; cmd != "" {
		w.Warnings = v.texts(v.Warnings)
	}
	doc := wire.MustEncode(w)
	if w.Job != nil && len(doc) > room {
		w.Job.LastLines = nil
		doc = wire.MustEncode(w)
	}
	if w.Job != nil && len(doc) > room {
		w.Job.Argv = nil
		doc = wire.MustEncode(w)
	}
	if len(doc) <= room || w.Jobs == nil {
		return doc
	}
	w.Jobs = &[]wireJob{}
	left := room - len(wire.MustEncode(w)) - len(`,"omitted":000000`)
	kept := fitting(v.Jobs.List, left)
	w.Jobs, w.Omitted = &kept, w.Omitted+wire.Count(len(v.Jobs.List)-len(kept))
	return wire.MustEncode(w)
}

// fitting returns the jobs that can be described in brief in so many bytes, in their
// order: those that run first, then those that wait, then the last to end.
func fitting(jobs []Job, room int) []wireJob {
	brief, keep := make([]wireJob, len(jobs)), make([]bool, len(jobs))
	for i := range jobs {
		brief[i] = jobs[i].brief()
	}
	take := func(i int, wanted bool) {
		if !wanted {
			return
		}
		if room -= len(wire.MustEncode(&brief[i])) + 1; room >= 0 {
			keep[i] = true
		}
	}
	for i := range jobs {
		take(i, jobs[i].State == JobRunning)
	}
	for i := range jobs {
		take(i, jobs[i].State == JobQueued)
	}
	for i := range slices.Backward(jobs) {
		take(i, jobs[i].State.Over())
	}
	kept := brief[:0]
	for i := range brief {
		if keep[i] {
			kept = append(kept, brief[i])
		}
	}
	return kept
}

func newWireJobs(v *view) *wireJobs {
	j := v.Jobs
	w := &wireJobs{Omitted: wire.Count(j.Omitted), Group: wire.ULID(j.Group), Store: j.Source, Next: j.Next, Cleanup: j.Cleanup.wire(), Hint: v.short(v.Outcome.Hint)}
	if one := j.one(); one != nil {
		job := one.wire()
		w.Job = &job
	}
	if j.All {
		list := []wireJob{}
		for i := range j.List {
			list = append(list, j.List[i].wire())
		}
		w.Jobs, w.Counts = &list, &j.Counts
	}
	for _, r := range j.Runners {
		w.Runners = append(w.Runners, wireRunner{
			wire.Filled(r.ID), r.Name, r.Workspace, r.Platform, wire.StampOrNone(r.Since), wire.Count(r.MaxJobs),
		})
	}
	if j.Stdout != nil {
		w.Stdout = v.stream(j.Stdout)
	}
	if j.Stderr != nil {
		w.Stderr = v.stream(j.Stderr)
	}
	return w
}

func (j *Job) wire() wireJob {
	w := j.brief()
	w.Argv, w.LastLine, w.LastLines = j.Argv, oneLine(j.Activity), j.LastLines
	w.SubmittedTS, w.TimeoutMS = wire.StampOrNone(j.Submitted), wire.Milliseconds(j.Timeout)
	w.Message = oneLine(j.Message)
	w.Stdout, w.Stderr, w.Members = j.Stdout.wire(), j.Stderr.wire(), j.Members
	return w
}

// brief returns what an answer always has of a job.
func (j *Job) brief() wireJob {
	w := wireJob{
		ID: wire.ULID(j.ID), Name: j.Name, State: j.State,
		StartedTS: wire.StampOrNone(j.Started), EndedTS: wire.StampOrNone(j.Ended),
		ExitCode: j.ExitCode, Signal: j.Signal, Code: string(j.Code), Pct: converted[wire.Decimal](j.Pct),
		Position:   mapped(j.Position, func(n int) wire.Count { return wire.Count(max(n, 0)) }),
		StartsInMS: mapped(j.StartsIn, wire.Milliseconds),
	}
	if wire.IsCommand(j.Command) && len(j.Command) <= nameMax {
		w.Command = wire.Command(j.Command)
	}
	if !j.Started.IsZero() {
		w.ElapsedMS = new(wire.Milliseconds(j.Elapsed))
	}
	return w
}

func (o *JobOutput) wire() *wireJobOutput {
	if o == nil {
		return nil
	}
	w := &wireJobOutput{Bytes: wire.Count(max(o.Bytes, 0)), Lines: wire.Count(max(o.Lines, 0))}
	if wire.IsDigest(o.Artifact) {
		w.Artifact = wire.Digest(o.Artifact)
	}
	return w
}

func (c *JobCleanup) wire() *wireCleanup {
	if c == nil {
		return nil
	}
	w := &wireCleanup{
		DryRun: c.DryRun, StuckAfterMS: wire.Milliseconds(c.StuckAfter), OldAfterMS: wire.Milliseconds(c.OldAfter),
		Cleaned: wire.Count(c.Cleaned), OldFound: wire.Count(c.OldFound), OldDeleted: wire.Count(c.OldDeleted),
		OldestMS: wire.Milliseconds(c.Oldest), FreedBytes: wire.Count(max(c.Freed, 0)),
	}
	for _, id := range c.Stuck {
		if wire.IsULID(id) {
			w.Stuck = append(w.Stuck, wire.ULID(id))
		}
	}
	return w
}

// payload returns the payload of an envelope that was decoded, or what there is room
// for of it.
func (v *view) payload() json.RawMessage {
	if v.Jobs != nil {
		return v.jobsPayload(v.Command)
	}
	if v.hasRoom(v.Payload) {
		return v.Payload
	}
	return preview.JSON(v.Payload, v.cut.inline)
}

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
	j := &Jobs{Kind: kind, All: w.Jobs != nil, Omitted: int(w.Omitted), Group: string(w.Group), Next: w.Next, Source: w.Store, Cleanup: w.Cleanup.cleanup()}
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
		j.Runners = append(j.Runners, JobRunner{string(r.ID), r.Name, r.Workspace, r.Platform, wire.TimeIn(r.SinceTS), int(r.MaxJobs)})
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
		ID: string(w.ID), Name: w.Name, State: w.State, Command: string(w.Command), Argv: w.Argv,
		Submitted: wire.TimeIn(w.SubmittedTS), Started: wire.TimeIn(w.StartedTS), Ended: wire.TimeIn(w.EndedTS),
		Timeout: w.TimeoutMS.Duration(), Activity: w.LastLine, LastLines: w.LastLines,
		ExitCode: w.ExitCode, Signal: w.Signal, Code: Code(w.Code), Message: w.Message,
		Stdout: w.Stdout.output(), Stderr: w.Stderr.output(), Members: w.Members,
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
