//go:build unix

package runcmd

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/cli/clitest"
	"github.com/envwrap/envwrap/internal/app/engine"
	"github.com/envwrap/envwrap/job"
)

// What becomes of a job that left no envelope, by what Slurm says of it: it is settled once
// files had time to come, and never while Slurm holds it or cannot be asked.
func TestEngineSettles(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		says    string // of squeue; "" is that there is no such job
		started bool
		over    bool
		status  int
		code    envelope.Code
		message string
		retry   bool
		cat     string // what reads the log of a job without shared files; "" with them
	}{
		"waits":            {"PENDING", false, false, 0, "", "", false, ""},
		"runs":             {"RUNNING", true, false, 0, "", "", false, ""},
		"unreachable":      {"down", true, false, 0, "", "", false, ""},
		"a later word":     {"POWER_UP_NODE", true, false, 0, "", "", false, ""},
		"time limit":       {"TIMEOUT", true, true, 124, envelope.ETIMEOUT, "slurm says TIMEOUT of its job 12", false, ""},
		"memory":           {"OUT_OF_MEMORY", true, true, 125, envelope.ERUNTIME, "OUT_OF_MEMORY", false, ""},
		"lost node":        {"NODE_FAIL", true, true, 125, envelope.ERUNTIME, "was started, and left no envelope", false, ""},
		"preempted":        {"PREEMPTED", true, true, 125, envelope.ERUNTIME, "PREEMPTED", true, ""},
		"ended by a user":  {"CANCELLED by 1000", true, true, 143, envelope.ECANCELED, "CANCELLED by 1000", false, ""},
		"forgotten":        {"", true, true, 125, envelope.ERUNTIME, "slurm has no such job any more", false, ""},
		"never started":    {"FAILED", false, true, 125, envelope.ERUNTIME, "the command did not run", true, ""},
		"gone, not begun":  {"", false, true, 125, envelope.ERUNTIME, "the command did not run", true, ""},
		"dropped, waiting": {"CANCELLED", false, true, 143, envelope.ECANCELED, "the command did not run", false, ""},
		"log says nothing": {"FAILED", false, true, 125, envelope.ERUNTIME, "the command did not run", true, "echo slurmstepd: no such directory"},
		"log is unread":    {"FAILED", false, true, 125, envelope.ERUNTIME, "whether the command ran is not known: slurm says FAILED of its job 12, and what it printed cannot be read: bad disk", false, "echo bad disk >&2; exit 1"},
		"log has no start": {"FAILED", false, true, 125, envelope.ERUNTIME, "lacks the line of its start", false, "printf 'x\\n\\nenvwrap-ended envwrap-x 0\\n'"},
		"done, no start":   {"COMPLETED", false, true, 125, envelope.ERUNTIME, "lacks the line of its start", false, "echo x"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			env := clitest.EnvIn(t, dir)
			now := env.Now()
			env.Now = func() time.Time { return now }
			tools := map[string]string{
				"squeue":  "echo '12|" + c.says + "'",
				"sacct":   "echo 'Slurm accounting storage is disabled' >&2; exit 1",
				"scancel": "",
				"cat":     c.cat,
				"rm":      ": >" + filepath.Join(dir, "removed"),
			}
			if c.says == "" {
				tools["squeue"] = "echo 'slurm_load_jobs error: Invalid job id specified' >&2; exit 1"
			}
			if c.says == "down" {
				tools["squeue"] = "echo 'slurm_load_jobs error: Unable to contact slurm controller' >&2; exit 1"
			}
			for tool, text := range tools {
				if err := os.WriteFile(filepath.Join(dir, tool), []byte("#!/bin/sh\n"+text+"\n"), 0o700); err != nil {
					t.Fatal(err)
				}
			}
			settings := engine.Settings{Engine: "slurm"}
			if c.cat != "" {
				settings.Values = map[string][]string{"shared": {"false"}}
			}
			row, err := engine.New(settings)
			if err != nil {
				t.Fatal(err)
			}
			store := filepath.Join(dir, "store")
			if err := os.Mkdir(store, 0o700); err != nil {
				t.Fatal(err)
			}
			d := &job.Draft{Record: job.Record{Command: "exec/make", Tool: "make", Argv: []string{"make"}, Far: &job.Far{Runner: "gpu", Engine: &job.EngineJob{Name: "envwrap-x", ID: "12"}}}}
			v, _, err := job.Hold(job.Options{Dir: store, Now: env.Now}, d)
			if err != nil {
				t.Fatal(err)
			}
			defer v.Close()
			v.Leave("")
			s := v.Store()
			rec, err := s.Get(v.Record().ID)
			if err != nil {
				t.Fatal(err)
			}
			if c.started {
				if err := os.Mkdir(filepath.Join(s.Path(rec.ID), "started.0"), 0o700); err != nil {
					t.Fatal(err)
				}
			}
			e := &engineJob{Env: env, store: s, rec: rec, row: &cli.RunnerRow{Name: "gpu", Engine: row}, mask: env.Mask(), program: func(name string) string { return filepath.Join(dir, name) }}
			if over, err := e.step(t.Context(), true); err != nil || over && c.started {
				t.Fatalf("at once: %t, %v", over, err)
			}
			now = now.Add(engineUnknown)
			var over bool
			for range 2 { // the second after files had time to come
				if over, err = e.step(t.Context(), true); err != nil || over {
					break
				}
				now = now.Add(engineGrace)
			}
			if over != c.over || err != nil {
				t.Fatalf("later: %t, %v", over, err)
			}
			if !c.over {
				return
			}
			res, err := s.Result(rec.ID)
			if err != nil {
				t.Fatal(err)
			}
			o := &res.Outcome
			if res.ExitStatus != c.status || o.Code != c.code || !strings.Contains(o.Message, c.message) || o.Retryable != c.retry {
				t.Errorf("%d, %+v", res.ExitStatus, o)
			}
			if _, err := os.Stat(filepath.Join(dir, "removed")); (err == nil) != (c.cat != "" && c.retry) {
				t.Errorf("the log: %v", err)
			}
			if refused, err := s.RefuseStart(rec.ID); err != nil || refused == c.started {
				t.Errorf("a later start is refused: %t, %v", refused, err)
			}
		})
	}
}
