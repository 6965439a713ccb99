package engine

import (
	"context"
	"errors"
	"os/exec"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/internal/shared/errtext"
)

// slurmRow returns the engine of [runner.gpu] engine = "slurm" with values.
func slurmRow(t *testing.T, values map[string][]string) *Engine {
	t.Helper()
	e, err := New(Settings{Engine: "slurm", Values: values})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// An answer is what a program printed.
type answer struct {
	out, complaint string
	fails          bool
}

// recorded returns a caller that answers by the program's name.
func recorded(t *testing.T, answers map[string]answer) Caller {
	return func(_ context.Context, line []string, _ string) (string, string, error) {
		a, ok := answers[line[0]]
		if !ok {
			t.Errorf("nobody recorded %q", line)
		}
		var err error
		if a.fails {
			err = &exec.ExitError{}
		}
		return a.out, a.complaint, err
	}
}

var (
	accountingOff = answer{complaint: "Slurm accounting storage is disabled\n", fails: true}
	unknownJob    = answer{complaint: "slurm_load_jobs error: Invalid job id specified\n", fails: true}
	controllerOff = answer{complaint: "slurm_load_jobs error: Unable to contact slurm controller (connect failure)\n", fails: true}
)

// What the engine may still start, or runs, is not over.
func TestOver(t *testing.T) {
	for state, over := range map[State]bool{Unknown: false, Queued: false, Running: false, Succeeded: true, Failed: true, Preempted: true, Absent: true} {
		if state.Over() != over {
			t.Errorf("state %d: %t", state, !over)
		}
	}
}

// What squeue and sacct answer about a job, as Slurm 22.05 printed it, or as its manual says.
func TestSlurmStatus(t *testing.T) {
	e := slurmRow(t, nil)
	for name, c := range map[string]struct {
		answers map[string]answer
		want    Status
		fails   bool
	}{
		"pending":                  {map[string]answer{"squeue": {out: "2|PENDING (Resources)\n"}}, Status{State: Queued, Word: "PENDING (Resources)"}, false},
		"runs":                     {map[string]answer{"squeue": {out: "4|RUNNING (None)\n"}}, Status{State: Running, Word: "RUNNING"}, false},
		"its processes are ended":  {map[string]answer{"squeue": {out: "5|COMPLETING\n"}}, Status{State: Running, Word: "COMPLETING"}, false},
		"done":                     {map[string]answer{"squeue": {out: "1|COMPLETED\n"}}, Status{State: Succeeded, Word: "COMPLETED"}, false},
		"failed":                   {map[string]answer{"squeue": {out: "8|FAILED\n"}}, Status{State: Failed, Word: "FAILED"}, false},
		"forgotten":                {map[string]answer{"squeue": unknownJob, "sacct": accountingOff}, Status{State: Absent}, false},
		"no record yet":            {map[string]answer{"squeue": unknownJob, "sacct": {}}, Status{State: Absent}, false},
		"only accounting knows it": {map[string]answer{"squeue": unknownJob, "sacct": {out: "12|COMPLETED|0:0\n"}}, Status{State: Succeeded, Word: "COMPLETED"}, false},
		"canceled by a user":       {map[string]answer{"squeue": {}, "sacct": {out: "12|CANCELLED by 1000|0:15\n"}}, Status{State: Failed, Cause: CancelWord, Word: "CANCELLED by 1000"}, false},
		"canceled, cut":            {map[string]answer{"squeue": {}, "sacct": {out: "12|CANCELLED+|0:15\n"}}, Status{State: Failed, Cause: CancelWord, Word: "CANCELLED+"}, false},
		"the engine's time limit":  {map[string]answer{"squeue": {out: "9|TIMEOUT (TimeLimit)\n"}}, Status{State: Failed, Cause: TimeLimit, Word: "TIMEOUT (TimeLimit)"}, false},
		"out of memory":            {map[string]answer{"squeue": unknownJob, "sacct": {out: "12|OUT_OF_MEMORY|0:125\n"}}, Status{State: Failed, Cause: Memory, Word: "OUT_OF_MEMORY"}, false},
		"preempted":                {map[string]answer{"squeue": unknownJob, "sacct": {out: "12|PREEMPTED|0:0\n"}}, Status{State: Preempted, Word: "PREEMPTED"}, false},
		"queued again":             {map[string]answer{"squeue": unknownJob, "sacct": {out: "12|NODE_FAIL|0:0\n12|PENDING|0:0\n"}}, Status{State: Queued, Word: "PENDING"}, false},
		"the controller is down":   {map[string]answer{"squeue": controllerOff}, Status{}, true},
		"the database is down":     {map[string]answer{"squeue": unknownJob, "sacct": {complaint: "sacct: error: slurm_persist_conn_open: Connection refused", fails: true}}, Status{}, true},
		"a line without end":       {map[string]answer{"squeue": {out: "12|RUNNING (" + strings.Repeat("x", 3<<20) + ")\n"}}, Status{State: Running, Word: errtext.BoundTo("RUNNING ("+strings.Repeat("x", errtext.MaxValue*2), errtext.MaxValue)}, false},
		"no text":                  {map[string]answer{"squeue": {out: "12|RUN\xff\x1b[31m\n"}}, Status{State: Unknown, Word: "RUN\ufffd [31m"}, false},
		"a word of a later Slurm":  {map[string]answer{"squeue": {out: "12|POWER_UP_NODE\n"}}, Status{State: Unknown, Word: "POWER_UP_NODE"}, false},
	} {
		got, err := e.Status(t.Context(), recorded(t, c.answers), &Job{ID: "12"})
		if got != c.want || (err != nil) != c.fails {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

// sacct reports since midnight by default: a job from yesterday would be unknown.
func TestSlurmAsksBeyondMidnight(t *testing.T) {
	c := slurmCommands(slurmRow(t, nil))
	for _, line := range append(c.status, c.find...) {
		if line[0] == "sacct" && !slices.Contains(line, "--starttime=now-15days") {
			t.Errorf("%q", line)
		}
	}
}

func TestSlurmSubmit(t *testing.T) {
	e := slurmRow(t, map[string][]string{"partition": {"long"}, "cpus": {"2"}, "extra": {"--constraint=a100", "--export=ALL"}})
	e, err := e.With([]string{"cpus=4, memory=8G", "partition=long, short", "time=1:00:00"})
	if err != nil {
		t.Fatal(err)
	}
	j := &Job{Name: "envwrap-01", Dir: "/home/ada", Script: "/s/script", Out: "/s/log", Err: "/s/log"}
	var line []string
	for _, c := range []struct {
		answer
		id, fault string
	}{
		{answer{out: "12\n"}, "12", ""},
		{answer{out: "12;cluster\n"}, "12", ""},
		{answer{}, "", "sbatch printed no id"},
		{answer{out: strings.Repeat("1", 1<<10) + "\n"}, strings.Repeat("1", 1<<10), ""},
		{answer{out: strings.Repeat("1", 1<<20) + "\n"}, "", `is no id: it has 1048576 bytes, and begins with "1111`},
		{answer{out: "\xff12\n"}, "", "begins with \"\ufffd12\""},
		{answer{out: "\x1b[31m12\n"}, "", `begins with " [31m12"`},
		{answer{complaint: "sbatch: error: invalid partition specified: nope\nsbatch: error: Batch job submission failed: Invalid partition name specified\n", fails: true}, "", "sbatch: error: invalid partition specified: nope"},
		{answer{complaint: "sbatch: error: Batch job submission failed: Invalid job array specification\n", fails: true}, "", "specification: the numbers of a group have to be below MaxArraySize"},
	} {
		id, err := e.Submit(t.Context(), func(ctx context.Context, l []string, in string) (string, string, error) {
			line = l
			return recorded(t, map[string]answer{"sbatch": c.answer})(ctx, l, in)
		}, j)
		if id != c.id || (err == nil) != (c.fault == "") || err != nil && (!strings.Contains(err.Error(), c.fault) || len(err.Error()) > 1<<10) {
			t.Errorf("%.99q: %.99q, %.999v", c.out, id, err)
		}
	}
	want := strings.Fields("sbatch --parsable --no-requeue --job-name=envwrap-01 --chdir=/home/ada --output=/s/log --error=/s/log --export=HOME,LANG,LOGNAME,PATH,SHELL,USER" +
		" --partition=long,short --time=1:00:00 --cpus-per-task=4 --mem=8G --constraint=a100 --export=ALL /s/script")
	if !slices.Equal(line, want) {
		t.Errorf("%q", line)
	}
}

// A job whose id was lost is found by its name, in the queue or in the accounting.
func TestSlurmFind(t *testing.T) {
	e := slurmRow(t, nil)
	for name, c := range map[string]struct {
		answers map[string]answer
		id      string
		fails   bool
	}{
		"in the queue":           {map[string]answer{"squeue": {out: "7\n"}}, "7", false},
		"in the accounting":      {map[string]answer{"squeue": {}, "sacct": {out: "7\n"}}, "7", false},
		"nowhere":                {map[string]answer{"squeue": {}, "sacct": accountingOff}, "", false},
		"the controller is down": {map[string]answer{"squeue": controllerOff}, "", true},
		"no id":                  {map[string]answer{"squeue": {out: "7\t8\n"}}, "", true},
	} {
		if id, err := e.Find(t.Context(), recorded(t, c.answers), &Job{Name: "envwrap-01"}); id != c.id || (err != nil) != c.fails {
			t.Errorf("%s: %q, %v", name, id, err)
		}
	}
}

func TestSlurmStop(t *testing.T) {
	e := slurmRow(t, nil)
	var lines []string
	gone := func(_ context.Context, line []string, _ string) (string, string, error) {
		lines = append(lines, strings.Join(line, " "))
		return "", "scancel: error: Kill job error on job id 5: Invalid job id specified\n", &exec.ExitError{}
	}
	for step, more := 0, true; more; step++ {
		var err error
		if more, err = e.Stop(t.Context(), gone, &Job{ID: "5"}, step); err != nil {
			t.Error(err)
		}
	}
	if err := e.Cancel(t.Context(), gone, &Job{ID: "5"}); err != nil {
		t.Error(err)
	}
	if want := []string{"scancel --batch --signal=TERM 5", "scancel --batch --signal=INT 5", "scancel --batch --signal=KILL 5", "scancel 5"}; !slices.Equal(lines, want) {
		t.Errorf("%q", lines)
	}
	if err := e.Cancel(t.Context(), recorded(t, map[string]answer{"scancel": controllerOff}), &Job{ID: "5"}); err == nil {
		t.Error("nobody was asked")
	}
}

// A row of the user's own commands.
func TestCommandRow(t *testing.T) {
	e, err := New(Settings{
		Engine: "command",
		Values: map[string][]string{"submit": {"qsub", "-N", "{name}{{name}}", "-o", "{out}", "{script}"}, "status": {"qstate", "{id}"}, "cancel": {"qdel", "{id}"}},
		States: map[string]string{"E": "failed", "Q": "queued"},
	})
	if err != nil {
		t.Fatal(err)
	}
	var line []string
	id, err := e.Submit(t.Context(), func(_ context.Context, l []string, _ string) (string, string, error) {
		line = l
		return "42.server\nthank you\n", "", nil
	}, &Job{Name: "n", Out: "/o", Script: "/s"})
	if id != "42.server" || err != nil || !reflect.DeepEqual(line, []string{"qsub", "-N", "n{name}", "-o", "/o", "/s"}) {
		t.Errorf("%q, %v, %q", id, err, line)
	}
	for word, want := range map[string]State{"running": Running, "success": Succeeded, "failed": Failed, "E": Failed, "Q": Queued, "else": Unknown, "": Absent} {
		st, err := e.Status(t.Context(), recorded(t, map[string]answer{"qstate": {out: word + "\n"}}), &Job{ID: id})
		if st.State != want || err != nil {
			t.Errorf("%q: %+v, %v", word, st, err)
		}
	}
	if id, err := e.Find(t.Context(), nil, &Job{}); id != "" || err != nil {
		t.Error("a row without find finds nothing:", id, err)
	}
	for step := range 2 { // what ignores the first signal gets another
		if more, err := e.Stop(t.Context(), recorded(t, map[string]answer{"qdel": {}}), &Job{ID: id}, step); more != (step == 0) || err != nil {
			t.Error(step, more, err)
		}
	}
}

// What is wrong in a row is said in the words of the row.
func TestNewRefuses(t *testing.T) {
	list := map[string][]string{"submit": {"a"}, "status": {"b", "{id}"}, "cancel": {"c", "{name}"}}
	for want, s := range map[string]Settings{
		`there is no engine "lsf": there are slurm, kubernetes, command`: {Engine: "lsf"},
		`unknown key "image": the engine slurm has partition`:            {Engine: "slurm", Values: map[string][]string{"image": {"x"}}},
		`unknown key "command": the engine slurm has partition`:          {Engine: "slurm", Values: map[string][]string{"command": {"x"}}},
		`"time" takes one value`:                                         {Engine: "slurm", Values: map[string][]string{"time": {"1", "2"}}},
		`unknown key "states": the engine slurm has its own`:             {Engine: "slurm", States: map[string]string{"R": "running"}},

		`submit is missing`:                                   {Engine: "command"},
		`status is missing`:                                   {Engine: "command", Values: map[string][]string{"submit": {"a"}}},
		`cancel is missing`:                                   {Engine: "command", Values: map[string][]string{"submit": {"a"}, "status": {"b", "{id}"}}},
		`"submit" is a list of words, as in`:                  {Engine: "command", Values: map[string][]string{"submit": {}}},
		`"submit" is a list of words, as in ["program"`:       {Engine: "command", Values: map[string][]string{"submit": {"qsub {script}"}}},
		`"submit" has no placeholder {scrpt}: write {script}`: {Engine: "command", Values: map[string][]string{"submit": {"qsub", "-x{scrpt}"}}},
		`"status" has no placeholder {job_id}: write {id}`:    {Engine: "command", Values: map[string][]string{"status": {"stat", "{job_id}"}}},
		`"status" has no placeholder {ID}: write {id}`:        {Engine: "command", Values: map[string][]string{"status": {"stat", "{id}", "{ID}"}}},
		`"status" has to name the job, by {id}`:               {Engine: "command", Values: map[string][]string{"status": {"stat", "{dir}"}}},
		`"cancel" has to name the job, by {id}`:               {Engine: "command", Values: map[string][]string{"cancel": {"stop"}}},
		`find is missing`:                                     {Engine: "command", Values: map[string][]string{"submit": {"a"}, "status": {"b", "{id}"}, "cancel": {"c", "{name}"}, "logs": {"d", "{out}"}}},
		`array cannot be used with`:                           {Engine: "command", Values: map[string][]string{"submit": {"a"}, "status": {"b", "{id}"}, "cancel": {"c", "{name}"}, "find": {"f", "{name}"}, "logs": {"d", "{out}"}, "array": {"-t"}, "task": {"T"}}},
		`shared is true or false`:                             {Engine: "slurm", Values: map[string][]string{"shared": {"no"}}},
		`states: "over" is no state`:                          {Engine: "command", Values: list, States: map[string]string{"E": "over"}},
	} {
		if _, err := New(s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", want, err)
		}
	}
	for resource, want := range map[string]string{"cpus": "write KEY=VALUE", "cpus=": "write KEY=VALUE", "image=x": `the engine slurm has no resource "image": there are partition`} {
		if _, err := slurmRow(t, nil).With([]string{resource}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", resource, err)
		}
	}
	shell := map[string][]string{"submit": {"sh", "-c", `x=1; : ${nam} ${names:-{}} {out,err} {}; awk '{print} {next} {x = 1}' {script}`}, "status": {"grep", "x", "{out}"}, "cancel": list["cancel"]}
	if _, err := New(Settings{Engine: "command", Values: shell}); err != nil {
		t.Errorf("texts of a shell: %v", err)
	}
	e, err := New(Settings{Engine: "command", Values: list})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.With([]string{"cpus=1"}); err == nil || !strings.Contains(err.Error(), "it has none") {
		t.Error(err)
	}
}

// An error says what the program said, and keeps its status.
func TestFailure(t *testing.T) {
	e := slurmRow(t, nil)
	_, err := e.Status(t.Context(), recorded(t, map[string]answer{"squeue": controllerOff}), &Job{ID: "1"})
	if _, ok := errors.AsType[*exec.ExitError](err); !ok || !strings.Contains(err.Error(), "Unable to contact slurm controller") {
		t.Error(err)
	}
}

// A Slurm that shares no files prints to a file of its own side, which is read and removed
// there, and its job is dropped only while it waits.
func TestSlurmApart(t *testing.T) {
	e := slurmRow(t, map[string][]string{"shared": {"false"}, "partition": {"p"}})
	var lines []string
	call := func(_ context.Context, line []string, input string) (string, string, error) {
		lines = append(lines, strings.Join(line, " ")+"|"+input)
		return "12\n", "", nil
	}
	j := &Job{ID: "12", Name: "n", Dir: "/d", Script: StdinScript, Out: "n.log", Text: "text"}
	if _, err := e.Submit(t.Context(), call, j); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(e.Cancel(t.Context(), call, j), e.Forget(t.Context(), call, j)); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"sbatch --parsable --no-requeue --job-name=n --output=/dev/null --export=HOME,LANG,LOGNAME,PATH,SHELL,USER --partition=p /dev/stdin|text",
		"scancel --state=PENDING 12|", "rm -f n.log|",
	}
	if !slices.Equal(lines, want) || !e.Apart() || !e.Marked() || e.Arrays() || e.OwnLog(j) != "n.log" || !slices.Equal(e.Logs(j, false), []string{"cat", "n.log"}) {
		t.Errorf("%q", lines)
	}
}
