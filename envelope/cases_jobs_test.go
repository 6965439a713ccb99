package envelope

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/envwrap/envwrap/internal/test/matrix"
)

// Ids of jobs in the order of submit.
const (
	jobA = "01JD3K5Y7Q8R9S0T1V2W3X4Y5Z"
	jobB = "01JD3K9MZC0000000000000001"
	jobC = "01JD3K9MZC0000000000000002"
	jobD = "01JD3KAAAA0000000000000003"
)

// asked is when the questions about jobs are asked.
var asked = time.Date(2026, 11, 20, 10, 5, 22, 0, time.UTC)

// ofJob makes r the run of a job.
func (r *Result) ofJob() *Result {
	r.JobID = r.TaskID
	return r
}

// results makes r the answer to a question for a job's results.
func (r *Result) results() *Result {
	r.ofJob().Category = "result_set"
	return r
}

// taskCases are runs of jobs that are over.
func taskCases(t testing.TB) []testCase {
	built := newRun(0, "", "", "make", "test").ofJob()
	built.Stdout = inStore("cc -c a.c\nok\n", digestA)
	failed := newRun(2, "cc -c a.c\n", "a.c:42:15: error: expected ;\nmake: *** [all] Error 1\n", "make").
		failed(Failure, ERUNTIME, "make ended with status 2: make: *** [all] Error 1", "Read the output for the cause.", ByTable).results()
	kept := newRun(2, "", "", "make").failed(Failure, ERUNTIME, "make ended with status 2: make: *** [all] Error 1", "Read the output for the cause.", ByTable).ofJob()
	kept.Stdout, kept.Stderr = inStore("cc -c a.c\n", digestA), inStore("a.c:1: error\nmake: *** [all] Error 1\n", digestB)
	late := newRun(0, "started\n", "still waiting\n", "sleep", "60").
		failed(Timeout, ETIMEOUT, "sleep timed out after 1 s", "Raise --timeout.", ByEnvwrap).results()
	late.Outcome.ExitCode, late.Outcome.Signal, late.Outcome.Timeout, late.Outcome.Retryable = nil, "SIGTERM", IdleTimeout, true
	canceled := newRun(0, "half", "", "make").failed(Canceled, ECANCELED, "make: canceled", "Submit it again if it is still wanted.", ByEnvwrap).results()
	canceled.Outcome.ExitCode, canceled.Outcome.Signal = nil, "SIGTERM"
	missing := newRun(0, "", "", "gti").notStarted().failed(NotStarted, ENOTFOUND, "gti: program not found on PATH", "Did you mean git?", ByEnvwrap).results()
	lost := newRun(0, "so far\n", "", "make").failed(Failure, ERUNTIME, "make: the job was lost while it ran", "Submit it again.", ByEnvwrap).ofJob()
	lost.Outcome.ExitCode, lost.Outcome.Retryable = nil, true
	events := newRun(0, "", "", "go", "test", "-json").results()
	_ = events.Stdout.Interpret([]byte("{\"n\":1}\n{\"n\":2}\n\n{\"n\":3}\n"), ParseText)
	none := newRun(1, "", "", "grep", "x").results()
	none.Outcome.Kind = Negative
	adopted := mustAdopt(t, &helperV1, newRun(0, `{"rows":3}`, "", "gather"), 0)
	adopted.JobID = jobA
	broken := mustAdopt(t, &helperV1, newRun(1, "", "no such table\n", "gather").failed(Failure, ENOTFOUND, "gather: no such table", "Create the table.", ByTable), 1)
	broken.JobID, broken.Category = jobA, "result_set"
	long := newRun(1, "A"+repeatText("é", 20_000)+"Z", "", "yes").failed(Failure, ERUNTIME, "yes ended with status 1", "h", ByStatus).ofJob()
	return []testCase{
		{"job-wait", "A job that is over is its run, with the job's id.", built, EncodeOptions{}},
		{"job-wait-failed", "In delegator/v3.6 a task that failed is an answer: status ok, state failed, and its output.", kept, EncodeOptions{}},
		{"job-wait-output", "max_output_bytes is for both streams, half each.", newRun(0, repeatText("0123456789", 50), "e\n", "make").ofJob(), EncodeOptions{IncludeOutput: IncludeAlways, MaxOutput: 400}},
		{"job-wait-long", "Of a long output that is included both ends are shown.", long, EncodeOptions{}},
		{"job-lost", "Nobody saw how the job ended.", lost, EncodeOptions{}},
		{"job-results", "Results leave the output out, and the events with their number.", events, EncodeOptions{}},
		{"job-results-output", "Results with the output that was asked for.", newRun(0, "out\n", "err\n", "make").results(), EncodeOptions{IncludeOutput: IncludeAlways}},
		{"job-results-negative", "No match is no failure.", none, EncodeOptions{}},
		{"job-results-failed", "The output of a failure is always there.", failed, EncodeOptions{IncludeOutput: IncludeNever}},
		{"job-results-timeout", "A job that timed out answers with its output up to then.", late, EncodeOptions{}},
		{"job-results-canceled", "Of a job that was canceled nothing went wrong.", canceled, EncodeOptions{}},
		{"job-results-missing", "A job whose program was not there.", missing, EncodeOptions{}},
		{"job-adopted", "A job whose command printed an envelope.", adopted, EncodeOptions{}},
		{"job-adopted-failed", "And one of a failure.", broken, EncodeOptions{}},
	}
}

