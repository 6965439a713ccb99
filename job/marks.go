package job

import (
	"encoding/json"
	"fmt"
	"os"
	"time"
)

// marksDir has an empty file for each mark.
const marksDir = ".marks"

// Mark leaves a mark in the store, by which a later call recognizes the store. Cleanup
// removes a mark before it removes any job that was submitted later: while the mark
// exists, no such job was removed.
func (s *Store) Mark(mark string) error {
	if !IsID(mark) {
		return fmt.Errorf("leave the mark %q: it is no ULID", mark)
	}
	err := s.mkdir(marksDir)
	if err == nil {
		err = s.root.touch(marksDir + "/" + mark)
	}
	if err != nil {
		return fmt.Errorf("leave the mark %q: %w", mark, err)
	}
	return nil
}

// MarkLeft precedes the mark in the line that says it was left.
const MarkLeft = "marked "

// HasMark reports whether the store has a mark.
func (s *Store) HasMark(mark string) bool { return IsID(mark) && s.root.has(marksDir, mark) }

// checkMark returns an error that wraps [ErrNoMark] unless the store has a mark, or mark is
// "".
func (s *Store) checkMark(mark string) error {
	if mark == "" || s.HasMark(mark) {
		return nil
	}
	return fmt.Errorf("%w %s", ErrNoMark, mark)
}

// runnersDir has a file for each runner with a mark.
const runnersDir = ".runners"

// A RunnerMark is the mark that was last left in the store of a runner's far end.
type RunnerMark struct {
	Mark   string    `json:"mark,omitempty"`   // "" before one was left
	Since  time.Time `json:"since"`            // when it was left, or missed
	Missed int       `json:"missed,omitempty"` // how many starts in a row met a store without their mark
}

// markMaxAge is how old a mark may be to be used: it is removed after [Retain].
const markMaxAge = Retain - 24*time.Hour

// RunnerMark returns the mark of a runner, which words identify.
func (s *Store) RunnerMark(runner []string) (m RunnerMark) {
	_ = s.root.withLock(submitLock, func(*os.File) error {
		name, _ := s.runnerFile(runner) // without one nothing can be read
		data, _ := s.root.read(name)
		if json.Unmarshal(data, &m) != nil || s.now().Sub(m.Since) > markMaxAge {
			m = RunnerMark{}
		}
		return nil
	})
	return m
}

// SetRunnerMark stores the mark of a runner.
func (s *Store) SetRunnerMark(runner []string, m RunnerMark) error {
	err := s.root.withLock(submitLock, func(*os.File) error {
		name, err := s.runnerFile(runner)
		if err == nil {
			err = s.mkdir(runnersDir)
		}
		if err == nil {
			err = s.root.replace(name, m, false)
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("remember the mark of a runner: %w", err)
	}
	return nil
}

// runnerFile returns the name of a runner's file. The caller holds submitLock.
func (s *Store) runnerFile(runner []string) (string, error) {
	key, err := s.identityDigest(append([]string{}, runner...))
	return runnersDir + "/" + key, err
}
