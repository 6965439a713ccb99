//go:build unix

package runcmd

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/cli/clitest"
	"github.com/envwrap/envwrap/internal/app/cli/farend"
	"github.com/envwrap/envwrap/internal/test/testenv"
	"github.com/envwrap/envwrap/job"
)

// askedRunner returns an environment with a runner "far" that prints the files job-results,
// job-wait and job-cancel of the environment's directory as its answers.
func askedRunner(t *testing.T) *cli.Env {
	t.Helper()
	env := clitest.EnvIn(t, t.TempDir())
	env.Table = runTable()
	now := env.Now()
	env.Now = func() time.Time { return now }
	config, script := env.Path(".config/envwrap/config.toml"), env.Path("far")
	if err := errors.Join(
		os.MkdirAll(filepath.Dir(config), 0o700),
		os.WriteFile(config, []byte("[runner.far]\ncommand = [\""+script+"\"]\n"), 0o600),
		testenv.WriteProgram(script, "#!/bin/sh\nexec cat \"${0%/*}/$2-$3\"\n"),
	); err != nil {
		t.Fatal(err)
	}
	return env
}

// handedOver returns a job that is at a far end, and whose envwrap here is gone.
func handedOver(t *testing.T, env *cli.Env, far job.Far) *job.Supervisor {
	t.Helper()
	syscall.ForkLock.RLock() // a process that starts meanwhile would have the job's lock, too
	defer syscall.ForkLock.RUnlock()
	v := begunJob(t, env, far)
	t.Cleanup(func() { v.Close() })
	v.Leave("it is Sunday")
	return v
}

// begunJob returns a job that is at a far end, and that this process supervises.
func begunJob(t *testing.T, env *cli.Env, far job.Far) *job.Supervisor {
	t.Helper()
	store := env.Path("store")
	if err := os.Mkdir(store, 0o700); err != nil {
		t.Fatal(err)
	}
	v, err := job.Begin(job.Options{Dir: store, Now: env.Now}, &job.Draft{Record: job.Record{
		Command: "exec/make", Tool: "make", Argv: []string{"make"}, TraceID: "0af7651916cd43dd8448eb211c80319c", View: job.View{InlineLimit: 1 << 15}, Far: &far,
	}})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// A runner whose runs meet the store with their mark is asked for it again; one that missed
// it too often, or starts something new for each call, is not.
func TestLeavesMark(t *testing.T) {
	t.Parallel()
	env := askedRunner(t)
	store := handedOver(t, env, job.Far{Runner: "far", ID: "J"}).Store()
	for name, c := range map[string]struct {
		store *job.Store
		known job.RunnerMark
		words []string
		want  bool
	}{
		"first":         {store, job.RunnerMark{}, []string{"ssh", "host"}, true},
		"again":         {store, job.RunnerMark{Mark: "M"}, []string{"ssh", "host"}, false},
		"missed once":   {store, job.RunnerMark{Missed: missedMost - 1}, []string{"ssh", "host"}, true},
		"missed":        {store, job.RunnerMark{Missed: missedMost}, []string{"ssh", "host"}, false},
		"no store":      {nil, job.RunnerMark{}, []string{"ssh", "host"}, false},
		"a container":   {store, job.RunnerMark{}, []string{"/usr/bin/docker", "exec"}, false},
		"by another":    {store, job.RunnerMark{}, []string{"ssh", "host", "srun"}, false},
		"a part of it":  {store, job.RunnerMark{}, []string{"dock"}, true},
		"of no program": {store, job.RunnerMark{}, nil, true},
	} {
		f := &farRun{side: &farend.Side{Row: &cli.RunnerRow{Command: c.words}}, store: c.store, known: c.known}
		if got := f.leavesMark(); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
	for name, c := range map[string]struct {
		job, mark string
		missed    int // before and after
		want      int
	}{
		"met":            {"J", "M", 1, 0},
		"without a mark": {"J", "", 1, 1},
		"of another job": {"K", "M", 1, 1},
	} {
		f := &farRun{side: &farend.Side{Row: &cli.RunnerRow{Name: name}, Far: job.Far{ID: "J", Mark: c.mark}}, store: store, known: job.RunnerMark{Mark: "M", Since: env.Now(), Missed: c.missed}}
		f.setKnown()
		f.hit(&envelope.Result{JobID: c.job})
		if got := store.RunnerMark(farend.RunnerKey(f.side.Row)); got.Missed != c.want || f.known.Missed != c.want {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
