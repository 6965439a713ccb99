package runcmd

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/excerpt"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/cli/farend"
	"github.com/envwrap/envwrap/internal/shared/jsontext"
	"github.com/envwrap/envwrap/job"
)

// A JobView has the facts that an answer about jobs needs beside their records. A field
// with its zero value adds nothing.
type JobView struct {
	Now       time.Time // when the question was asked
	requestID string    // UUID of the answer
	traceID   string
	agent     string
	Workspace string // where the question was asked, absolute
	command   string // how envwrap is called, with --store where that was given; "" is "envwrap"
	Warnings  []string

	// All means that the question was about all jobs, not about a certain one.
	All bool
	// Omitted is how many finished jobs the answer leaves out.
	Omitted int
	// Places has the places in the queue by id, from 1. A job that is about to start
	// has none.
	Places map[string]int
	// Usual is how long jobs usually take, 0 if unknown.
	Usual time.Duration
	// Glimpse, if not nil, returns what the running job with an id has printed last.
	Glimpse func(id string) Glimpse
	// Members, if not nil, returns how far the members of a group are.
	Members func(*job.Record) *envelope.JobMembers
	// Group is the id of the group that a list is about, or "".
	Group string
	// Elsewhere, if not nil, reports whether only the runner of a job knows its state, and
	// was not asked.
	Elsewhere func(*job.Record) bool
	// Run is the finished run, for wait and results; nil while the job runs.
	Run *envelope.Result
	// Stdout and Stderr are the end of what a job has printed, for tail.
	Stdout, Stderr *envelope.Stream
	// SoFar is the same, for a wait that ended before the job.
	SoFar [2]*envelope.Stream

	Runners []envelope.JobRunner // for ls
	Store   string               // for ls: where the jobs are kept
	Cleanup *envelope.JobCleanup // for cleanup
}

// A Glimpse is the end of a job's output, and its size.
type Glimpse struct {
	Lines          []string // the last lines, masked, oldest first
	Verbose        bool     // all lines were asked for, not only the last one
	Pct            *float64 // as the command printed it
	Stdout, Stderr *envelope.JobOutput
}

// jobKind returns the answer that a verb gives. A wait or a question for results is
// answered by the run where it is over, and else by the state of the job.
func jobKind(verb string) envelope.JobsKind {
	switch verb {
	case "wait", "status", "results":
		return envelope.JobsInfo
	}
	return envelope.JobsKind(verb)
}

// JobResult returns the answer of a verb about jobs (submit, wait, status, results,
// tail, cancel, ls or cleanup), which any dialect can write. recs are the jobs that the
// question was about, in the order of submit: one, or with o.All any number.
func JobResult(verb string, recs []*job.Record, o JobView) *envelope.Result {
	kind := jobKind(verb)
	if o.Run != nil && (verb == "wait" || verb == "results") {
		return finishedJob(verb, recs[0], o)
	}
	r := o.outline(kind)
	r.Jobs = &envelope.Jobs{
		Kind: kind, All: o.All || verb == "ls" || verb == "cleanup" && recs != nil, Runners: o.Runners, Source: o.Store, Cleanup: o.Cleanup,
		Stdout: o.Stdout, Stderr: o.Stderr, SoFar: o.SoFar,
	}
	r.Category, r.Jobs.Group = endCategory(verb), o.Group
	for _, rec := range recs {
		j := o.job(rec)
		if verb == "tail" {
			j.LastLines = lastOf(append(LinesOf(textOf(o.Stderr)), LinesOf(textOf(o.Stdout))...))
		}
		r.Jobs.List = append(r.Jobs.List, j)
	}
	r.Jobs.Counts = envelope.CountJobs(r.Jobs.List)
	r.Jobs.Counts.Ended += o.Omitted
	if !r.Jobs.All && len(recs) == 1 {
		o.aboutOne(r, recs[0])
	}
	return r
}

