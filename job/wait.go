package job

import (
	"context"
	"fmt"
)

// Wait returns a job's record when the job is over. If ctx is done first, it returns
// the current record and an error that wraps ErrRunning; where the job's supervisor is
// dead and only its runner knows the end, one that wraps ErrElsewhere.
//
// Wait blocks on the lock that the job's supervisor holds, which the kernel releases as
// soon as that ends, and checks at intervals whether the supervisor lives. If ctx is
// done first, a thread of this process stays blocked until the job is over.
func (s *Store) Wait(ctx context.Context, id string) (*Record, error) {
	id, err := s.Resolve(id)
	if err != nil {
		return nil, err
	}
	rec, err := s.current(id)
	if err != nil || rec.State.Over() {
		return rec, err
	}
	select {
	case err = <-s.records.over(ctx, id):
	case <-ctx.Done():
	}
	if err != nil {
		return nil, fmt.Errorf("wait for job %q: %w", id, err)
	}
	rec, err = s.current(id)
	if err == nil && s.Elsewhere(rec) {
		return rec, fmt.Errorf("job %q: %w", id, ErrElsewhere)
	}
	if err == nil && !rec.State.Over() {
		err = fmt.Errorf("job %q: %w", id, ErrRunning)
	}
	return rec, err
}
