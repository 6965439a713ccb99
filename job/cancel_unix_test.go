//go:build unix

package job

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// A supervisor that cannot be signalled finds the word that Cancel leaves.
func TestCancelWord(t *testing.T) {
	s := newStore(t)
	id, _ := running(t, s, draft(s, "cat"))
	p := s.records.loadProcesses(id)
	p.Supervisor.Space = "pid:[1]"
	check(t, s.root.put(id, processFile, p))
	if rec, err := s.Cancel(t.Context(), id); err != nil || rec.State != Canceled {
		t.Errorf("%+v, %v", rec, err)
	}
}

// A name in the form of an id is a job if it is a directory with a record.
func TestWhatIsAJob(t *testing.T) {
	s := newStore(t)
	for id, c := range map[string]struct {
		put   func(path string) error
		isJob bool
	}{
		"01ARZ3NDEKTSV4RRFFQ69G5FA1": {func(path string) error { return os.WriteFile(path, nil, 0o600) }, false},
		"01ARZ3NDEKTSV4RRFFQ69G5FA2": {func(path string) error { return os.Mkdir(path, 0o700) }, false},
		"01ARZ3NDEKTSV4RRFFQ69G5FA3": {func(path string) error { return os.MkdirAll(filepath.Join(path, recordFile), 0o700) }, true},
	} {
		check(t, c.put(filepath.Join(s.root.Name(), id)))
		if _, err := s.records.load(id); err == nil || errors.Is(err, ErrNotFound) == c.isJob {
			t.Errorf("%s: %v", id, err)
		}
	}
}

// A held slot is not given twice, and the number of slots is limited.
func TestNewSlot(t *testing.T) {
	s := newStore(t)
	check(t, os.MkdirAll(filepath.Join(s.root.Name(), slotsDir), 0o700))
	slot, err := s.queue.newSlot(0)
	check(t, err)
	defer slot.Close()
	if again, err := s.queue.newSlot(0); again != nil || err != nil {
		t.Errorf("it was given twice: %v, %v", again, err)
	}
	if last, err := s.queue.newSlot(slotsLimit); last != nil || err == nil {
		t.Errorf("got %v, %v", last, err)
	}
}

// Every method of a store that is closed fails; so does what they are made of.
func TestClosedStore(t *testing.T) {
	s := newStore(t)
	id := finished(t, s, "true").ID
	closed, err := Open(Options{Dir: s.dir, Now: time.Now})
	check(t, err, closed.Close())
	for name, do := range map[string]func(s *Store) error{
		"resolve":        func(s *Store) error { _, err := s.Resolve(id[:25]); return err },
		"get":            func(s *Store) error { _, err := s.Get(id); return err },
		"list":           func(s *Store) error { _, err := s.List(-1, BySubmit); return err },
		"served":         func(s *Store) error { _, err := s.Served(9); return err },
		"queue":          func(s *Store) error { _, err := s.Queue(); return err },
		"predecessor":    func(s *Store) error { _, err := s.queue.predecessor(id); return err },
		"awaitTurn":      func(s *Store) error { _, err := s.queue.awaitTurn(id, nil, 1, nil); return err },
		"slot":           func(s *Store) error { _, err := s.queue.slot(id, 0); return err },
		"new slot":       func(s *Store) error { _, err := s.queue.newSlot(0); return err },
		"enqueue":        func(s *Store) error { _, err := s.queue.enqueue(id); return err },
		"held":           func(s *Store) error { _, err := s.root.held(lockFile); return err },
		"over":           func(s *Store) error { return <-s.records.over(t.Context(), id) },
		"withLock":       func(s *Store) error { return s.root.withLock(turnLock, func(*os.File) error { return nil }) },
		"withJobLock":    func(s *Store) error { return s.root.withJobLock(id, func() error { return nil }) },
		"touch":          func(s *Store) error { return s.root.touch(namesFile) },
		"identityDigest": func(s *Store) error { _, err := s.identityDigest([]string{"a"}); return err },
		"submit":         func(s *Store) error { _, err := s.Submit(draft(s, "true")); return err },
		"result":         func(s *Store) error { _, err := s.Result(id); return err },
		"tail":           func(s *Store) error { _, _, _, err := s.Tail(id, 1, 1); return err },
		"printed":        func(s *Store) error { _, _, err := s.Printed(id); return err },
		"follow":         func(s *Store) error { _, err := s.Follow(t.Context(), id, 1, nil); return err },
		"wait":           func(s *Store) error { _, err := s.Wait(t.Context(), id); return err },
		"cancel":         func(s *Store) error { _, err := s.Cancel(t.Context(), id); return err },
		"cleanup":        func(s *Store) error { _, err := s.Cleanup(Policy{}); return err },
		"expire":         func(s *Store) error { return s.Expire() },
	} {
		if err := do(closed); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// OpenRead makes nothing, and finds nothing in a store that never had a job; neither
// opens what is no directory.
func TestOpenWhatIsNoStore(t *testing.T) {
	dir := t.TempDir()
	check(t, os.Chmod(dir, 0o700))
	o := Options{Dir: dir, Now: time.Now}
	if _, err := OpenRead(o); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no jobs: %v", err)
	}
	if _, err := os.Lstat(filepath.Join(dir, jobsDir)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("it was made: %v", err)
	}
	check(t, os.WriteFile(filepath.Join(dir, jobsDir), nil, 0o600))
	for name, open := range map[string]func(Options) (*Store, error){"Open": Open, "OpenRead": OpenRead} {
		if _, err := open(o); err == nil {
			t.Errorf("%s: a file was opened", name)
		}
		if _, err := open(Options{Dir: filepath.Join(dir, "none"), Now: time.Now}); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: a missing store: %v", name, err)
		}
	}
}
