package envelope

import (
	"slices"
	"time"

	"github.com/envwrap/envwrap/envelope/internal/wire"
	"github.com/envwrap/envwrap/internal/shared/outcome"
)

// Jobs is an answer about background jobs: their states, and what was done to them. The
// output of a job that is over is not one: it is in the record of its run, a [Result]
// with a JobID.
//
// Every dialect can carry it. protocol/v1 has the command jobs/<Kind>, and in data the
// members of Jobs; delegator/v3.6 has a tool category for each kind; the others have
// the data of protocol/v1 as their payload.
type Jobs struct {
	Kind    JobsKind
	All     bool        // the question was about all jobs, not just the one in List
	List    []Job       // the jobs in the answer, in the order of submit
	Counts  JobCounts   // counts all jobs that the question was about, in List or not
	Omitted int         // jobs that List has no room for
	Group   string      // the id of the only job, if that is a group of many; else ""
	Next    string      // the command that shows more; "" if none exists
	Runners []JobRunner // of JobsList: where jobs can run
	Source  string      // of JobsList: where the jobs are kept, an absolute path
	Cleanup *JobCleanup // of JobsCleanup: what was done
	Stdout  *Stream     // of JobsTail: the end of what the job has printed so far
	Stderr  *Stream
	// SoFar is the end, as text, of what the job had printed on stdout and stderr when
	// a wait for it ended; Bytes counts all of it. Only delegator/v3.6, whose document
	// requires it, has it.
	SoFar [2]*Stream
}

// JobsKind is the question about jobs that is answered.
type JobsKind string

const (
	JobsSubmit  JobsKind = "submit"  // a job was submitted
	JobsInfo    JobsKind = "info"    // the states of jobs
	JobsTail    JobsKind = "tail"    // what a job has printed so far
	JobsCancel  JobsKind = "cancel"  // a job was asked to end
	JobsList    JobsKind = "ls"      // which jobs and runners there are
	JobsCleanup JobsKind = "cleanup" // old and dead jobs were removed
)

func jobsKinds() []JobsKind {
	return []JobsKind{JobsSubmit, JobsInfo, JobsTail, JobsCancel, JobsList, JobsCleanup}
}

// JobState is a stage of a job.
type JobState string

const (
	JobQueued   JobState = "queued"
	JobRunning  JobState = "running"
	JobOK       JobState = "ok"
	JobFailed   JobState = "error"
	JobCanceled JobState = "canceled"
	JobLost     JobState = "lost" // it is not known how it ended
)

// Limits returns all states.
func (JobState) Limits() wire.Limits {
	return wire.OneOf(string(JobQueued), string(JobRunning), string(JobOK), string(JobFailed), string(JobCanceled), string(JobLost))
}

// Over reports whether the job has ended.
func (s JobState) Over() bool { return s != JobQueued && s != JobRunning }

// A Job is a background job in an answer about jobs.
type Job struct {
	ID        string // ULID
	Name      string // the name given at submit, or ""
	State     JobState
	Command   string   // namespace/verb of its run
	Argv      []string // redacted
	Submitted time.Time
	Started   time.Time      // zero before its command started
	Ended     time.Time      // zero before it was over
	Elapsed   time.Duration  // wall time of its command so far, or until its end
	Position  *int           // place in the queue; 0 if it runs, 1 if it is next; nil once it is over
	StartsIn  *time.Duration // estimate of the time until it starts; nil if unknown
	Timeout   time.Duration  // the limit on its wall time; 0 means no limit
	Pct       *float64       // 0 to 100, as the command printed it; nil if it did not
	Activity  string         // the last line that it printed, redacted; "" before there is one
	LastLines []string       // its last lines, at most LastLinesMost, if they were asked for
	ExitCode  *int           // the command's own status; nil if it has none
	Signal    string         // "SIGTERM"; "" if no signal ended it
	Code      outcome.Code   // of the catalog; "" unless it failed
	Message   string         // one line; "" unless it failed
	Stdout    *JobOutput     // nil if unknown
	Stderr    *JobOutput
	Members   *JobMembers // of a group; nil for any other job
}

