package envelopecmd

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/cli/clitest"
	"github.com/envwrap/envwrap/internal/app/runlog"
	"github.com/envwrap/envwrap/internal/test/testenv"
)

// called starts a script by a name, which ends with the test.
func called(t *testing.T, name string) (pid int) {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := testenv.WriteProgram(file, "#!/bin/sh\necho\nread end\n"); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(file)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	begun, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { stdin.Close(); _ = cmd.Wait() })
	if _, err := begun.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	return cmd.Process.Pid
}

// A run lives if its process is called as envwrap is.
func TestLives(t *testing.T) {
	for name, want := range map[string]bool{"envwrap-codex": true, "bash": true, "other": false} {
		if got := lives(called(t, name)); got != want {
			t.Errorf("%s: %t", name, got)
		}
	}
	if lives(1<<30) || lives(os.Getpid()) {
		t.Error("the process of a test, or of none, is envwrap's")
	}
}

// The companion gets the lines of the record since a time, and which runs live; what it
// prints is the page. What fails on the way is an error.
func TestWriteReport(t *testing.T) {
	living := called(t, "envwrap")
	_, terminal := testenv.Terminal(t)
	defer terminal.Close()
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer full.Close()
	const page = "#!/bin/sh\necho \"$2\"\ncat\n"
	for name, c := range map[string]struct {
		script string // of the companion; "" is none
		target string
		stdout *os.File
		damage string // a directory of the store in whose place a file is
		want   string // of the error; "" is none
	}{
		"a file":            {page, "page.html", nil, "", ""},
		"standard output":   {page, "", nil, "", ""},
		"no companion":      {"", "", nil, "", "exit status 127"},
		"a terminal":        {page, "", terminal, "", "go to a terminal"},
		"no directory":      {page, "none/page.html", nil, "", "none"},
		"a full disk":       {page, "", full, "", "write the report: "},
		"a failure":         {"#!/bin/sh\nexit 1\n", "", nil, "", "make the report: "},
		"a file as jobs":    {page, "", nil, "jobs", "open the jobs: "},
		"a file as records": {page, "", nil, "record", "record"},
	} {
		dir := t.TempDir()
		env := clitest.EnvIn(t, dir)
		store := filepath.Join(dir, "state", "envwrap")
		env.Environ = append([]string{"PATH=" + dir + ":" + os.Getenv("PATH")}, env.Environ...)
		if c.stdout != nil {
			env.Stdout = c.stdout
		}
		for _, run := range []runlog.Run{
			{Kind: runlog.RunBegun, Time: clitest.Now().Add(-3 * time.Hour), ID: "OLD", PID: living},
			{Kind: runlog.RunBegun, Time: clitest.Now().Add(-time.Minute), ID: "LIVES", PID: living},
			{Kind: runlog.RunBegun, Time: clitest.Now().Add(-time.Minute), ID: "DEAD", PID: 1 << 30},
			{Kind: runlog.RunEnded, Time: clitest.Now(), ID: "ENDED", PID: living, Outcome: "success"},
		} {
			if env.AddRecord("", "", &run, runlog.Limits{}) == "" {
				t.Fatal("nothing is recorded")
			}
		}
		if c.script != "" {
			err = testenv.WriteProgram(filepath.Join(dir, "envwrap-net"), c.script)
		}
		if c.damage != "" {
			err = errors.Join(err, os.RemoveAll(filepath.Join(store, c.damage)), os.WriteFile(filepath.Join(store, c.damage), nil, 0o600))
		}
		if err != nil {
			t.Fatal(err)
		}
		call := &cli.Call{Env: env, Verb: ReportVerb(env)}
		err := writeReport(t.Context(), call, clitest.Now().Add(-time.Hour), c.target)
		if err == nil != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v", name, err)
		}
		if c.want != "" {
			continue
		}
		file := env.Stdout.Name()
		if c.target != "" {
			file = filepath.Join(dir, c.target)
		}
		got := clitest.Contents(t, file)
		if !strings.Contains(got, `"running":["LIVES","OLD"]`) || !strings.Contains(got, `"id":"LIVES"`) || strings.Contains(got, `"id":"OLD"`) {
			t.Errorf("%s: %s", name, got)
		}
	}
}
