package mcpserver_test

import (
	"encoding/json"
	"os/exec"
	"testing"

	"github.com/envwrap/envwrap/internal/app/mcpserver"
)

// A recorded is the last run on record.
type recorded struct {
	Shown      int
	Format     string
	AgentReads bool `json:"agent_reads"`
}

// lastRecorded returns the last run on the record of a server.
func lastRecorded(t *testing.T, c mcpserver.Config) (last recorded) {
	t.Helper()
	cmd := exec.Command(c.Program, "history", "--json", "-n", "1")
	cmd.Env, cmd.Dir = c.Environ, c.Dir
	doc, err := cmd.Output()
	if err == nil {
		err = json.Unmarshal(doc, &last)
	}
	if err != nil {
		t.Fatalf("envwrap history: %v\n%s", err, doc)
	}
	return last
}

// The record of a run has the bytes of the text that the model reads of the answer, and the
// name of its format.
func TestRecordOfACall(t *testing.T) {
	c := config(t)
	c.Structured = false
	s := connect(t, c, nil)
	for _, argv := range [][]string{
		{"echo", "hi"},
		{"seq", "5000"},                       // the last line names the tool that reads more
		{"sh", "-c", "echo lost >&2; exit 3"}, // fails
		{"no-such-program"},                   // is not started
	} {
		_, text, _ := call(t, s, "run", fields{"argv": argv})
		if got := lastRecorded(t, c); got != (recorded{len(text), "brief/v1", false}) {
			t.Errorf("%q: the record has %+v of the %d bytes\n%s", argv, got, len(text), text)
		}
	}
}

// What the call that waits for a job answers is on the record of the job's run.
func TestRecordOfAWait(t *testing.T) {
	c := config(t)
	s := connect(t, c, nil)
	_, _, submitted := call(t, s, "run", fields{"argv": []string{"echo", "hi"}, "wait": 0})
	c.Structured = false
	s = connect(t, c, nil)
	_, text, _ := call(t, s, "job", fields{"action": "wait", "id": submitted.Data.Job.ID})
	if got := lastRecorded(t, c); got.Shown != len(text) {
		t.Errorf("the record has %+v of the %d bytes\n%s", got, len(text), text)
	}
}

// Of an answer with structured content the model reads that.
func TestRecordOfAStructuredAnswer(t *testing.T) {
	c := config(t)
	result, _, _ := call(t, connect(t, c, nil), "run", fields{"argv": []string{"echo", "hi"}})
	doc, err := json.Marshal(result.StructuredContent)
	if err != nil {
		t.Fatal(err)
	}
	if got := lastRecorded(t, c); got.Format != "protocol/v1" || got.Shown < len(doc) {
		t.Errorf("the record has %+v of %d bytes", got, len(doc))
	}
}
