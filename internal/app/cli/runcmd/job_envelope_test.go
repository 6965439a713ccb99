package runcmd

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/job"
)

// noon is when the questions of these tests are asked.
var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// jobRecord is a record of the n-th job, n minutes after noon less an hour.
func jobRecord(n int, state job.State) *job.Record {
	rec := &job.Record{
		ID: fmt.Sprintf("01JD3K5Y7Q000000000000%04d", n), State: state, Command: "exec/make", Tool: "make", Argv: []string{"make"},
		Workspace: "/home/dev/app", Submitted: noon.Add(time.Duration(n)*time.Minute - time.Hour), MaxJobs: 2,
	}
	if state != job.Queued {
		rec.Started = rec.Submitted.Add(time.Second)
	}
	if state.Over() {
		rec.Ended = rec.Started.Add(time.Minute)
		rec.Outcome = &job.Outcome{Kind: envelope.Success, ExitCode: new(0), Stdout: job.Output{Bytes: 3, Lines: 1}}
	}
	if state == job.Failed || state == job.Lost {
		rec.Outcome.Kind, rec.Outcome.Code, rec.Outcome.Message = envelope.Failure, envelope.ERUNTIME, "make: it went wrong"
	}
	return rec
}

// question is one that all answers pass.
func question() JobView {
	return JobView{Now: noon, requestID: "32ecfadc-2b66-4daa-a7c0-a03c449fcea5", agent: "claude", Workspace: "/home/dev/app"}
}

// mustAnswer is an answer that each dialect writes as one valid envelope.
func mustAnswer(t *testing.T, verb string, recs []*job.Record, v JobView) *envelope.Result {
	t.Helper()
	r := JobResult(verb, recs, v)
	mustSpell(t, r)
	return r
}

