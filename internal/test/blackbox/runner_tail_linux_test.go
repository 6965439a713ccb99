package blackbox

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// What a job on a runner has printed is asked for there while it runs, and is here, short or
// long, when it is over: also if nobody here waited for it.
func TestRunnerTail(t *testing.T) {
	t.Parallel()
	c := newCutRun(t, "")
	const text = `echo one; echo two >&2; echo begun >"$BEGUN"; read -r line <"$GATE"; echo three; exit 3`
	doc, _ := c.call("", "job", "submit", "--on", "far", "--", "sh", "-c", text)
	var s said
	if err := json.Unmarshal([]byte(doc), &s); err != nil {
		t.Fatal(err)
	}
	id := s.Data.Job.ID
	expect := func(want string, status int, args ...string) {
		t.Helper()
		if got, n := c.call("", append([]string{"job", "tail"}, args...)...); got != want || n != status {
			t.Errorf("job tail %q: %q, status %d", args, got, n)
		}
	}
	if _, err := os.ReadFile(filepath.Join(c.dir, "begun")); err != nil {
		t.Fatal(err)
	}
	// What the command printed is read there a moment later: who follows it there knows when.
	there, err := filepath.Glob(filepath.Join(c.dir, "far", "state", "envwrap", "jobs", "[0-9]*"))
	if err != nil || len(there) != 1 {
		t.Fatalf("jobs there: %q, %v", there, err)
	}
	follower := c.command("", "job", "tail", "-f", filepath.Base(there[0]))
	follower.Env = append(follower.Env, "HOME="+filepath.Join(c.dir, "far"), "XDG_STATE_HOME="+filepath.Join(c.dir, "far", "state"))
	lines, err := follower.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := follower.Start(); err != nil {
		t.Fatal(err)
	}
	followed := bufio.NewScanner(lines)
	for _, stream := range []string{"the first", "the second"} {
		if !followed.Scan() {
			t.Fatalf("job tail -f ended before %s line: %v", stream, followed.Err())
		}
	}
	expect("one\ntwo\n", 0, id)
	if got := c.streams("job", "tail", "--json", id); got != "one\n|two\n" {
		t.Errorf("job tail --json: %q", got)
	}
	expect("", 1, "nosuch")
	writeFile(t, filepath.Join(c.dir, "gate"), "go\n")
	if !followed.Scan() || followed.Text() != "three" || followed.Scan() {
		t.Errorf("job tail -f printed %q at last", followed.Text())
	}
	_ = follower.Wait()
	if n := follower.ProcessState.ExitCode(); n != 3 {
		t.Errorf("job tail -f ended with %d", n)
	}
	expect("one\nthree\ntwo\n", 3, "-f", id)
	expect("three\ntwo\n", 0, "-n", "1", id)
	if got := c.streams("job", "tail", "--json", id); got != "one\nthree\n|two\n" {
		t.Errorf("job tail --json at the end: %q", got)
	}
}

// streams returns the text of both streams in the answer of a verb.
func (c *cutRun) streams(args ...string) string {
	c.Helper()
	doc, _ := c.call("", args...)
	var answer struct {
		Data struct{ Stdout, Stderr struct{ Text string } }
	}
	if err := json.Unmarshal([]byte(doc), &answer); err != nil {
		c.Errorf("%v: %s", err, doc)
	}
	return answer.Data.Stdout.Text + "|" + answer.Data.Stderr.Text
}
