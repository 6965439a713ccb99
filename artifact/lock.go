package artifact

import (
	"errors"
	"time"

	"github.com/envwrap/envwrap/artifact/internal/filesys"
)

// Who holds each lock, and for how long:
//
//	objects/<xx>  shared: whoever publishes, renews or pins an object of the shard,
//	              for some milliseconds and a sync of the disk;
//	              exclusive: whoever removes up to 16 objects, or packs one
//	part/<name>   the writer of the part, as long as it lives; whoever looks for
//	              parts of dead writers, for some microseconds or while it salvages one
//	run/shards    the automatic collector, while it looks at one shard
//
// Only the first is waited for, and not for ever: what holds the others is at work
// on what the next would do.

// maxTries is how often a lock is tried that another process holds. A process that was
// stopped while it held one must not stop others.
const maxTries = 100

// tries runs the body of a loop up to maxTries times, with pauses between them of
// together two seconds. It looks at no clock: a process that was stopped itself
// has as many tries left as before.
func tries(body func() bool) {
	pause := 100 * time.Microsecond
	for range maxTries {
		if !body() {
			return
		}
		time.Sleep(pause)
		pause = min(2*pause, 20*time.Millisecond)
	}
}

// lock takes a shard's exclusive lock, or returns filesys.ErrBusy at once.
func (s *Store) lock(d filesys.File) error {
	if !s.nature.Locks {
		return nil
	}
	return d.TryLock(true)
}

// share takes a shard's shared lock. It waits, but not for ever, since the holder may
// have been stopped. To go on without the lock is safe, because a collector moves an
// object to run/ and looks at it again before it removes it.
func (s *Store) share(d filesys.File) {
	if s.nature.Locks {
		_ = s.await(d, false)
	}
}

// lockWaiting takes a shard's exclusive lock and waits for it a while.
func (s *Store) lockWaiting(d filesys.File) error {
	if !s.nature.Locks {
		return nil
	}
	return s.await(d, true)
}

// await waits for the lock. After the last try it returns filesys.ErrBusy.
func (s *Store) await(d filesys.File, exclusive bool) (err error) {
	for range tries {
		if err = d.TryLock(exclusive); !errors.Is(err, filesys.ErrBusy) {
			break
		}
	}
	return err
}
