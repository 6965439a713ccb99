package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/envelope"
)

// Every verb about jobs answers in every dialect with an envelope that is
// without fault, whatever the job is at.
func TestJobAnswersInEveryDialect(t *testing.T) {
	b := newBench(t)
	good := b.submit("echo good")
	bad := b.submit("echo bad; echo why >&2; exit 3")
	large := b.submit("yes large | head -c 200000")
	slow := b.submit("echo slow; sleep 0.2", "--timeout", "50ms")
	for _, id := range []string{good, bad, large, slow} {
		b.wait(id)
	}
	running := b.submit("echo begun; sleep 305")
	b.printed(running, "begun")
	first := b.submit("sleep 305", "--max-jobs", "1")
	asked := 0
	for _, d := range envelope.Dialects() {
		for _, line := range []string{
			"wait " + good, "wait " + bad, "wait " + large, "wait " + slow, "wait --timeout 0 " + running, "wait --timeout 0 " + first,
			"results " + good, "results " + bad, "results " + large, "results " + slow, "results " + running,
			"results --include-output " + good, "results --include-output --max-output-bytes 4KiB " + large,
			"status", "status -v", "status " + good, "status -v " + running, "status " + first, "status 7ZZ", "status 0",
			"tail " + good, "tail " + running, "tail " + first, "tail " + large, "cancel " + good, "ls", "ls -n 1", "cleanup --dry-run --older 0", "cleanup",
		} {
			args := append([]string{"job"}, strings.Fields(line)...)
			out, _ := b.call(append(args, "--format", d.Name())...)
			for _, f := range envelope.Validate(d, []byte(out), envelope.ValidateOptions{Strict: true}) {
				t.Errorf("job %s in %s: %v\n%.600s", line, d.Name(), f, out)
			}
			asked++
		}
		out, _ := b.call("job", "submit", "-f", d.Name(), "--", "true")
		for _, f := range envelope.Validate(d, []byte(out), envelope.ValidateOptions{Strict: true}) {
			t.Errorf("job submit in %s: %v\n%.600s", d.Name(), f, out)
		}
	}
	if asked < 150 {
		t.Fatalf("only %d answers", asked)
	}
	out, _ := b.call("job", "tail", "-f", bad)
	for line := range bytes.Lines([]byte(out)) {
		for _, f := range envelope.Validate(envelope.Dialects()[0], line, envelope.ValidateOptions{}) {
			t.Errorf("%v: %s", f, line)
		}
	}
}

// A job that a wrapped command submits is not of that command: it goes on when
// envwrap stops the command, and is not named as left behind.
func TestJobOutlivesTheCommandThatSubmitsIt(t *testing.T) {
	b := newBench(t)
	b.env = append(b.env, "XDG_STATE_HOME="+filepath.Dir(b.store))
	script := `ENVWRAP_STORE="` + b.store + `" envwrap job submit -- sh -c "echo begun; sleep 306" >"` + b.store + `.ack"; sleep 300`
	out, status := b.call("--timeout", "500ms", "--kill-after", "100ms", "--", "sh", "-c", script)
	res, err := envelope.Decode(envelope.Dialects()[0], []byte(out))
	if err != nil || status != 124 || len(res.Leftovers) > 0 {
		t.Errorf("status %d, left %v, %v: %s", status, res.Leftovers, err, out)
	}
	dirs, _ := filepath.Glob(b.store + "/jobs/0*")
	if len(dirs) != 1 {
		t.Fatalf("jobs: %v", dirs)
	}
	id := filepath.Base(dirs[0])
	b.printed(id, "begun")
	if supervisor, child := b.pids(id); !lives(supervisor) || !lives(child) || b.state(id) != "running" {
		t.Errorf("supervisor %d, child %d, %s", supervisor, child, b.state(id))
	}
}