// answer is a record about jobs.
func answer(j *Jobs) *Result {
	return &Result{
		Tool: "envwrap", RequestID: "32ecfadc-2b66-4daa-a7c0-a03c449fcea5", TraceID: "4bf92f3577b34da6a3ce929d0e0e4736",
		Workspace: "/home/dev/app", Agent: "claude", Started: asked, Ended: asked, Outcome: Outcome{Kind: Success}, Jobs: j,
	}
}

// about is an answer about one job.
func about(kind JobsKind, job Job) *Result {
	r := answer(&Jobs{Kind: kind, List: []Job{job}, Next: "envwrap job wait " + job.ID})
	r.Tool = job.Argv[0]
	return r
}

func runningJob() Job {
	return Job{
		ID: jobB, State: JobRunning, Command: "exec/make", Argv: []string{"make", "test"}, Submitted: asked.Add(-322 * time.Second),
		Started: asked.Add(-322 * time.Second), Elapsed: 322 * time.Second, Position: new(0), Timeout: 10 * time.Minute,
		Pct: new(50.0), Activity: "Analyzing codebase", Stdout: &JobOutput{Bytes: 1200, Lines: 30}, Stderr: &JobOutput{},
	}
}

func queuedJob() Job {
	return Job{
		ID: jobC, State: JobQueued, Command: "exec/go", Argv: []string{"go", "test"}, Submitted: asked.Add(-time.Second), Position: new(2), StartsIn: new(3 * time.Minute),
	}
}

func endedJob() Job {
	return Job{
		ID: jobA, State: JobOK, Command: "exec/lint", Argv: []string{"lint"}, Submitted: asked.Add(-17 * time.Minute), Started: asked.Add(-17 * time.Minute),
		Ended: asked.Add(-10 * time.Minute), Elapsed: 7 * time.Minute, ExitCode: new(0), Stdout: &JobOutput{200, 9, digestA}, Stderr: &JobOutput{},
	}
}

func failedJob() Job {
	j := endedJob()
	j.ID, j.State, j.Code, j.Message, j.ExitCode, j.Signal = jobD, JobFailed, ETIMEOUT, "lint timed out after 7 m", nil, "SIGTERM"
	j.Ended = j.Ended.Add(time.Minute)
	return j
}

