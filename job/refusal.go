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

// Refuse makes Submit refuse a job with an id for as long as a job is remembered. So a
// caller that asked for a missing job knows that the job will not start later. The error
// wraps [ErrTaken] if there is a job with that id, and [ErrNoMark] if the store does not
// have the mark, unless that is "".
func (s *Store) Refuse(id, mark string) (r Refusal, err error) {
	if !IsID(id) {
		return r, fmt.Errorf("refuse job %q: it is no ULID", id)
	}
	err = s.root.withLock(submitLock, func(*os.File) error {
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

// refusal returns the refusal of an id, and whether there is one.
func (s *Store) refusal(id string) (r Refusal, known bool, err error) {
	data, err := s.root.read(refusedDir + "/" + id)
	if errors.Is(err, fs.ErrNotExist) {
		return r, false, nil
	}
	if err == nil {
		_ = json.Unmarshal(data, &r) // an empty file refuses, too
	}
	return r, err == nil, err
}

func (s *Store) putRefusal(id string, r Refusal) error {
	return s.root.put(refusedDir, id, r)
}

// checkRefusal returns an error that wraps [ErrRefused] if an id is refused, and records
// that a submit came.
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
