package runcmd

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/cli/clitest"
)

// An answer does not wait for a file system that does not say where its output goes. That
// of a job has the runner with the output as soon as it does.
func TestEarlyEndOutput(t *testing.T) {
	dir, answers := t.TempDir(), make(chan struct{})
	env := clitest.EnvIn(t, dir)
	env.Table = runTable()
	env.Exit = func(int) {}
	env.Dir = func() (string, error) { <-answers; return dir, nil }
	verb := &cli.Verb{Name: "supervise", Options: DefaultRunOptions().Table()}
	call := &cli.Call{Env: env, Verb: verb, Rest: []string{"true"}}
	call.Option("output").Given = []string{"job.json"}
	e := &earlyEnd{env: *env, call: call, gate: &startGate{}}
	e.answer = func(r *Runner, _ os.Signal) int {
		if r.sink.Stream != r.Stdout || r.late == nil {
			t.Errorf("the output is %+v, and nothing comes later", r.sink)
		}
		close(answers)
		late := <-r.late
		if err := late.sink.Write([]byte("x")); err != nil {
			t.Error(err)
		}
		return 0
	}
	e.end(syscall.SIGTERM)
	if got := clitest.Contents(t, filepath.Join(dir, "job.json")); got != "x" {
		t.Errorf("the file has %q", got)
	}
}

// The time to write an answer begins when it was made, which a busy machine delays.
func TestEarlyEndIsMadeSlowly(t *testing.T) {
	e, answered := &earlyEnd{writes: make(chan struct{})}, make(chan int)
	go func() {
		<-time.After(2 * earlyWrite)
		close(e.writes)
		answered <- 143
	}()
	if got := e.await(answered); got != 143 {
		t.Errorf("status %d", got)
	}
	if got := e.await(nil); got != cli.StatusFailed { // nobody reads
		t.Errorf("status %d where nobody reads", got)
	}
}
