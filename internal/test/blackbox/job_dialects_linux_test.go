package blackbox

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/test/matrix"
)

// A category is delegator/v3.6's name for the kind of an answer.
func category(t *testing.T, doc string) (category, state string) {
	t.Helper()
	var e struct {
		Category string `json:"tool_category"`
		Data     struct{ State string }
	}
	if err := json.Unmarshal([]byte(doc), &e); err != nil {
		t.Fatal(err)
	}
	return e.Category, e.Data.State
}

// Each verb answers in each dialect with one envelope that its strict check
// takes, with the status that the verb has.
func TestJobVerbsInEveryDialect(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ok := b.submit("echo hello; echo oops >&2")
	failed := b.submit("seq 1 30000; echo boom >&2; exit 3")
	late := b.submit("echo begun; sleep 60", "--timeout", "200ms")
	events := b.submit(`echo '{"n":1}'; echo '{"n":2}'`)
	adopted := b.submit("envwrap -f helper -- sh -c 'echo x; exit 2'")
	running := b.submit("echo working 50%; sleep 300")
	canceled := b.submit("sleep 300")
	b.call("job", "cancel", canceled)
	for _, id := range []string{ok, failed, late, events, adopted} {
		b.call("job", "wait", "--timeout", "60s", id)
	}
	b.printed(running, "working")
	asked := []struct {
		line     string // words after job
		status   int
		category string
		state    string // of the task, in the results
	}{
		{"wait " + ok, 0, "wait_result", "completed"},
		{"wait " + failed, 3, "wait_result", "failed"},
		{"wait " + late, 124, "wait_result", "timeout"},
		{"wait " + canceled, 143, "wait_result", "cancelled"},
		{"wait " + adopted, 2, "wait_result", "failed"},
		{"wait --timeout 0 " + running, 75, "wait_result", "timeout"},
		{"results " + ok, 0, "result_set", "completed"},
		{"results --include-output " + ok, 0, "result_set", "completed"},
		{"results --max-output-bytes 1KiB " + failed, 3, "result_set", "failed"},
		{"results " + late, 124, "result_set", "timeout"},
		{"results " + events, 0, "result_set", "completed"},
		{"results " + adopted, 2, "result_set", "failed"},
		{"results " + running, 75, "result_set", "working"},
		{"status", 0, "status_snapshot", ""},
		{"status --verbose " + running, 0, "status_snapshot", ""},
		{"status " + ok, 0, "status_snapshot", ""},
		{"status 01ZZZZZZ", 1, "status_snapshot", ""},
		{"results 01ZZZZZZ", 1, "result_set", ""},
		{"wait 01ZZZZZZ", 1, "wait_result", ""},
		{"tail --json " + running, 0, "status_snapshot", ""},
		{"tail --json " + failed, 0, "status_snapshot", ""},
		{"cancel " + ok, 0, "registry_info", "completed"},
		{"ls", 0, "registry_info", ""},
		{"cleanup --dry-run", 0, "registry_info", ""},
		{"submit -- true", 0, "execution_ack", ""},
	}
	for i, d := range envelope.Dialects() {
		for j, q := range asked {
			if d.Name() != "delegator/v3.6" && (i+j)%matrix.Every(12) > 0 {
				continue
			}
			words := strings.Fields(q.line)
			args := append([]string{"job", words[0], "--format", d.Name()}, words[1:]...)
			doc, status := b.call(args...)
			if status != q.status {
				t.Errorf("job %s --format %s: status %d, want %d\n%.400s", q.line, d.Name(), status, q.status, doc)
			}
			for _, f := range envelope.Validate(d, []byte(doc), envelope.ValidateOptions{Strict: true}) {
				t.Errorf("job %s --format %s: %s\n%.800s", q.line, d.Name(), f, doc)
			}
			if d.Name() != "delegator/v3.6" {
				continue
			}
			if c, state := category(t, doc); c != q.category || state != q.state {
				t.Errorf("job %s: category %s, state %q, want %s, %q", q.line, c, state, q.category, q.state)
			}
		}
		checkAcknowledgement(b, d)
	}
}

