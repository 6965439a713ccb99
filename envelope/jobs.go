package envelope

import (
	"slices"
	"time"

	"github.com/envwrap/envwrap/envelope/internal/wire"
)

// Jobs is an answer about background jobs: what they are doing, where they
// stand, what was done to them. What a job that is over has printed is no such
// answer but the job's run, a [Result] with a JobID.
//
// Every dialect spells it. protocol/v1 has the command jobs/<Kind>, and in data
// the members of [Jobs]; delegator/v3.6 has a tool category for each kind; the
// others carry the data of protocol/v1 as their payload.
type Jobs struct {
	Kind    JobsKind
	All     bool        // the question was about all jobs, not about the one in List
	List    []Job       // the jobs in the answer, in the order of submit
	Counts  JobCounts   // of all jobs that the question was about, in List or not
	Omitted int         // jobs of List that there was no room for
	Next    string      // the command that shows more; "" is absent
	Runners []JobRunner // of JobsList: where jobs can run
	Source  string      // of JobsList: where the jobs are kept, an absolute path
	Cleanup *JobCleanup // of JobsCleanup: what was done
	Stdout  *Stream     // of JobsTail: the end of what the job has printed so far
	Stderr  *Stream
	// SoFar is the end of what the job has printed on stdout and stderr until a
	// wait for it was over, as text; Bytes counts all. Only delegator/v3.6, whose
	// document wants it, shows it.
	SoFar [2]*Stream
}

// JobsKind says which question about jobs is answered.
type JobsKind string

const (
	JobsSubmit  JobsKind = "submit"  // a job was taken
	JobsInfo    JobsKind = "info"    // the states of jobs
	JobsTail    JobsKind = "tail"    // what a job has printed so far
	JobsCancel  JobsKind = "cancel"  // a job was asked to end
	JobsList    JobsKind = "ls"      // which jobs and runners there are
	JobsCleanup JobsKind = "cleanup" // what is old or dead was removed
)

func jobsKinds() []JobsKind {
	return []JobsKind{JobsSubmit, JobsInfo, JobsTail, JobsCancel, JobsList, JobsCleanup}
}

// JobState says how far a job has come.
type JobState string

const (
	JobQueued   JobState = "queued"
	JobRunning  JobState = "running"
	JobOK       JobState = "ok"
	JobFailed   JobState = "error"
	JobCanceled JobState = "canceled"
	JobLost     JobState = "lost" // nobody saw how it ended
)

// Limits returns the states that there are.
func (JobState) Limits() wire.Limits {
	return wire.OneOf(string(JobQueued), string(JobRunning), string(JobOK), string(JobFailed), string(JobCanceled), string(JobLost))
}

// Over reports whether the job has come to its end.
func (s JobState) Over() bool { return s != JobQueued && s != JobRunning }

// A Job is one job as an answer describes it.
type Job struct {
	ID        string // ULID
	State     JobState
	Command   string   // namespace/verb of its run
	Argv      []string // redacted
	Submitted time.Time
	Started   time.Time      // zero before its command started
	Ended     time.Time      // zero before it was over
	Elapsed   time.Duration  // wall time of its command until now, or until its end
	Position  *int           // place in the queue; 0 runs, 1 is next; nil once it is over
	StartsIn  *time.Duration // estimate of the time until it starts; nil where it is not known
	Timeout   time.Duration  // the limit on its wall time; 0 is none
	Pct       *float64       // 0 to 100, as the command printed it; nil where it does not
	Activity  string         // the last line that it printed, redacted; "" before the first
	LastLines []string       // its last lines, at most five, where they were asked for
	ExitCode  *int           // the command's own status; nil where it has none
	Signal    string         // "SIGTERM"; "" where no signal ended it
	Code      Code           // of the catalog; "" unless it failed
	Message   string         // one line; "" unless it failed
	Stdout    *JobOutput     // nil where nothing is known of it
	Stderr    *JobOutput
}

// LastLinesMost is the most lines that Job.LastLines has: delegator/v3.6 says so.
const LastLinesMost = 5

// A JobOutput says how much a job has printed, and where it is.
type JobOutput struct {
	Bytes    int64 // of the redacted stream, so far
	Lines    int64
	Artifact string // sha256:<64 hex>; "" where it is in no store
}

// JobCounts counts jobs by how far they have come.
type JobCounts struct {
	Queued  int `json:"queued" doc:"jobs that wait for their turn"`
	Running int `json:"running" doc:"jobs whose command runs"`
	Ended   int `json:"ended" doc:"jobs that are over and still remembered"`
}

// CountJobs counts the jobs of a list.
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

// A JobRunner is a place where jobs run.
type JobRunner struct {
	ID        string    // as meta.runner of protocol/v1 has it: "exec"
	Name      string    // for people
	Workspace string    // absolute path; "" where it is none in particular
	Platform  string    // "linux/amd64"
	Since     time.Time // of the first job that is remembered; zero where none is
	MaxJobs   int       // how many jobs run at a time
}

// A JobCleanup is what a clean-up found and did.
type JobCleanup struct {
	DryRun     bool          // nothing was done
	StuckAfter time.Duration // a job without a sign of life is stuck after that
	OldAfter   time.Duration // a job that is over is old after that
	Stuck      []string      // ids (ULID) of the jobs that were stuck
	Cleaned    int           // how many of them were settled
	OldFound   int
	OldDeleted int
	Oldest     time.Duration // age of the oldest one; 0 where none was old
	Freed      int64         // bytes; 0 where nobody has counted
}

// sound is j with what no dialect can spell left out or mended: jobs whose id is
// no ULID, runners without one, counts below the number of jobs in the list.
func (j *Jobs) sound() *Jobs {
	c := *j
	if !slices.Contains(jobsKinds(), c.Kind) {
		c.Kind = JobsInfo
	}
	c.List = nil
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

// one is the job that the answer is about, nil where it is about all or none.
func (j *Jobs) one() *Job {
	if j == nil || j.All || len(j.List) == 0 {
		return nil
	}
	return &j.List[0]
}

// jobsCommand is the protocol/v1 command of a kind.
func jobsCommand(k JobsKind) string { return "jobs/" + string(k) }
