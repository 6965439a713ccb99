package job

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// The times of a cancellation, counted from the first signal to the supervisor, so that
// it ends within two seconds, that of a group within five: the command may end by itself, then
// its supervisor kills it, then Cancel kills the supervisor, unless the job has ended. A
// supervisor that has not recorded its process yet has started no command: cancelTimeout gives
// it longer.
const (
	cancelPoll   = 50 * time.Millisecond
	cancelSecond = 900 * time.Millisecond
	cancelKill   = 1600 * time.Millisecond
	// cancelGroupKill is cancelKill for a group: its members may be many, and each may have to
	// call a runner, whose cancellations take up to four seconds.
	cancelGroupKill = 4400 * time.Millisecond
	cancelTimeout   = 15 * time.Second
	// cancelFarTimeout is how long the supervisor of a job that was handed over may take, which
	// has to reach another machine.
	cancelFarTimeout = 12 * time.Second
)

// cancelRequest is the content of a job's cancelFile that asks a supervisor to interrupt
// itself, if the canceling process cannot send it a signal.
const cancelRequest = "end\n"

// cancelFilePoll is how often a supervisor reads its cancelFile.
const cancelFilePoll = 250 * time.Millisecond

// Cancel stops a job and returns its record once the job has ended. The command gets
// SIGTERM; after its KillAfter, Cancel kills the command and its descendants. A job that
// has ended before is not changed. If the job was handed over to a runner, and its
// supervisor did not learn its end in time, the error wraps ErrElsewhere and comes with
// the current record: the caller asks the far end to cancel the job.
func (s *Store) Cancel(ctx context.Context, id string) (*Record, error) {
	id, err := s.Resolve(id)
	if err != nil {
		return nil, err
	}
	rec, err := s.current(id)
	if err != nil || rec.State.Over() {
		return rec, err
	}
	if s.Elsewhere(rec) {
		return rec, fmt.Errorf("cancel job %q: %w", id, ErrElsewhere)
	}
	// A supervisor that has not recorded its process yet checks for this file.
	if err := s.root.touch(id + "/" + cancelFile); err != nil {
		return nil, fmt.Errorf("cancel job %q: %w", id, err)
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	over := s.records.over(ctx, id)
	tick := time.NewTicker(cancelPoll)
	defer tick.Stop()
	find := func() target { return s.records.supervisor(id) }
	leave := func() bool { return s.root.write(id+"/"+cancelFile, []byte(cancelRequest)) == nil }
	ended := func() bool { rec, err := s.records.load(id); return err == nil && rec.State.Over() }
	c := cancellation{asked: -1, far: rec.Far != nil, group: rec.Array != nil}
	for waited := time.Duration(0); waited < cancelTimeout; waited += cancelPoll {
		if c.step(waited, find, leave, ended) {
			return s.canceled(id, nil)
		}
		select {
		case err := <-over:
			return s.canceled(id, err)
		case <-ctx.Done():
			return nil, fmt.Errorf("cancel job %q: %w", id, ctx.Err())
		case <-tick.C:
		}
	}
	return nil, fmt.Errorf("cancel job %q: %w", id, errors.New("its supervisor does not answer: does it belong to another container?"))
}

// A cancellation records which steps were taken to end a job.
type cancellation struct {
	asked time.Duration // when its supervisor was first interrupted, from the beginning; -1 before
	again bool          // its supervisor was interrupted a second time
	left  bool          // cancelRequest was written for a supervisor that cannot be interrupted
	far   bool          // the job runs on another machine
	group bool          // the job is a group
}

// A target is a supervisor that a cancellation ends.
type target interface {
	interrupt() bool
	unreachable() bool
	kill()
}

// step takes the step that is due once waited has passed. leave writes cancelRequest and
// reports whether it succeeded. If the job has ended and its supervisor is late to write
// the envelope, step leaves that process alone, and reports true.
func (c *cancellation) step(waited time.Duration, find func() target, leave, ended func() bool) bool {
	kill := cancelKill
	switch {
	case c.far:
		kill = cancelFarTimeout
	case c.group:
		kill = cancelGroupKill
	}
	switch {
	case c.asked >= 0 && waited-c.asked >= cancelSecond && ended():
		return true
	case c.asked < 0:
		if sup := find(); sup.interrupt() {
			c.asked = waited
		} else {
			c.left = c.left || sup.unreachable() && leave()
		}
	case waited-c.asked >= kill:
		find().kill()
	case !c.far && waited-c.asked >= cancelSecond && !c.again:
		c.again = true
		find().interrupt()
	}
	return false
}

// canceled returns the record of a job when its supervisor has ended, or err.
func (s *Store) canceled(id string, err error) (*Record, error) {
	if err != nil {
		return nil, fmt.Errorf("cancel job %q: %w", id, err)
	}
	rec, err := s.current(id)
	if err == nil && s.Elsewhere(rec) {
		err = fmt.Errorf("cancel job %q: %w", id, ErrElsewhere)
	}
	return rec, err
}
