package jobcmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/cli/clitest"
	"github.com/envwrap/envwrap/internal/test/testenv"
	"github.com/envwrap/envwrap/job"
)

// begun makes a job, of which this process is the supervisor.
func begun(t *testing.T, c *cli.Call, array *job.Array) *job.Supervisor {
	t.Helper()
	a, _, err := c.OpenFirst(artifact.Options{Now: c.Now, NoMaintenance: true}, "")
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	rec := job.Record{Command: "exec/true", Tool: "true", Argv: []string{"true"}, Array: array, Far: &job.Far{Runner: "far"}}
	v, err := job.Begin(job.Options{Dir: a.Dir(), Now: c.Now}, &job.Draft{Record: rec})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// On a terminal a group that is awaited has a line about its members, which is drawn at
// intervals; another job has none.
func TestGroupLine(t *testing.T) {
	for name, of := range map[string]struct {
		array *job.Array
		drawn string // or what the test prints itself
	}{
		"group": {&job.Array{Members: 3, First: 1}, "1 of 3 members ended"},
		"job":   {nil, "no line"},
	} {
		c := &cli.Call{Env: clitest.EnvIn(t, t.TempDir())}
		master, terminal := testenv.Terminal(t)
		c.Stderr = terminal
		v := begun(t, c, of.array)
		out, _, err := v.Streams()
		if err != nil {
			t.Fatal(err)
		}
		ends := func(n int) {
			m := job.Member{Number: n, State: job.OK}
			if _, err := out.Write(m.Line([]byte("{}"))); err != nil {
				t.Error(err)
			}
		}
		shown := make(chan string)
		go func() {
			var all []byte
			for buf := make([]byte, 1024); ; {
				n, err := master.Read(buf)
				first := len(all) == 0 && n > 0
				if all = append(all, buf[:n]...); err != nil {
					shown <- string(all)
					return
				}
				if first {
					ends(2)
					if err := v.FinishGroup(&envelope.Result{}); err != nil {
						t.Error(err)
					}
				}
			}
		}()
		ends(1)
		if of.array == nil {
			fmt.Fprint(terminal, of.drawn)
		}
		rec, err := awaitJob(t.Context(), c, v.Store(), v.Record().ID)
		if err != nil || !rec.State.Over() {
			t.Errorf("%s: %+v, %v", name, rec, err)
		}
		terminal.Close()
		if text := <-shown; strings.Count(text, of.drawn) != 1 || strings.Contains(text, "2 of 3") {
			t.Errorf("%s: %q", name, text)
		}
		if err := v.Close(); err != nil {
			t.Error(err)
		}
	}
}

// A wait for a group on a terminal ends when its time is over.
func TestGroupLineInTime(t *testing.T) {
	c := &cli.Call{Env: clitest.EnvIn(t, t.TempDir())}
	master, terminal := testenv.Terminal(t)
	defer terminal.Close()
	go func() { _, _ = io.Copy(io.Discard, master) }()
	c.Stderr = terminal
	v := begun(t, c, &job.Array{Members: 3, First: 1})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if rec, err := awaitJob(ctx, c, v.Store(), v.Record().ID); !errors.Is(err, job.ErrRunning) || rec.State.Over() {
		t.Errorf("%+v, %v", rec, err)
	}
	if err := errors.Join(v.Finish(&envelope.Result{}), v.Close()); err != nil {
		t.Error(err)
	}
}