// outline returns what every answer has.
func (o *JobView) outline(kind envelope.JobsKind) *envelope.Result {
	return &envelope.Result{
		Command: "jobs/" + string(kind), Tool: "envwrap", RequestID: o.requestID, TraceID: o.traceID,
		Agent: o.agent, Workspace: o.Workspace, Started: o.Now, Ended: o.Now, Warnings: o.Warnings,
		Outcome: envelope.Outcome{Kind: envelope.Success},
	}
}

// aboutOne adds what an answer about one job says of it, and what to ask next.
func (o *JobView) aboutOne(r *envelope.Result, rec *job.Record) {
	r.Tool, r.JobID = rec.Tool, rec.ID
	if rec.Array != nil {
		r.Jobs.Group = rec.ID
	}
	r.Workspace = cmp.Or(rec.Workspace, r.Workspace)
	r.TraceID = cmp.Or(rec.TraceID, r.TraceID)
	verb := "wait"
	if rec.State.Over() {
		verb = "results"
	}
	r.Jobs.Next = cmp.Or(o.command, "envwrap") + " job " + verb + " " + rec.ID
}

// finishedJob returns the run of a job that is over, as the answer to wait or results.
func finishedJob(verb string, rec *job.Record, o JobView) *envelope.Result {
	r := *o.Run
	r.JobID = rec.ID
	r.RequestID = cmp.Or(o.requestID, r.RequestID)
	r.Warnings = append(slices.Clone(r.Warnings), o.Warnings...)
	r.Category = endCategory(verb)
	return &r
}

// endCategory returns what delegator/v3.6 calls the answer of a verb that asks for the
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

// submitCategory is the name that delegator/v3.6 gives to the answer to a submit.
const submitCategory = "execution_ack"

// job returns what an answer says of one job.
func (o *JobView) job(rec *job.Record) envelope.Job {
	j := envelope.Job{
		ID: rec.ID, Name: rec.Name, State: envelope.JobState(rec.State), Command: rec.Command, Argv: rec.Argv,
		Submitted: rec.Submitted, Started: rec.Started, Ended: rec.Ended,
		Elapsed: rec.Elapsed(o.Now), Timeout: rec.Limits.Timeout,
	}
	if out := rec.Outcome; out != nil {
		j.ExitCode, j.Signal, j.Code, j.Message = out.ExitCode, out.Signal, out.Code, out.Message
		j.Stdout, j.Stderr = JobOutput(out.Stdout), JobOutput(out.Stderr)
	}
	if !rec.State.Over() && o.Glimpse != nil {
		o.Glimpse(rec.ID).into(&j)
	}
	if rec.Array != nil && o.Members != nil {
		if j.Members = o.Members(rec); j.Members != nil {
			j.Activity, j.LastLines = MembersText(j.Members), nil
		}
	}
	if rec.State.Over() {
		return j
	}
	if o.Elsewhere != nil && o.Elsewhere(rec) {
		j.Message = fmt.Sprintf("only runner %q knows its state, which %s job status %s asks for", rec.Far.Runner, cmp.Or(o.command, "envwrap"), rec.ID)
	}
	if rec.InEngine() && rec.Far.Engine.Says != "" {
		j.Message = fmt.Sprintf("runner %q says %s", rec.Far.Runner, rec.Far.Engine.Says)
	}
	if rec.InEngine() && rec.Far.Engine.Unasked != "" {
		j.Message = fmt.Sprintf("runner %q cannot be asked, and this is what was last known: %s", rec.Far.Runner, rec.Far.Engine.Unasked)
	}
	j.Position = new(0)
	if rec.State == job.Queued {
		j.Position = new(o.Places[rec.ID])
		j.StartsIn = startsIn(o.Usual, *j.Position, rec.MaxJobs)
	}
	return j
}

func (g Glimpse) into(j *envelope.Job) {
	if n := len(g.Lines); n > 0 {
		j.Activity = g.Lines[n-1]
	}
	if g.Verbose {
		j.LastLines = lastOf(g.Lines)
	}
	j.Pct, j.Stdout, j.Stderr = g.Pct, g.Stdout, g.Stderr
}

