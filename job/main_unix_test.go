//go:build unix

package job

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/test/testenv"
	"github.com/envwrap/envwrap/redact"
	"github.com/envwrap/envwrap/wrap"
)

// TestMain makes the test binary the supervisor of the jobs that it submits.
func TestMain(m *testing.M) {
	if dir := os.Getenv("JOB_TEST_STORE"); dir != "" && len(os.Args) > 3 && os.Args[2] == "supervise" {
		if err := superviseHere(dir, os.Args[3], os.Args[4:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(testenv.Run(m))
}

// superviseHere is the least that a supervisor does.
func superviseHere(dir, id string, argv []string) error {
	v, err := Supervise(Options{Dir: dir, Now: time.Now}, id)
	if err != nil {
		return err
	}
	defer v.Close()
	turn, err := v.Await(nil)
	if err != nil || !turn {
		return err
	}
	var store *artifact.Store
	defer func() {
		if store != nil {
			_ = store.Close()
		}
	}()
	c := &wrap.Command{
		Process: wrap.Process{Argv: argv, Env: os.Environ(), Stdin: wrap.Stdin{Mode: wrap.StdinInherit, File: os.Stdin}, Started: v.Started},
		Capture: wrap.Capture{
			Redactor:  redact.New(redact.Options{}),
			Placement: envelope.Placement{Keep: envelope.KeepAll},
			Store: func() (*artifact.Store, string, error) {
				store, err = artifact.Open(artifact.Options{Dir: dir, Run: id, NoMaintenance: true})
				return store, "", err
			},
		},
		Limits: wrap.Limits{InlineLimit: 32 << 10, KillAfter: time.Second},
	}
	if c.LiveStdout, c.LiveStderr, err = v.Streams(); err != nil {
		return err
	}
	res, err := wrap.Run(context.Background(), c)
	if err != nil {
		return err
	}
	return v.Finish(res)
}

// newStore makes a store for jobs. What still runs at the end is canceled, and no
// supervisor writes to the store when it is removed: one of a job that is over has
// something to note yet.
func newStore(tb testing.TB) *Store {
	tb.Helper()
	dir := tb.TempDir() + "/store"
	a, err := artifact.Open(artifact.Options{Dir: dir, NoMaintenance: true})
	if err != nil {
		tb.Fatal(err)
	}
	_ = a.Close()
	s, err := Open(Options{Dir: dir, Now: time.Now})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		list, _ := s.List(-1, BySubmit)
		for _, rec := range list.Records {
			if _, err := s.Cancel(context.Background(), rec.ID); err != nil {
				tb.Error(err)
			}
			<-s.records.over(context.Background(), rec.ID)
		}
		_ = s.Close()
	})
	return s
}

// draft is a job of a shell script.
func draft(s *Store, script string) *Draft {
	return &Draft{
		Record: Record{
			Command: "exec/sh", Tool: "sh", Argv: []string{"sh", "-c", script},
			View: View{Format: "protocol/v1", InlineLimit: 32 << 10, Excerpt: 4 << 10},
		},
		MaxJobs: 10,
		Launch: Launch{
			Program: os.Args[0], Env: append(os.Environ(), "JOB_TEST_STORE="+s.dir, "GORACE=atexit_sleep_ms=0"),
			Args: func(id string) []string { return []string{id, "sh", "-c", script} },
		},
	}
}

// draftWithIdentity is a draft with an Identity.
func draftWithIdentity(s *Store, script string, identity ...string) *Draft {
	d := draft(s, script)
	d.Identity = identity
	return d
}

// draftWithMaxJobs is a draft of which at most n run at a time.
func draftWithMaxJobs(s *Store, script string, n int) *Draft {
	d := draft(s, script)
	d.MaxJobs = n
	return d
}

func submit(tb testing.TB, s *Store, d *Draft) *Submission {
	tb.Helper()
	sub, err := s.Submit(d)
	if err != nil {
		tb.Fatal(err)
	}
	return sub
}

func await(tb testing.TB, s *Store, id string) *Record {
	tb.Helper()
	rec, err := s.Wait(tb.Context(), id)
	if err != nil {
		tb.Fatal(err)
	}
	return rec
}

// gate gives the job a stdin that ends when open is called, or the test ends.
func gate(tb testing.TB, d *Draft) (open func()) {
	tb.Helper()
	read, write, err := os.Pipe()
	if err != nil {
		tb.Fatal(err)
	}
	d.Launch.Stdin = read
	open = func() { _ = write.Close() }
	tb.Cleanup(func() { open(); _ = read.Close() })
	return open
}

// submitGated submits a job with a stdin that ends when open is called, or the test
// ends.
func submitGated(tb testing.TB, s *Store, d *Draft) (sub *Submission, open func()) {
	tb.Helper()
	open = gate(tb, d)
	return submit(tb, s, d), open
}

// running is submitGated, and waits until the job's command runs: then its supervisor
// writes nothing until open is called.
func running(tb testing.TB, s *Store, d *Draft) (id string, open func()) {
	tb.Helper()
	sub, open := submitGated(tb, s, d)
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		rec, err := s.Get(sub.Record.ID)
		check(tb, err)
		if rec.Child.PID != 0 {
			return rec.ID, open
		}
		<-tick.C
	}
}

// finished submits the job of a script, and returns its record when it is over.
func finished(tb testing.TB, s *Store, script string) *Record {
	tb.Helper()
	return await(tb, s, submit(tb, s, draft(s, script)).Record.ID)
}
