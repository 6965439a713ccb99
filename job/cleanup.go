package job

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"time"
)

// A Policy says what Cleanup removes.
type Policy struct {
	Old    time.Duration // remove jobs that have been over for this long; 0 is all that are over
	DryRun bool          // only report
}

// Cleaned counts the jobs that [Store.Cleanup] changed, or would change without DryRun.
type Cleaned struct {
	Stuck   []string      // jobs that were recorded as queued or running, and were dead
	Settled int           // how many of these are recorded as lost now
	Old     []string      // jobs that had been over for Policy.Old
	Oldest  time.Duration // how long the oldest of these had been over
	Removed int           // how many of Old were removed
}

// Cleanup records the end of dead jobs, removes the jobs that ended at least p.Old ago,
// and removes files that killed processes left. It unpins the output of the jobs it
// removes. Cleanup continues after an error.
func (s *Store) Cleanup(p Policy) (*Cleaned, error) {
	ids, err := s.root.ids()
	if err != nil {
		return nil, fmt.Errorf("clean up the jobs: %w", err)
	}
	if !p.DryRun {
		if err := s.expire(marksDir, p.Old); err != nil {
			return nil, fmt.Errorf("clean up the jobs: %w", err) // a mark is removed before the jobs that it vouches for
		}
	}
	c := &cleaner{s: s, policy: p}
	for _, id := range ids {
		if cleanErr := c.clean(id); cleanErr != nil {
			err = errors.Join(err, cleanErr)
		}
	}
	if !p.DryRun {
		err = errors.Join(err, s.sweep(), s.ended.trim(ids), s.expire(refusedDir, Retain))
	}
	if err != nil {
		return &c.Cleaned, fmt.Errorf("clean up the jobs: %w", err)
	}
	return &c.Cleaned, nil
}

// A cleaner applies a policy to jobs and counts them.
type cleaner struct {
	Cleaned
	s      *Store
	policy Policy
}

// Expire removes the jobs that ended at least [Retain] ago. It reads only the records of
// jobs that were submitted before that, so it is cheap if there are none.
func (s *Store) Expire() error {
	ids, err := s.root.ids()
	if err != nil {
		return err
	}
	limit := s.now().Add(-Retain)
	i := slices.IndexFunc(ids, func(id string) bool { return submitted(id).After(limit) })
	if i < 0 {
		i = len(ids)
	}
	if err := s.expire(marksDir, Retain); err != nil {
		return err
	}
	c := &cleaner{s: s, policy: Policy{Old: Retain}}
	for _, id := range ids[:i] {
		err = errors.Join(err, c.clean(id))
	}
	return errors.Join(err, s.ended.trim(ids[i:]), s.expire(refusedDir, Retain))
}

// clean applies the policy to one job.
func (c *cleaner) clean(id string) error {
	rec, err := c.s.records.load(id)
	if errors.Is(err, ErrNotFound) {
		return c.cleanIncomplete(id)
	}
	if errors.Is(err, ErrDamaged) {
		return c.cleanDamaged(id, err)
	}
	if err != nil {
		return err
	}
	if !rec.State.Over() {
		if alive, err := c.s.records.alive(id); err != nil || alive || c.s.isRemembered(rec) {
			return err
		}
		c.Stuck = append(c.Stuck, id)
		if c.policy.DryRun {
			return nil
		}
		if rec, err = c.s.concludeLost(id); err != nil {
			return err
		}
		if now, err := c.s.records.load(id); err == nil && now.State.Over() {
			c.Settled++
		}
	}
	if !c.addOld(id, c.age(rec.Ended)) || c.policy.DryRun {
		return nil
	}
	return c.removed(c.remove(rec))
}

// removed counts a job as removed if err is nil, and returns err.
func (c *cleaner) removed(err error) error {
	if err == nil {
		c.Removed++
	}
	return err
}

// addOld reports whether a job ended at least policy.Old ago, and counts it if so.
func (c *cleaner) addOld(id string, age time.Duration) bool {
	if age < c.policy.Old {
		return false
	}
	c.Old, c.Oldest = append(c.Old, id), max(c.Oldest, age)
	return true
}

// age returns how long ago a time was; 0 if the clock was set back.
func (c *cleaner) age(t time.Time) time.Duration { return max(c.s.now().Sub(t), 0) }

// cleanDamaged removes a job whose record is damaged, if it was submitted at least
// policy.Old ago: only the id still says when. It returns fault for a younger job, and
// for one that has a supervisor.
func (c *cleaner) cleanDamaged(id string, fault error) error {
	if alive, err := c.s.root.held(id + "/" + lockFile); alive && err == nil {
		return fault
	}
	if !c.addOld(id, c.age(submitted(id))) {
		return fault
	}
	if c.policy.DryRun {
		return nil
	}
	return c.removed(c.s.root.RemoveAll(id))
}

// cleanIncomplete removes a directory that never became a job, because its submitter was
// killed. It holds submitLock, so no submitter is making a job of it.
func (c *cleaner) cleanIncomplete(id string) error {
	if c.policy.DryRun {
		return nil
	}
	return c.s.root.withLock(submitLock, func(*os.File) error {
		if alive, err := c.s.root.held(id + "/" + lockFile); err != nil || alive || c.s.root.has(id, recordFile) {
			return err
		}
		return c.s.root.RemoveAll(id)
	})
}

// remove removes a job: the pins of its output first, so that nothing is pinned for a
// job that no record names.
func (c *cleaner) remove(rec *Record) error {
	c.s.outputs.unpin(rec)
	return c.s.root.withJobLock(rec.ID, func() error { return c.s.root.RemoveAll(rec.ID) })
}

// sweep removes entries of the queue and keys of identities that belong to no job.
func (s *Store) sweep() error {
	_, err := s.queue.waiting() // removes the entries of dead jobs
	names, namesErr := s.root.names(sameDir)
	err = errors.Join(err, namesErr)
	for _, name := range names {
		if id, _ := s.root.read(sameDir + "/" + name); s.root.has(string(id), recordFile) {
			continue
		}
		if removeErr := s.root.Remove(sameDir + "/" + name); !errors.Is(removeErr, fs.ErrNotExist) {
			err = errors.Join(err, removeErr)
		}
	}
	return err
}