// lastOf returns the last lines, as many as a snapshot shows.
func lastOf(lines []string) []string {
	return lines[max(0, len(lines)-envelope.LastLinesMost):]
}

// textOf returns the text of a stream, nothing if none exists.
func textOf(s *envelope.Stream) []byte {
	if s == nil {
		return nil
	}
	return []byte(s.Text)
}

// JobOutput returns a stream of a job in the form of an answer.
func JobOutput(o job.Output) *envelope.JobOutput {
	return &envelope.JobOutput{Bytes: o.Bytes, Lines: o.Lines, Artifact: o.Artifact}
}

// DefaultRecent is how many finished jobs a status shows.
const DefaultRecent = 5

// LinesOf returns the lines of a text that are not empty, each cut to LineMost bytes.
// The last state of one that was redrawn with carriage returns counts.
func LinesOf(text []byte) []string {
	var lines []string
	for line := range strings.Lines(excerpt.Clean(string(text))) {
		line = strings.TrimSpace(line)
		if len(line) > LineMost {
			line = line[:LineMost-jsontext.Unfinished([]byte(line[:LineMost]))]
		}
		if line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// TextStream returns output as a stream.
func TextStream(p []byte) *envelope.Stream {
	s := &envelope.Stream{}
	_ = s.Interpret(p, envelope.ParseText) // only invalid JSON is an error
	return s
}

// TailRoom is the largest size of job tail's answer in bytes, so that it stays inline.
const TailRoom = 30 << 10

// jobFailure returns the answer if none exists: the job is not known, or the
// system has no jobs.
func jobFailure(verb string, err error, o JobView) *envelope.Result {
	r := o.outline(jobKind(verb))
	r.Jobs = &envelope.Jobs{Kind: jobKind(verb)}
	r.Category = endCategory(verb)
	out := envelope.Outcome{Kind: envelope.Failure, Code: envelope.EIO, Message: err.Error(), Retryable: true, ClassifiedBy: envelope.ByEnvwrap}
	for _, f := range jobFaults() {
		if errors.Is(err, f.is) {
			out.Code, out.Hint, out.Retryable = f.code, f.hint, false
		}
	}
	if unknown, ok := errors.AsType[*farend.UnknownError](err); ok {
		out = unknown.Outcome
	}
	if _, ok := errors.AsType[*job.AmbiguousError](err); ok {
		out.Code, out.Hint, out.Retryable = envelope.EARG, "Give more of the id; envwrap job ls shows all.", false
	}
	if _, ok := errors.AsType[*cli.UsageError](err); ok {
		out.Code, out.Hint, out.Retryable = envelope.EARG, "envwrap help job "+verb+" says how it is used.", false
	}
	r.Outcome = out
	return r
}

// A jobFault is a known reason for which there is no answer.
type jobFault struct {
	is   error
	code envelope.Code
	hint string
}

// ErrNeverCame means that a job was asked for that was not submitted, and is refused from
// now on (--or-refuse).
var ErrNeverCame = errors.New("was not submitted, and is refused from now on")

func jobFaults() []jobFault {
	return []jobFault{
		{job.ErrNotFound, envelope.ENOTFOUND, "envwrap job ls shows the jobs that are remembered; old ones are removed, and --store DIR looks into another store."},
		{job.ErrNoMark, envelope.ENOTFOUND, "Nothing was run: this is another store than the one that has the mark, or its jobs were removed."},
		{job.ErrRefused, envelope.EPOLICY, "Nothing was run: run it under another id."},
		{ErrNeverCame, envelope.ECANCELED, "A start of it that comes to this store is refused."},
		{job.ErrDamaged, envelope.EIO, "Nothing more is known of the job. envwrap job cleanup removes it a day after its submit."},
		{job.ErrUnsupported, envelope.ESKILLDOWN, "Run the command in the foreground, or name a --store on a local disk."},
	}
}