// checkAcknowledgement: what --wait answers when its time is over is what submit
// answers.
func checkAcknowledgement(b *bench, d envelope.Dialect) {
	b.Helper()
	doc, status := b.call("--wait", "50ms", "-f", d.Name(), "--", "sleep", "300")
	for _, f := range envelope.Validate(d, []byte(doc), envelope.ValidateOptions{Strict: true}) {
		b.Errorf("--wait -f %s: %s\n%s", d.Name(), f, doc)
	}
	if status != 75 {
		b.Errorf("--wait -f %s: status %d, want 75", d.Name(), status)
	}
	r, err := envelope.Decode(d, []byte(doc))
	if err != nil || r.Jobs == nil || r.Jobs.Kind != envelope.JobsSubmit || len(r.Jobs.List) != 1 {
		b.Fatalf("--wait -f %s: %v, %s", d.Name(), err, doc)
	}
	b.call("job", "cancel", r.Jobs.List[0].ID)
}

// A run that ends within --wait is a run like any other: a failure is an error
// of the tool, and not a good answer about a task.
func TestWaitThatEndsInTimeIsARun(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	doc, status := b.call("--wait", "60s", "-f", "delegator", "--", "sh", "-c", "exit 3")
	var e struct {
		Status string
		Error  struct{ Code string }
	}
	if err := json.Unmarshal([]byte(doc), &e); err != nil || status != 3 || e.Status != "error" || e.Error.Code != "TOOL_ERROR" {
		t.Errorf("status %d, %v: %s", status, err, doc)
	}
	if doc, _ = b.call("--wait", "60s", "--", "true"); strings.Contains(doc, "job_id") {
		t.Errorf("a run with the id of a job: %s", doc)
	}
}

// job tail prints output as events of jobs/tail, and the end of the job ends them.
func TestTailIsAStreamOfTheJob(t *testing.T) {
	b := newBench(t)
	id := b.submit("echo one 40%; echo two 20%; exit 4")
	b.wait(id)
	doc, status := b.call("job", "tail", "--json", "--follow", id)
	if n := strings.Count(doc, `"pct":40.0`); n != 2 {
		t.Errorf("the percentage that was printed is in %d events: %s", n, doc)
	}
	c := envelope.Checker{Options: envelope.ValidateOptions{Strict: true}}
	lines := strings.Split(strings.TrimSpace(doc), "\n")
	for i, line := range lines {
		checked := c.Check([]byte(line))
		for _, f := range checked.Faults {
			t.Errorf("line %d: %s\n%s", i+1, f, line)
		}
		r, err := envelope.Decode(envelope.Dialects()[0], []byte(line))
		if err != nil {
			t.Fatal(err)
		}
		last := i == len(lines)-1
		if want := map[bool]string{false: "jobs/tail", true: "exec/sh"}[last]; r.Command != want || r.JobID != id || r.Progress == last {
			t.Errorf("line %d: command %s, job %s: %s", i+1, r.Command, r.JobID, line)
		}
	}
	if faults := c.End(); faults != nil || status != 4 || len(lines) < 3 {
		t.Errorf("%d lines, status %d, %v", len(lines), status, faults)
	}
}

// However much a job prints, and asks to be shown, its tail stays inline.
func TestTailStaysInline(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	id := b.submit("seq 1 9000; seq 1 9000 >&2")
	b.wait(id)
	doc, _ := b.call("job", "tail", "--json", "-n", "100000", id)
	for _, f := range envelope.Validate(envelope.Dialects()[0], []byte(doc), envelope.ValidateOptions{Strict: true}) {
		t.Errorf("%s\n%s", f, doc)
	}
	if !strings.Contains(doc, `\n9000\n`) {
		t.Errorf("the last line is not there: %s", doc)
	}
}
