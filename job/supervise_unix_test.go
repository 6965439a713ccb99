//go:build unix

package job

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"syscall"
	"testing"
	"time"

	"github.com/envwrap/envwrap/envelope"
)

// superviseInside makes a job of which this process is the supervisor.
func superviseInside(t *testing.T, s *Store, maxJobs int) *Supervisor {
	t.Helper()
	p, _, err := s.admit(draftWithMaxJobs(s, "true", maxJobs))
	check(t, err)
	v := &Supervisor{s: s, rec: &p.rec, lock: p.lock, turn: p.turn}
	t.Cleanup(func() {
		if !v.rec.State.Over() {
			check(t, v.Finish(&envelope.Result{}))
		}
	})
	return v
}

// A job has its turn once nobody is before it, but not if it is stopped or was canceled.
func TestAwaitTurn(t *testing.T) {
	s := newStore(t)
	stop := make(chan struct{})
	close(stop)
	first, stopped, last := superviseInside(t, s, 1), superviseInside(t, s, 1), superviseInside(t, s, 1)
	if turn, err := first.Await(nil); !turn || err != nil {
		t.Errorf("the first: %t, %v", turn, err)
	}
	if turn, err := stopped.Await(stop); turn || err != nil || s.root.has(queueDir, stopped.rec.ID) {
		t.Errorf("stopped: %t, %v", turn, err)
	}
	check(t, first.Finish(&envelope.Result{Command: "exec/true"}))
	if turn, err := last.Await(nil); !turn || err != nil {
		t.Errorf("the last: %t, %v", turn, err)
	}
	canceled := superviseInside(t, s, 0)
	check(t, s.root.touch(canceled.rec.ID+"/"+cancelFile))
	if turn, err := canceled.Await(nil); turn || err != nil {
		t.Errorf("canceled: %t, %v", turn, err)
	}
}

// The record says when the command first started, though it is started again.
func TestStartedAgain(t *testing.T) {
	s := newStore(t)
	v := superviseInside(t, s, 0)
	_, err := v.Await(nil)
	check(t, err)
	v.Started(os.Getpid())
	first := v.rec.Started
	v.Started(os.Getppid())
	rec, err := s.records.load(v.rec.ID)
	if err != nil || rec.State != Running || !rec.Started.Equal(first) || !v.rec.Started.Equal(first) || rec.Child.PID != os.Getppid() {
		t.Errorf("%+v, %v", rec, err)
	}
}

// Finish says what could not be recorded, and adds no end to the list then; where all
// is recorded the output's own files are gone.
func TestFinish(t *testing.T) {
	s := newStore(t)
	for _, blocked := range []bool{false, true} {
		v := superviseInside(t, s, 0)
		id := v.rec.ID
		stdout, _, err := v.Streams()
		check(t, err)
		_, err = stdout.Write([]byte("out\n"))
		check(t, err)
		full := filepath.Join(s.root.Name(), id, recordFile+".new", "full")
		if blocked {
			check(t, os.MkdirAll(full, 0o700))
		}
		err = v.Finish(&envelope.Result{Command: "exec/sh"})
		if (err != nil) != blocked || (s.ended.read()[idKey(id)] == 0) != blocked || s.root.has(id, spaceFile) || !blocked && s.root.has(id, stdoutFile) {
			t.Errorf("blocked %t: %v, ended at %d", blocked, err, s.ended.read()[idKey(id)])
		}
		if held, err := s.root.held(id + "/" + lockFile); held || err != nil {
			t.Errorf("the lock is held: %v", err)
		}
		if blocked {
			check(t, os.RemoveAll(filepath.Dir(full)))
		}
	}
}

// Once a signal has ended a job before its command was started, no step that comes late
// says that it runs, or makes a file.
func TestFinishedBesideItsStart(t *testing.T) {
	s := newStore(t)
	v := superviseInside(t, s, 1)
	id := v.rec.ID
	check(t, v.Finish(&envelope.Result{Command: "exec/true"}))
	before, err := s.records.load(id)
	check(t, err)
	if turn, err := v.Await(nil); turn || !errors.Is(err, errFinished) {
		t.Errorf("Await: %t, %v", turn, err)
	}
	if err := v.HandOver(Far{Runner: "far"}); !errors.Is(err, errFinished) {
		t.Errorf("HandOver: %v", err)
	}
	if _, _, err := v.Streams(); !errors.Is(err, errFinished) || s.root.has(id, stdoutFile) {
		t.Errorf("Streams: %v", err)
	}
	after, err := s.records.load(id)
	check(t, err)
	if !after.State.Over() || !reflect.DeepEqual(before, after) {
		t.Errorf("%+v became %+v", before, after)
	}
}

// Where the output's files cannot be made Streams fails.
func TestStreamsFail(t *testing.T) {
	s := newStore(t)
	for _, name := range []string{stdoutFile, stderrFile} {
		v := superviseInside(t, s, 0)
		check(t, s.root.Mkdir(v.rec.ID+"/"+name, 0o700))
		if _, _, err := v.Streams(); err == nil {
			t.Errorf("%s is a directory, and there is no error", name)
		}
		check(t, s.root.Remove(v.rec.ID+"/"+name))
	}
}

// A supervisor gets none of the descriptors that a program has left open to its
// submitter: who reads the other end sees the end of the file while the job runs.
func TestSupervisorInheritsNothing(t *testing.T) {
	s := newStore(t)
	read, write, err := os.Pipe()
	check(t, err)
	defer read.Close()
	left, err := syscall.Dup(int(write.Fd())) // is passed on by exec
	check(t, err)
	running(t, s, draft(s, "cat"))
	check(t, write.Close(), syscall.Close(left), read.SetReadDeadline(time.Now().Add(time.Minute)))
	if n, err := read.Read(make([]byte, 1)); n != 0 || err == nil || os.IsTimeout(err) {
		t.Errorf("%d bytes, %v", n, err)
	}
}