// JobMembers counts the members of a group by their state.
type JobMembers struct {
	Total    int   `json:"total" doc:"how many members there are"`
	Queued   int   `json:"queued" doc:"members that are to run"`
	Running  int   `json:"running" doc:"members whose command runs"`
	OK       int   `json:"ok" doc:"members that ended without an error"`
	Failed   int   `json:"error" doc:"members that ended with an error"`
	Canceled int   `json:"canceled" doc:"members that were canceled"`
	Lost     int   `json:"lost" doc:"members of which nothing is known, since the group was lost"`
	First    []int `json:"first_failed,omitempty" doc:"numbers of the first members, at most 20, that ended with another state than ok"`
}

// FirstFailedMost is the largest number of members in JobMembers.First.
const FirstFailedMost = 20

// LastLinesMost is the largest number of lines in Job.LastLines, as specified by
// delegator/v3.6.
const LastLinesMost = 5

// A JobOutput is how much a job has printed, and the artifact that has it.
type JobOutput struct {
	Bytes    int64 // of the redacted stream, so far
	Lines    int64
	Artifact string // sha256:<64 hex>; "" if it is not in the store
}

// JobCounts counts jobs by their state.
type JobCounts struct {
	Queued  int `json:"queued" doc:"jobs that wait for their turn"`
	Running int `json:"running" doc:"jobs whose command runs"`
	Ended   int `json:"ended" doc:"jobs that are over and still remembered"`
}

// CountJobs counts the jobs in a list.
func CountJobs(list []Job) JobCounts {
	var c JobCounts
	for i := range list {
		switch list[i].State {
		case JobQueued:
			c.Queued++
		case JobRunning:
			c.Running++
		default:
			c.Ended++
		}
	}
	return c
}

// A JobRunner is a place that runs jobs.
type JobRunner struct {
	ID        string    // as meta.runner of protocol/v1 has it: "exec"
	Name      string    // for people
	Workspace string    // absolute path; "" for no particular one
	Platform  string    // "linux/amd64"
	Since     time.Time // time of the first job that is remembered; zero if none exists
	MaxJobs   int       // how many jobs run at a time
}

// A JobCleanup reports which jobs a clean-up found and deleted.
type JobCleanup struct {
	DryRun     bool          // nothing was done
	StuckAfter time.Duration // how long a job may show no activity before it is stuck
	OldAfter   time.Duration // how long a job must have been over to be old
	Stuck      []string      // ids (ULID) of the jobs that were stuck
	Cleaned    int           // how many of them were recorded as lost
	OldFound   int
	OldDeleted int
	Oldest     time.Duration // age of the oldest one; 0 if none was old
	Freed      int64         // bytes; 0 if not counted
}

// sound returns j with what no dialect can spell left out or mended: jobs whose id is
// no ULID, runners without one, counts below the number of jobs in the list.
func (j *Jobs) sound() *Jobs {
	c := *j
	if !slices.Contains(jobsKinds(), c.Kind) {
		c.Kind = JobsInfo
	}
	if c.List = nil; !wire.IsULID(c.Group) {
		c.Group = ""
	}
	for _, job := range j.List {
		if !wire.IsULID(job.ID) || !slices.Contains(JobState("").Limits().Enum, string(job.State)) {
			continue
		}
		job.LastLines = job.LastLines[max(0, len(job.LastLines)-LastLinesMost):]
		c.List = append(c.List, job)
	}
	c.Runners = slices.DeleteFunc(slices.Clone(j.Runners), func(r JobRunner) bool { return r.ID == "" })
	if listed := CountJobs(c.List); !c.All {
		c.Counts = listed
		c.List = c.List[:min(len(c.List), 1)]
	} else {
		c.Counts = JobCounts{
			Queued: max(c.Counts.Queued, listed.Queued), Running: max(c.Counts.Running, listed.Running), Ended: max(c.Counts.Ended, listed.Ended),
		}
	}
	return &c
}

// unfinished reports whether the answer is about one job, which is not over.
func (j *Jobs) unfinished() bool { return j.one() != nil && !j.one().State.Over() }

// one returns the job that the answer is about, nil where it is about all or none.
func (j *Jobs) one() *Job {
	if j == nil || j.All || len(j.List) == 0 {
		return nil
	}
	return &j.List[0]
}

// jobsCommand returns the protocol/v1 command of a kind.
func jobsCommand(k JobsKind) string { return "jobs/" + string(k) }
