package blackbox

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// orphan submits a job whose supervisor dies as the far end begins, and returns its id
// once the supervisor is gone and the command runs.
func (c *cutRun) orphan() (id string) {
	c.Helper()
	id = c.submitted()
	if _, err := os.ReadFile(filepath.Join(c.dir, "begun")); err != nil { // of the command
		c.Fatal(err)
	}
	return id
}

// submitted submits a job.
func (c *cutRun) submitted() (id string) {
	c.Helper()
	doc, status := c.call(c.place, append([]string{"job", "submit"}, c.remote()...)...)
	var s said
	if err := json.Unmarshal([]byte(doc), &s); err != nil || status != 0 {
		c.Fatalf("submit: status %d, %v: %s", status, err, doc)
	}
	return s.Data.Job.ID
}

// state returns what job status says of a job.
func (c *cutRun) state(id string) string {
	c.Helper()
	doc, status := c.call("", "job", "status", id)
	var s struct {
		Data struct{ Job struct{ State string } }
	}
	if err := json.Unmarshal([]byte(doc), &s); err != nil || status != 0 {
		c.Errorf("job status: status %d, %v: %s", status, err, doc)
	}
	return s.Data.Job.State
}

// A job on a runner goes on without its supervisor, and later calls wait for it there.
func TestRunnerReattach(t *testing.T) {
	t.Parallel()
	c := newCutRun(t, "near dies as run begins, held")
	id := c.orphan()
	if state := c.state(id); state != "running" {
		t.Errorf("it is %s", state)
	}
	for _, args := range [][]string{{"job", "ls"}, {"job", "status"}, {"job", "tail", "--json", id}} { // which ask nobody
		if doc, status := c.call("", args...); status != 0 || !strings.Contains(doc, `"message":"only runner \"far\" knows its state, which envwrap job status `+id+` asks for"`) {
			t.Errorf("%q: status %d: %s", args, status, doc)
		}
	}
	if doc, status := c.call("", "job", "results", id); status != 75 || !strings.Contains(doc, `"running"`) {
		t.Errorf("results: status %d: %s", status, doc)
	}
	if doc, status := c.call("", "job", "wait", "--timeout", "10ms", id); status != 75 {
		t.Errorf("a short wait: status %d: %s", status, doc)
	}
	type end struct {
		doc    string
		status int
	}
	ends := make(chan end)
	for _, args := range [][]string{{"job", "wait", id}, {"job", "tail", "--json", "-f", id}} {
		go func() {
			doc, status := c.call("", args...)
			ends <- end{doc, status}
		}()
	}
	if err := os.WriteFile(filepath.Join(c.dir, "gate"), []byte("go\n"), 0); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if e := <-ends; e.status != 3 || !strings.Contains(e.doc, `"exit_code":3`) || !strings.Contains(e.doc, `"runner":"far"`) {
			t.Errorf("status %d: %s", e.status, e.doc)
		}
	}
	if state := c.state(id); state != "error" || c.ran() != 1 {
		t.Errorf("in the end it is %s, and ran %d times", state, c.ran())
	}
}

// One question that is lost is asked again before anybody says that nothing is known.
func TestRunnerAsksAgain(t *testing.T) {
	t.Parallel()
	c := newCutRun(t, "first results is lost")
	doc, status := c.call(c.place, c.remote()...)
	if word := c.check("the run", doc, status); word != "over" {
		t.Errorf("%s: %s", word, doc)
	}
}

// Canceling reaches the far end whoever still lives here, and what is not there yet does
// not start later.
func TestRunnerCancel(t *testing.T) {
	t.Parallel()
	for place, ran := range map[string]int{"held": 1, "near dies as run begins, held": 1, "near dies and run is late": 0} {
		t.Run(place, func(t *testing.T) {
			t.Parallel()
			c := newCutRun(t, place)
			var id string
			if ran == 1 {
				id = c.orphan()
			} else {
				id = c.submitted()
				c.unsupervised(id)
			}
			if doc, status := c.call("", "job", "cancel", id); status != 0 || !strings.Contains(doc, `"state":"canceled"`) {
				t.Errorf("cancel: status %d: %s", status, doc)
			}
			c.arrive()
			doc, _ := c.call("", "job", "results", id)
			if !strings.Contains(doc, `"ECANCELED"`) || c.ran() != ran {
				t.Errorf("ran %d times: %s", c.ran(), doc)
			}
			if list, _ := filepath.Glob(filepath.Join(c.dir, "far", "state", "envwrap", "jobs", "0*", "record.json")); len(list) != ran {
				t.Errorf("jobs there: %q", list)
			} else if ran == 1 {
				if record, err := os.ReadFile(list[0]); err != nil || !strings.Contains(string(record), `"state":"canceled"`) {
					t.Errorf("%v: %s", err, record)
				}
			}
		})
	}
}

// unsupervised waits until the supervisor of a job is gone, which holds the job's lock.
func (c *cutRun) unsupervised(id string) {
	c.Helper()
	f, err := os.Open(filepath.Join(c.dir, "near", "envwrap", "jobs", id, "lock"))
	if err != nil {
		c.Fatal(err)
	}
	defer f.Close()
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_SH); err != nil {
		c.Fatal(err)
	}
}
