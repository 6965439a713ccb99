//go:build unix

package job

import (
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
	} {
		s := newStore(t)
		path := filepath.Join(s.root.Name(), name)
		check(t, os.RemoveAll(path), inItsPlace(path))
		sub, err := s.Submit(draftWithIdentity(s, "true", "x"))
		if err == nil {
			t.Errorf("%s: submitted %+v", name, sub.Record)
		}
		check(t, os.RemoveAll(path))
		if list, err := s.List(-1, BySubmit); len(list.Records) > 0 || err != nil {
			t.Errorf("%s: %d jobs are left, %v", name, len(list.Records), err)
		}
	}
}
