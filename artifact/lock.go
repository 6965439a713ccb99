package artifact

import (
	"errors"
	"time"
)

// lockWait bounds the wait for a shard's lock. A holder keeps it for a few
// milliseconds; one that was stopped in the middle must not stop us.
const lockWait = 2 * time.Second

// lock takes a shard's lock. An exclusive one is refused at once where it is
// taken. A writer waits, but not for ever, since the holder may have been
// stopped: going on without the lock is safe, because a collector looks again
// at what it has moved aside.
func (s *Store) lock(d file, exclusive bool) error {
	if !s.locks {
		return nil
	}
	if exclusive {
		return d.TryLock(true)
	}
	_ = s.await(d, false)
	return nil
}

// lockPatiently takes a shard's exclusive lock and waits for it a while.
func (s *Store) lockPatiently(d file) error {
	if !s.locks {
		return nil
	}
	return s.await(d, true)
}

// await tries until it has the lock or lockWait has passed.
func (s *Store) await(d file, exclusive bool) error {
	deadline := time.Now().Add(lockWait)
	for pause := 100 * time.Microsecond; ; pause = min(2*pause, 20*time.Millisecond) {
		err := d.TryLock(exclusive)
		if !errors.Is(err, errBusy) || time.Now().After(deadline) {
			return err
		}
		time.Sleep(pause)
	}
}
