package job

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// Wait returns a job's record when the job is over. Where ctx is done before,
// it returns the record as it is then and an error that wraps [ErrRunning].
//
// It sleeps in the kernel, on the lock that the job's supervisor holds, and
// learns of its death at once. Where ctx is done first, a thread of this
// process stays there until the job is over.
func (s *Store) Wait(ctx context.Context, id string) (*Record, error) {
	id, err := s.Resolve(id)
	if err != nil {
		return nil, err
	}
	rec, err := s.look(id)
	if err != nil || rec.State.Over() {
		return rec, err
	}
	select {
	case err = <-s.over(id):
	case <-ctx.Done():
	}
	if err != nil {
		return nil, fmt.Errorf("wait for job %q: %w", id, err)
	}
	rec, err = s.look(id)
	if err == nil && !rec.State.Over() {
		err = fmt.Errorf("job %q: %w", id, ErrRunning)
	}
	return rec, err
}

// over gets one value when the job's lock is free.
func (s *Store) over(id string) <-chan error {
	done := make(chan error, 1)
	f, err := s.root.OpenFile(id+"/"+lockFile, os.O_RDONLY|noFollow, 0)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			err = ErrNotFound
		}
		done <- err
		return done
	}
	go func() {
		defer f.Close()
		done <- shared.await(f)
	}()
	return done
}
