package cli

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/job"
)

// A jobView is what an answer about jobs needs beside their records. The zero
// value of each member tells nothing.
type jobView struct {
	now       time.Time // when the question was asked
	requestID string    // UUID of the answer
	traceID   string
	agent     string
	workspace string // where the question was asked, absolute
	command   string // how envwrap is called, with --store where that was given; "" is "envwrap"
	warnings  []string

	// all: the question was about all jobs of recs, not about the only one.
	all bool
	// recent is how many of the jobs that are over a status tells of, the last
	// ones to end; 0 is 5, less than 0 all.
	recent int
	// last is how many jobs a list tells of, the last ones to be submitted; 0 is
	// all.
	last int
	// places are those in the queue, by id; 1 is next. A job that is about to start
	// has none any more.
	places map[string]int
	// usual is how long jobs take, 0 where nothing tells.
	usual time.Duration
	// glimpse tells what a job that runs has printed last, by its id; nil where
	// nobody has looked.
	glimpse func(id string) glimpse
	// run is the finished run, for wait and results; nil while the job goes on.
	run *envelope.Result
	// stdout and stderr are the end of what a job has printed, for tail.
	stdout, stderr *envelope.Stream
	// soFar is the same, for a wait that is over before the job.
	soFar [2]*envelope.Stream

	runners []envelope.JobRunner // for ls
	store   string               // for ls: where the jobs are kept
	cleanup *envelope.JobCleanup // for cleanup
}

// A glimpse is a look at the output of a job.
type glimpse struct {
	lines          []string // the last lines, masked, oldest first
	verbose        bool     // the lines were asked for, and not only the last one
	pct            *float64 // as the command printed it
	stdout, stderr *envelope.JobOutput
}

// jobKinds says which answer each verb gives. A wait or a question for results
// is answered by the run where it is over, and else by how the job stands.
var jobKinds = [...]struct {
	verb string
	kind envelope.JobsKind
}{
	{"submit", envelope.JobsSubmit},
	{"wait", envelope.JobsInfo},
	{"status", envelope.JobsInfo},
	{"results", envelope.JobsInfo},
	{"tail", envelope.JobsTail},
	{"cancel", envelope.JobsCancel},
	{"ls", envelope.JobsList},
	{"cleanup", envelope.JobsCleanup},
}

// jobKind is the answer that a verb gives, "" where there is no such verb.
func jobKind(verb string) envelope.JobsKind {
	for _, k := range jobKinds {
		if k.verb == verb {
			return k.kind
		}
	}
	return ""
}

// jobResult makes the answer of a verb about jobs: submit, wait, status,
// results, tail, cancel, ls or cleanup. Any dialect can spell it. recs are the
// jobs that the question was about, in the order of submit: one, or with
// o.all any number.
func jobResult(verb string, recs []*job.Record, o jobView) (*envelope.Result, error) {
	kind := jobKind(verb)
	switch {
	case kind == "":
		return nil, fmt.Errorf("answer about jobs: there is no verb %q", verb)
	case !o.all && verb != "cleanup" && verb != "ls" && len(recs) != 1:
		return nil, fmt.Errorf("answer job %s: it is about one job, and there are %d", verb, len(recs))
	case o.run != nil && (verb == "wait" || verb == "results"):
		return finishedJob(verb, recs[0], o), nil
	}
	r := o.outline(kind)
	r.Jobs = &envelope.Jobs{
		Kind: kind, All: o.all || verb == "ls" || verb == "cleanup" && recs != nil, Runners: o.runners, Source: o.store, Cleanup: o.cleanup,
		Stdout: o.stdout, Stderr: o.stderr, SoFar: o.soFar,
	}
	r.Category = endCategory(verb)
	for _, rec := range recs {
		j := o.job(rec)
		if verb == "tail" {
			j.LastLines = lastOf(append(linesOf(textOf(o.stderr)), linesOf(textOf(o.stdout))...))
		}
		r.Jobs.List = append(r.Jobs.List, j)
	}
	r.Jobs.Counts = envelope.CountJobs(r.Jobs.List)
	switch {
	case verb == "status" && o.all:
		r.Jobs.List = recentJobs(r.Jobs.List, o.recent)
	case verb == "ls" && o.last > 0:
		r.Jobs.List = r.Jobs.List[max(0, len(r.Jobs.List)-o.last):]
	}
	if !r.Jobs.All && len(recs) == 1 {
		o.aboutOne(r, recs[0])
	}
	return r, nil
}