// answerCases are answers about jobs, one for each question and each way in
// which it can be answered.
func answerCases() []testCase {
	quiet := runningJob()
	quiet.ID, quiet.Pct, quiet.Activity, quiet.Started, quiet.Elapsed = jobC, nil, "", asked.Add(-142*time.Second), 142*time.Second
	verbose := runningJob()
	verbose.LastLines = []string{"b", "c", "d", "e", "Analyzing codebase"}
	next := queuedJob()
	next.ID, next.Position = "01JD3K9MZC0000000000000009", new(1)
	list := []Job{endedJob(), runningJob(), quiet, next, failedJob()}
	all := &Jobs{Kind: JobsInfo, All: true, List: list, Counts: JobCounts{Queued: 1, Running: 2, Ended: 7}}
	tail := about(JobsTail, runningJob())
	tail.Jobs.Stdout, tail.Jobs.Stderr = new(Stream), new(Stream)
	_ = tail.Jobs.Stdout.Interpret([]byte("compiling a.c\ncompiling b.c\n"), ParseText)
	canceled := endedJob()
	canceled.State, canceled.Code, canceled.Message, canceled.ExitCode, canceled.Signal = JobCanceled, ECANCELED, "lint: canceled", nil, "SIGTERM"
	runners := answer(&Jobs{
		Kind: JobsList, All: true, List: list, Counts: CountJobs(list), Source: "/home/dev/.local/state/envwrap/jobs",
		Runners: []JobRunner{{"exec", "commands on this machine", "/home/dev/app", "linux/amd64", asked.Add(-24 * time.Hour), 10}},
	})
	cleanup := &JobCleanup{
		OldAfter: 24 * time.Hour, Stuck: []string{jobA, jobB, jobC}, Cleaned: 3, OldFound: 12, OldDeleted: 12, Oldest: 48 * time.Hour,
	}
	dry := *cleanup
	dry.DryRun, dry.Cleaned, dry.OldDeleted = true, 0, 0
	unknown := answer(&Jobs{Kind: JobsInfo})
	unknown.Outcome = Outcome{Kind: Failure, Code: ENOTFOUND, Message: `job "01JX": no such job`, Hint: "envwrap job ls shows the jobs.", ClassifiedBy: ByEnvwrap}
	lostID := answer(&Jobs{Kind: JobsInfo})
	lostID.Outcome, lostID.Category = unknown.Outcome, "result_set"
	waited := answer(&Jobs{Kind: JobsInfo})
	waited.Outcome, waited.Category = unknown.Outcome, "wait_result"
	unsupported := answer(&Jobs{Kind: JobsSubmit})
	unsupported.Outcome = Outcome{Kind: Failure, Code: ESKILLDOWN, Message: "background jobs need a Unix system", Hint: "Run it in the foreground.", ClassifiedBy: ByEnvwrap}
	warned := about(JobsSubmit, queuedJob())
	warned.Warnings = []string{"the store is in /tmp"}
	limited := queuedJob()
	limited.Timeout = 10 * time.Minute
	ended := about(JobsInfo, endedJob())
	ended.Jobs.Next = "envwrap job results " + jobA
	return []testCase{
		{"jobs-submit", "A job was taken, and waits.", warned, EncodeOptions{}},
		{"jobs-submit-queued", "A job was taken that has a time limit.", about(JobsSubmit, limited), EncodeOptions{}},
		{"jobs-submit-running", "A job was taken, and runs.", about(JobsSubmit, runningJob()), EncodeOptions{}},
		{"jobs-submit-unsupported", "This system has no jobs.", unsupported, EncodeOptions{}},
		{"jobs-info", "One job that runs.", about(JobsInfo, runningJob()), EncodeOptions{}},
		{"jobs-info-ended", "One that is over.", ended, EncodeOptions{}},
		{"jobs-info-verbose", "Its last lines were asked for.", about(JobsInfo, verbose), EncodeOptions{}},
		{"jobs-info-all", "All that run and wait, and the last to end.", answer(all), EncodeOptions{}},
		{"jobs-info-none", "There are none.", answer(&Jobs{Kind: JobsInfo, All: true}), EncodeOptions{}},
		{"jobs-info-unknown", "Nobody knows the job.", unknown, EncodeOptions{}},
		{"jobs-results-unknown", "Nor were its results to be had.", lostID, EncodeOptions{}},
		{"jobs-wait-unknown", "Nor can anybody wait for it.", waited, EncodeOptions{}},
		{"jobs-tail", "What a job has printed so far.", tail, EncodeOptions{}},
		{"jobs-cancel", "A job was canceled.", about(JobsCancel, canceled), EncodeOptions{}},
		{"jobs-cancel-over", "It was over before.", about(JobsCancel, endedJob()), EncodeOptions{}},
		{"jobs-ls", "The jobs, and where jobs can run.", runners, EncodeOptions{}},
		{"jobs-cleanup", "What is dead and old was removed.", answer(&Jobs{Kind: JobsCleanup, Cleanup: cleanup}), EncodeOptions{}},
		{"jobs-cleanup-dry", "Or would be.", answer(&Jobs{Kind: JobsCleanup, Cleanup: &dry}), EncodeOptions{}},
	}
}

// Many jobs are told of in brief, and those that are over go first.
func TestManyJobsStayInline(t *testing.T) {
	t.Parallel() // it takes long under the race detector
	j := &Jobs{Kind: JobsInfo, All: true}
	for i := range 600 {
		job := endedJob()
		if i%3 == 0 {
			job = runningJob()
		}
		j.List = append(j.List, job)
	}
	j.Counts = CountJobs(j.List)
	for i, o := range []EncodeOptions{{}, {Budget: 9000}} {
		for k, d := range Dialects() {
			if (i+k)%matrix.Every(2) > 0 || d.Name() == "delegator/v3.6" {
				continue // it has to show all that run
			}
			doc, err := Encode(d, answer(j), o)
			if err != nil {
				t.Fatal(err)
			}
			if faults := Validate(d, doc, ValidateOptions{Strict: true}); faults != nil {
				t.Errorf("%s: %v", d.Name(), faults)
			}
			if o.Budget > 0 && units(doc) > o.Budget {
				t.Errorf("%s: %d characters", d.Name(), units(doc))
			}
		}
	}
	doc, _ := Encode(&protocolV1, answer(j), EncodeOptions{})
	var w struct {
		Data struct {
			Omitted int
			Counts  JobCounts
			Jobs    []struct{ State JobState }
		}
	}
	if err := json.Unmarshal(doc, &w); err != nil {
		t.Fatal(err)
	}
	over := 0
	for _, job := range w.Data.Jobs {
		if job.State.Over() {
			over++
		}
	}
	if len(w.Data.Jobs)+w.Data.Omitted != 600 || w.Data.Counts.Running != 200 || over > 0 && len(w.Data.Jobs)-over != 200 {
		t.Errorf("%d jobs are told, %d of them over, and %d are not; counts %+v", len(w.Data.Jobs), over, w.Data.Omitted, w.Data.Counts)
	}
}
