package artifact

import (
	"errors"
	"sync"
	"time"

	"github.com/envwrap/envwrap/artifact/internal/filesys"
	"github.com/envwrap/envwrap/artifact/internal/partial"
)

// ErrFull means that the store has as many bytes as Options.MaxSize allows, and the
// collector found nothing to remove.
var ErrFull = errors.New("the store is full (--store-max): raise the limit, or make room with envwrap artifact rm")

// A quota hands out the bytes that may still be written to a store: output that is
// being captured counts as the objects do, and so do the files beside them in which a
// job's output can be followed.
//
// Each process measures the store by itself, and again when it has used up a share of
// the free bytes. The share is so small that several processes, which measure at the
// same moment, together exceed the limit by no more than the bytes on their way to the
// disk: at most 2 MiB of each.
type quota struct {
	limit  int64 // bytes; 0 is no limit
	fs     *filesys.Volume
	parts  *partial.Files
	sizes  *sizes
	now    func() time.Time
	remove func(Policy) (*Collection, error)

	mu        sync.Mutex
	left      int64     // of the share
	mine      int64     // bytes of this process's own part files, those granted included
	collected time.Time // when the collector was last asked for room
}

// freeShare is the part of the free bytes that a process takes at a time, divided by the
// number of those that write.
const freeShare = 4

// collectEvery is how long a writer that found no room waits before it asks the collector
// again.
const collectEvery = time.Minute

// release subtracts the bytes of a part file that was removed or became an object.
func (q *quota) release(n int64) {
	q.mu.Lock()
	q.mine -= n
	q.mu.Unlock()
}

func (q *quota) reserve(n, copies int64) int64 {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.left < n*copies {
		free, writers := q.free()
		if free < n*copies && q.makeRoom(n*copies-free) {
			free, writers = q.free()
		}
		q.left = max(free/(freeShare*writers), min(free, n*copies), 0)
	}
	n = min(n, q.left/copies)
	q.left -= n * copies
	q.mine += n
	return n
}

// free returns how many bytes the limit leaves, and how many part files other processes
// and this one are writing.
func (q *quota) free() (free, writers int64) {
	objects, err := q.sizes.measure()
	parts, writers, partErr := q.parts.Others()
	quarantined, otherErr := q.fs.SizeOf(quarantineDir)
	if errors.Join(err, partErr, otherErr) != nil {
		return 0, writers // a store that cannot be measured takes nothing
	}
	return q.limit - objects.bytes - parts - quarantined - q.mine, writers
}

// makeRoom asks the collector for bytes, and for a tenth of the limit besides, so that
// the next call is far off. It reports whether the collector removed something.
func (q *quota) makeRoom(missing int64) bool {
	now := q.now()
	if !q.fs.Locks || !q.collected.IsZero() && now.Sub(q.collected) < collectEvery {
		return false
	}
	q.collected = now
	objects, err := q.sizes.measure()
	if err != nil {
		return false
	}
	c, _ := q.remove(Policy{MaxSize: max(1, objects.bytes-missing-q.limit/10), Grace: DefaultGrace})
	return c.Freed > 0
}
