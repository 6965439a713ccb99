package job

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"
)

// refusedDir has a file for each id under which no job may be submitted any more.
const refusedDir = ".refused"

// A Refusal says that no job is submitted under an id any more.
type Refusal struct {
	Asked time.Time `json:"asked"`         // when somebody asked for the job, and there was none
	Came  time.Time `json:"came,omitzero"` // when its submit came and was refused; zero if none came so far
}

// Refuse makes Submit refuse a job with an id for as long as a job is remembered. So who
// asked for a job that is not there knows that it will not start later. The error wraps
// [ErrTaken] if there is a job with that id, and [ErrNoMark] if the store does not have
// the mark, unless that is "".
func (s *Store) Refuse(id, mark string) (r Refusal, err error) {
	if !IsID(id) {
		return r, fmt.Errorf("refuse job %q: it is no ULID", id)
	}
	err = s.root.under(submitLock, func(*os.File) error {
		if s.root.has(id, recordFile) {
			return ErrTaken
		}
		if err := s.checkMark(mark); err != nil {
			return err
		}
		var known bool
		if r, known, err = s.refusal(id); known || err != nil {
			return err
		}
		if err := s.mkdir(refusedDir); err != nil {
			return err
		}
		r.Asked = s.now().UTC()
		return s.putRefusal(id, r)
	})
	if err != nil {
		return r, fmt.Errorf("refuse job %q: %w", id, err)
	}
	return r, nil
}

// mkdir makes one of the store's directories if there is none.
func (s *Store) mkdir(name string) error {
	err := s.root.Mkdir(name, 0o700)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	return errors.Join(err, s.root.Sync("."))
}

// refusal returns what is known of the refusal of an id.
func (s *Store) refusal(id string) (r Refusal, known bool, err error) {
	data, err := s.root.read(refusedDir + "/" + id)
	if errors.Is(err, fs.ErrNotExist) {
		return r, false, nil
	}
	if err == nil {
		_ = json.Unmarshal(data, &r) // the file alone refuses
	}
	return r, err == nil, err
}

func (s *Store) putRefusal(id string, r Refusal) error {
	data, err := encode(r)
	if err != nil {
		return err
	}
	name := refusedDir + "/" + id
	return s.root.WriteFile(name, name+".new", data, true)
}

// checkRefusal returns an error that wraps [ErrRefused] if no job may be submitted under
// an id, and records that one came.
func (s *Store) checkRefusal(id string) error {
	r, known, err := s.refusal(id)
	if !known || err != nil {
		return err
	}
	if r.Came.IsZero() {
		r.Came = s.now().UTC()
		_ = s.putRefusal(id, r)
	}
	return fmt.Errorf("job %s %w", id, ErrRefused)
}

// marksDir has an empty file for each mark.
const marksDir = ".marks"

// ErrNoMark means that a store does not have a mark.
var ErrNoMark = errors.New("the store does not have the mark")

// Mark leaves a mark in the store, by which a later call knows the store again. It goes
// before any job that is submitted later does: where it is, no such job was removed.
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

// expire removes the files of a directory that are as old as a limit, if there is such a
// directory.
func (s *Store) expire(dir string, limit time.Duration) error {
	list, err := s.root.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, info := range list {
		if s.now().Sub(info.ModTime()) >= limit {
			err = errors.Join(err, s.root.Remove(dir+"/"+info.Name()))
		}
	}
	return err
}

// runnersDir has a file for each runner of which something is known.
const runnersDir = ".runners"

// A RunnerMark is what is known of the mark in the store of a runner's far end.
type RunnerMark struct {
	Mark   string    `json:"mark,omitempty"`   // "" if none is known
	Since  time.Time `json:"since"`            // when it was left, or missed
	Missed int       `json:"missed,omitempty"` // how many starts in a row met a store without their mark
}

// markMost is how old a mark may be to be used: it is removed after [Retain].
const markMost = Retain - 24*time.Hour

// RunnerMark returns what is known of a runner, which is identified by words.
func (s *Store) RunnerMark(runner []string) (m RunnerMark) {
	_ = s.root.under(submitLock, func(*os.File) error {
		name, err := s.runnerFile(runner)
		if err != nil {
			return err
		}
		data, err := s.root.read(name)
		if err != nil || json.Unmarshal(data, &m) != nil || s.now().Sub(m.Since) > markMost {
			m = RunnerMark{}
		}
		return err
	})
	return m
}

// SetRunnerMark remembers what is known of a runner.
func (s *Store) SetRunnerMark(runner []string, m RunnerMark) error {
	err := s.root.under(submitLock, func(*os.File) error {
		data, err := encode(m)
		if err != nil {
			return err
		}
		name, err := s.runnerFile(runner)
		if err == nil {
			err = s.mkdir(runnersDir)
		}
		if err != nil {
			return err
		}
		return s.root.WriteFile(name, name+".new", data, false)
	})
	if err != nil {
		return fmt.Errorf("remember the mark of a runner: %w", err)
	}
	return nil
}

// runnerFile returns the name of a runner's file. The caller holds submitLock.
func (s *Store) runnerFile(runner []string) (string, error) {
	key, err := s.key(append([]string{}, runner...))
	return runnersDir + "/" + key, err
}
