package artifact

import (
	"errors"
	"io/fs"
	"strings"
)

// dropEndedPins removes the files of pins that hold no more: those whose owner
// did not come back to take them.
func (s *Store) dropEndedPins() error {
	files, err := s.namesIn(pinsDir)
	if err != nil {
		return err
	}
	for _, file := range files {
		name, _, ok := strings.Cut(file, ".")
		if !ok || !isObject(name) || !s.pinEnded(file) {
			continue
		}
		if err := s.dropEndedPin(name, file); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// dropEndedPin removes a pin under the lock that keeps others from setting it
// anew. Where that is taken the pin goes another time.
func (s *Store) dropEndedPin(name, file string) error {
	d, err := s.fs.OpenDir(shardDir(name))
	if err != nil {
		return err
	}
	defer d.Close()
	if s.lock(d, true) != nil || !s.pinEnded(file) {
		return nil
	}
	return s.fs.Remove(pinsDir + "/" + file)
}

// pinEnded reports whether a pin has a time, and that is over.
func (s *Store) pinEnded(file string) bool {
	until, err := s.readPin(file)
	return err == nil && !until.IsZero() && !until.After(s.now())
}
