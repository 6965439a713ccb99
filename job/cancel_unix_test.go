//go:build unix

package job

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// A supervisor that cannot be signalled finds the word that Cancel leaves.
func TestCancelWord(t *testing.T) {
	s := newStore(t)
	id, _ := running(t, s, draft(s, "cat"))
	p, err := s.announced(id)
	check(t, err)
	p.Supervisor.Space = "pid:[1]"
	data, err := encode(p)
	check(t, err, s.put(id, processFile, data))
	if rec, err := s.Cancel(t.Context(), id); err != nil || rec.State != Canceled {
		t.Errorf("%+v, %v", rec, err)
	}
}

// What has the form of a job's id is a job where it is a directory with a record.
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
		if _, err := s.load(id); err == nil || errors.Is(err, ErrNotFound) == c.isJob {
			t.Errorf("%s: %v", id, err)
		}
	}
}

// Nobody else gets a slot that is held, and there is an end to them.
func TestNewSlot(t *testing.T) {
	s := newStore(t)
	check(t, os.MkdirAll(filepath.Join(s.root.Name(), slotsDir), 0o700))
	slot, err := s.newSlot(0)
	check(t, err)
	defer slot.Close()
	if again, err := s.newSlot(0); again != nil || err != nil {
		t.Errorf("it was given twice: %v, %v", again, err)
	}
	if last, err := s.newSlot(slotsMost); last != nil || err == nil {
		t.Errorf("got %v, %v", last, err)
	}
}
