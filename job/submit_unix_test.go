//go:build unix

package job

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// What a job needs and cannot have is an error of its submit, and no job is left.
func TestSubmitFails(t *testing.T) {
	for name, inItsPlace := range map[string]func(path string) error{
		saltFile:   func(path string) error { return os.MkdirAll(path+"/x", 0o700) },
		submitLock: func(path string) error { return os.MkdirAll(path+"/x", 0o700) },
		turnLock:   func(path string) error { return os.MkdirAll(path+"/x", 0o700) },
		sameDir:    func(path string) error { return os.WriteFile(path, nil, 0o600) },
		queueDir:   func(path string) error { return os.WriteFile(path, nil, 0o600) },
		slotsDir:   func(path string) error { return os.WriteFile(path, nil, 0o600) },
	} {
		s := newStore(t)
		path := filepath.Join(s.root.Name(), name)
		check(t, os.RemoveAll(path), inItsPlace(path))
		for _, d := range []*Draft{draftWithIdentity(s, "true", "x"), draftWithMaxJobs(s, "true", 0), chosenDraft(s)} {
			needless := d.Identity == nil && (name == saltFile || name == sameDir) || d.MaxJobs == 0 && name == queueDir
			if sub, err := s.Submit(d); err == nil && !needless {
				t.Errorf("%s: submitted %+v", name, sub.Record)
			} else if err == nil {
				await(t, s, sub.Record.ID)
				check(t, os.RemoveAll(s.Path(sub.Record.ID)))
			}
		}
		check(t, os.RemoveAll(path))
		if list, err := s.List(-1, BySubmit); len(list.Records) > 0 || err != nil {
			t.Errorf("%s: %d jobs are left, %v", name, len(list.Records), err)
		}
	}
}

// That a job is refused is said also if no other job could be submitted, and so is that it
// is there.
func TestSubmitRefusedFirst(t *testing.T) {
	s := newStore(t)
	_, err := s.Refuse(chosen, "")
	check(t, err, s.root.Mkdir(saltFile, 0o700))
	d := chosenDraft(s)
	d.Identity = []string{"x"}
	if _, err := s.Submit(d); !errors.Is(err, ErrRefused) {
		t.Errorf("refused: %v", err)
	}
	check(t, s.root.RemoveAll(refusedDir), s.root.Mkdir(chosen, 0o700))
	if _, err := s.Submit(d); !errors.Is(err, ErrTaken) {
		t.Errorf("taken: %v", err)
	}
	d.ID = ""
	if _, err := s.Submit(d); err == nil || errors.Is(err, ErrTaken) || errors.Is(err, ErrRefused) {
		t.Errorf("another: %v", err)
	}
	check(t, os.RemoveAll(s.Path(chosen)))
}