func mustSpell(t *testing.T, r *envelope.Result) {
	t.Helper()
	for _, d := range envelope.Dialects() {
		doc, err := envelope.Encode(d, r, envelope.EncodeOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range envelope.Validate(d, doc, envelope.ValidateOptions{Strict: true}) {
			t.Errorf("%s: %s\n%s", d.Name(), f, doc)
		}
	}
}

func TestJobResultOfEachStateAndVerb(t *testing.T) {
	states := []job.State{job.Queued, job.Running, job.OK, job.Failed, job.Canceled, job.Lost}
	for verb, kind := range map[string]envelope.JobsKind{
		"submit": envelope.JobsSubmit, "wait": envelope.JobsInfo, "status": envelope.JobsInfo, "results": envelope.JobsInfo,
		"tail": envelope.JobsTail, "cancel": envelope.JobsCancel, "ls": envelope.JobsList, "cleanup": envelope.JobsCleanup,
	} {
		for i, state := range states {
			recs := []*job.Record{jobRecord(i, state)}
			r := mustAnswer(t, verb, recs, question())
			if r.Jobs.Kind != kind || len(r.Jobs.List) != 1 || string(r.Jobs.List[0].State) != string(state) {
				t.Errorf("%s of a job that is %s: %+v", verb, state, r.Jobs)
			}
			if one := verb != "ls" && verb != "cleanup"; one != (r.JobID == recs[0].ID) {
				t.Errorf("%s is about job %q", verb, r.JobID)
			}
		}
	}
}

// A status of all jobs says who is next, and when that may be.
func TestStatusOfAllJobs(t *testing.T) {
	var recs []*job.Record
	for i := range 8 {
		recs = append(recs, jobRecord(i, job.OK))
	}

	recs = append(recs, jobRecord(10, job.Running), jobRecord(11, job.Queued), jobRecord(12, job.Queued))
	v := question()
	v.All, v.Usual = true, UsualDuration(recs, noon)
	v.Places = map[string]int{recs[9].ID: 1, recs[10].ID: 2}
	v.Glimpse = func(id string) Glimpse { return Glimpse{Lines: []string{"a", "b"}, Pct: new(12.5)} }
	r := mustAnswer(t, "status", recs, v)
	j := r.Jobs
	if !j.All || j.Counts != (envelope.JobCounts{Queued: 2, Running: 1, Ended: 8}) || len(j.List) != 8+1+2 {
		t.Fatalf("%+v", j)
	}
	var ids []string
	for _, one := range j.List {
		ids = append(ids, strings.TrimLeft(one.ID[22:], "0"))
		if one.State == envelope.JobRunning && (one.Activity != "b" || one.LastLines != nil || *one.Pct != 12.5) {
			t.Errorf("running: %+v", one)
		}
	}
	if got := strings.Join(ids, " "); got != " 1 2 3 4 5 6 7 10 11 12" {
		t.Errorf("the answer has %s", got)
	}
	next, last := j.List[9], j.List[10]
	if *next.Position != 1 || *last.Position != 2 {
		t.Errorf("places %d and %d", *next.Position, *last.Position)
	}
	if v.Usual < time.Minute || *last.StartsIn != v.Usual.Round(time.Millisecond) || *next.StartsIn >= *last.StartsIn {
		t.Errorf("start in %v and %v; usual is %v", *next.StartsIn, *last.StartsIn, v.Usual)
	}
	v.Omitted = 3 // what is left out counts all the same
	r = mustAnswer(t, "ls", recs[7:], v)
	if r.Jobs.Counts != (envelope.JobCounts{Queued: 2, Running: 1, Ended: 4}) || len(r.Jobs.List) != 4 {
		t.Errorf("with others left out: %+v", r.Jobs)
	}
}

// The answer about one job says what to ask next, of the store that was asked.
func TestAnswerAboutOneJob(t *testing.T) {
	v := question()
	waits := jobRecord(1, job.Queued)
	v.command, v.Places = "envwrap --store /s", map[string]int{waits.ID: 3}
	waits.Limits.Timeout = time.Minute
	r := mustAnswer(t, "submit", []*job.Record{waits}, v)
	one := r.Jobs.List[0]
	if r.Tool != "make" || *one.Position != 3 || one.Timeout != time.Minute || one.StartsIn != nil || r.Jobs.Next != "envwrap --store /s job wait "+waits.ID {
		t.Errorf("%+v of %s", r.Jobs, r.Tool)
	}
	over := jobRecord(2, job.Failed)
	r = mustAnswer(t, "status", []*job.Record{over}, question())
	one = r.Jobs.List[0]
	if one.Position != nil || one.Code != envelope.ERUNTIME || one.Stdout.Bytes != 3 || r.Jobs.Next != "envwrap job results "+over.ID {
		t.Errorf("%+v", r.Jobs)
	}
}

// The last lines of a tail are in the snapshot, stdout's after stderr's.
func TestTailShowsLastLines(t *testing.T) {
	v := question()
	v.Stdout, v.Stderr = TextStream([]byte("a\nb\nc\nd\n")), TextStream([]byte("x\ny\n"))
	r := mustAnswer(t, "tail", []*job.Record{jobRecord(1, job.Running)}, v)
	if got := strings.Join(r.Jobs.List[0].LastLines, " "); got != "y a b c d" {
		t.Errorf("last lines %q", got)
	}
	r = mustAnswer(t, "tail", []*job.Record{jobRecord(1, job.Failed)}, v)
	if got := strings.Join(r.Jobs.List[0].LastLines, " "); got != "y a b c d" {
		t.Errorf("last lines of a job that is over %q", got)
	}
}

// A line is shown by its beginning, and one that was rewritten as it was left.
func TestLinesOf(t *testing.T) {
	long := strings.Repeat("x", 3*LineMost)
	got := LinesOf([]byte("a\r\n\n 10%\r 20%\n" + long + "\n\xff"))
	if want := []string{"a", "20%", long[:LineMost], "\ufffd"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// The only job of an answer stays small enough to be inline.
func TestAnswerAboutLargeJob(t *testing.T) {
	rec := jobRecord(1, job.Running)
	rec.Argv = []string{"make", strings.Repeat("x", 100_000)}
	r := mustAnswer(t, "status", []*job.Record{rec}, question()) // which validates it
	if size := envelope.InlineSize(r); size > TailRoom {
		t.Errorf("%d bytes", size)
	}
}

// A job that is over is its run, in the category of the verb that asked.
func TestFinishedJobIsItsRun(t *testing.T) {
	rec := jobRecord(1, job.OK)
	run := &envelope.Result{
		Command: "exec/make", Tool: "make", Argv: []string{"make"}, RequestID: "00000000-0000-4000-8000-000000000000",
		Started: rec.Started, Ended: rec.Ended, Duration: time.Minute, Outcome: envelope.Outcome{Kind: envelope.Success, ExitCode: new(0)},
		Warnings: []string{"w"},
	}
	for verb, category := range map[string]string{"wait": "wait_result", "results": "result_set"} {
		v := question()
		v.Run, v.Warnings = run, []string{"the store is elsewhere"}
		r := mustAnswer(t, verb, []*job.Record{rec}, v)
		if r.Category != category || r.JobID != rec.ID || r.Jobs != nil || r.RequestID != v.requestID || len(r.Warnings) != 2 {
			t.Errorf("%s: %+v", verb, r)
		}
	}
	if run.JobID != "" || len(run.Warnings) != 1 {
		t.Errorf("the run was changed: %+v", run)
	}
}

func TestJobFailure(t *testing.T) {
	for _, c := range []struct {
		verb string
		err  error
		code envelope.Code
		kind string // in delegator/v3.6
	}{
		{"status", fmt.Errorf("job %q: %w", "01X", job.ErrNotFound), envelope.ENOTFOUND, "NOT_FOUND"},
		{"submit", fmt.Errorf("open: %w", job.ErrUnsupported), envelope.ESKILLDOWN, "UNSUPPORTED"},
		{"cancel", &job.AmbiguousError{Prefix: "01"}, envelope.EARG, "VALIDATION"},
		{"wait", cli.Usagef("ID is missing"), envelope.EARG, "VALIDATION"},
		{"ls", errors.New("read the jobs: no space left on device"), envelope.EIO, "INTERNAL"},
		{"results", fmt.Errorf("read it: %w", job.ErrDamaged), envelope.EIO, "INTERNAL"},
	} {
		r := jobFailure(c.verb, c.err, question())
		mustSpell(t, r)
		if r.Outcome.Code != c.code || r.Outcome.Message != c.err.Error() {
			t.Errorf("%v: %+v", c.err, r.Outcome)
		}
		d, _ := envelope.Lookup("delegator")
		doc, err := envelope.Encode(d, r, envelope.EncodeOptions{})
		if err != nil || !strings.Contains(string(doc), `"code":"`+c.kind+`"`) {
			t.Errorf("%v: %v, %s", c.err, err, doc)
		}
	}
}

// An answer says what is known of a job that a runner has: what its engine says, why that
// could not be asked, or who knows more. Of one that is over it says how it ended.
func TestJobSays(t *testing.T) {
	elsewhere := func(*job.Record) bool { return true }
	for name, c := range map[string]struct {
		state job.State
		far   *job.Far
		asked func(*job.Record) bool
		want  string
	}{
		"of here":     {job.Running, nil, nil, ""},
		"known":       {job.Running, &job.Far{Runner: "r"}, func(*job.Record) bool { return false }, ""},
		"elsewhere":   {job.Running, &job.Far{Runner: "r"}, elsewhere, `only runner "r" knows its state, which envwrap job status 01JD3K5Y7Q0000000000000001 asks for`},
		"says":        {job.Queued, &job.Far{Runner: "r", Engine: &job.EngineJob{Says: "PENDING"}}, nil, `runner "r" says PENDING`},
		"silent":      {job.Queued, &job.Far{Runner: "r", Engine: &job.EngineJob{}}, nil, ""},
		"unasked":     {job.Running, &job.Far{Runner: "r", Engine: &job.EngineJob{Says: "RUNNING", Unasked: "no route"}}, nil, `runner "r" cannot be asked, and this is what was last known: no route`},
		"over":        {job.OK, &job.Far{Runner: "r", Engine: &job.EngineJob{Says: "RUNNING", Unasked: "no route"}}, elsewhere, ""},
		"over, badly": {job.Failed, nil, nil, "make: it went wrong"},
	} {
		rec := jobRecord(1, c.state)
		rec.Far = c.far
		v := question()
		v.Elsewhere = c.asked
		v.Glimpse = func(string) Glimpse { return Glimpse{Lines: []string{"a", "b"}, Verbose: true} }
		v.Members = func(*job.Record) *envelope.JobMembers {
			return &envelope.JobMembers{Total: 5, OK: 1, Failed: 2, Queued: 1, Running: 1}
		}
		j := mustAnswer(t, "status", []*job.Record{rec}, v).Jobs.List[0]
		if j.Message != c.want || (j.Position == nil) != c.state.Over() || (j.Activity != "b") != c.state.Over() || (j.LastLines == nil) != c.state.Over() || j.Members != nil {
			t.Errorf("%s: %+v", name, j)
		}
		rec.Array = &job.Array{Members: 5}
		r := JobResult("status", []*job.Record{rec}, v)
		if j := r.Jobs.List[0]; j.Members == nil || j.Activity != "3 of 5 members ended, 2 failed" || j.LastLines != nil || r.Jobs.Group != rec.ID {
			t.Errorf("%s, a group: %+v", name, j)
		}
	}
}