// outline is what every answer has.
func (o *jobView) outline(kind envelope.JobsKind) *envelope.Result {
	return &envelope.Result{
		Command: "jobs/" + string(kind), Tool: "envwrap", RequestID: o.requestID, TraceID: o.traceID,
		Agent: o.agent, Workspace: o.workspace, Started: o.now, Ended: o.now, Warnings: o.warnings,
		Outcome: envelope.Outcome{Kind: envelope.Success},
	}
}

// aboutOne adds what an answer about one job says of it, and what to ask next.
func (o *jobView) aboutOne(r *envelope.Result, rec *job.Record) {
	r.Tool, r.JobID = rec.Tool, rec.ID
	r.Workspace = cmp.Or(rec.Workspace, r.Workspace)
	r.TraceID = cmp.Or(rec.TraceID, r.TraceID)
	verb := "wait"
	if rec.State.Over() {
		verb = "results"
	}
	r.Jobs.Next = cmp.Or(o.command, "envwrap") + " job " + verb + " " + rec.ID
}

// finishedJob is the run of a job that is over, as the answer to wait or results.
func finishedJob(verb string, rec *job.Record, o jobView) *envelope.Result {
	r := *o.run
	r.JobID = rec.ID
	r.RequestID = cmp.Or(o.requestID, r.RequestID)
	r.Warnings = append(slices.Clone(r.Warnings), o.warnings...)
	r.Category = endCategory(verb)
	return &r
}

// endCategory is what delegator/v3.6 calls the answer of a verb that asks for the
// run of a job that is over, "" for the other verbs.
func endCategory(verb string) string {
	switch verb {
	case "wait":
		return "wait_result"
	case "results":
		return "result_set"
	}
	return ""
}

// submitCategory is what delegator/v3.6 calls the answer to a submit.
const submitCategory = "execution_ack"

// job is what an answer tells of one job.
func (o *jobView) job(rec *job.Record) envelope.Job {
	j := envelope.Job{
		ID: rec.ID, State: envelope.JobState(rec.State), Command: rec.Command, Argv: rec.Argv,
		Submitted: rec.Submitted, Started: rec.Started, Ended: rec.Ended,
		Elapsed: rec.Elapsed(o.now), Timeout: rec.Limits.Timeout,
	}
	if out := rec.Outcome; out != nil {
		j.ExitCode, j.Signal, j.Code, j.Message = out.ExitCode, out.Signal, out.Code, out.Message
		j.Stdout, j.Stderr = jobOutput(out.Stdout), jobOutput(out.Stderr)
	}
	if rec.State.Over() {
		return j
	}
	if o.glimpse != nil {
		o.glimpse(rec.ID).into(&j)
	}
	j.Position = new(0)
	if rec.State == job.Queued {
		j.Position = new(o.places[rec.ID])
		j.StartsIn = startsIn(o.usual, *j.Position, rec.MaxJobs)
	}
	return j
}

func (g glimpse) into(j *envelope.Job) {
	if n := len(g.lines); n > 0 {
		j.Activity = g.lines[n-1]
	}
	if g.verbose {
		j.LastLines = lastOf(g.lines)
	}
	j.Pct, j.Stdout, j.Stderr = g.pct, g.stdout, g.stderr
}

// lastOf are the last lines, as many as a snapshot shows.
func lastOf(lines []string) []string {
	return lines[max(0, len(lines)-envelope.LastLinesMost):]
}

// textOf is the text of a stream, nothing where there is none.
func textOf(s *envelope.Stream) []byte {
	if s == nil {
		return nil
	}
	return []byte(s.Text)
}

func jobOutput(o job.Output) *envelope.JobOutput {
	return &envelope.JobOutput{Bytes: o.Bytes, Lines: o.Lines, Artifact: o.Artifact}
}

// defaultRecent is how many jobs that are over a status tells of.
const defaultRecent = 5

// recentJobs leaves out the jobs that are over, but for the last n to end.
func recentJobs(list []envelope.Job, n int) []envelope.Job {
	if n < 0 {
		return list
	}
	ended := slices.DeleteFunc(slices.Clone(list), func(j envelope.Job) bool { return !j.State.Over() })
	slices.SortStableFunc(ended, func(a, b envelope.Job) int { return b.Ended.Compare(a.Ended) })
	told := map[string]bool{}
	for _, j := range ended[:min(len(ended), cmp.Or(n, defaultRecent))] {
		told[j.ID] = true
	}
	return slices.DeleteFunc(list, func(j envelope.Job) bool { return j.State.Over() && !told[j.ID] })
}
