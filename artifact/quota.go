package artifact

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/envwrap/envwrap/internal/owned"
)

// ErrFull means that the store has as many bytes as Options.MaxSize allows, and the
// collector found nothing to remove.
var ErrFull = errors.New("the store is full (--store-max): raise the limit, or make room with envwrap artifact rm")

// A quota hands out the bytes that may still be written to a store: output that is
// being captured counts as the objects do, and so do the files beside them in which a
// job's output can be followed.
//
// Each process measures the store by itself, and again when it has used up a share of
// what is free. The share is so small that several processes, which measure at the
// same moment, together do not write more than there is, but for what is on its way to
// the disk: 2 MiB at the most of each.
type quota struct {
	mu        sync.Mutex
	left      int64     // of the share
	mine      int64     // bytes of this process's own part files, those granted included
	collected time.Time // when the collector was last asked for room
}

// share is the part of the free bytes that a process takes at a time, divided by the
// number of those that write.
const share = 4

// collectEvery is how long a writer that finds no room leaves the collector alone.
const collectEvery = time.Minute

// release takes back the bytes of a part file that is gone, or an object by now.
func (q *quota) release(n int64) {
	q.mu.Lock()
	q.mine -= n
	q.mu.Unlock()
}

func (s *Store) reserve(n, copies int64) int64 {
	q := &s.quota
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.left < n*copies {
		free, writers := s.free()
		if free < n*copies && s.makeRoom(n*copies-free) {
			free, writers = s.free()
		}
		q.left = max(free/(share*writers), min(free, n*copies), 0)
	}
	n = min(n, q.left/copies)
	q.left -= n * copies
	q.mine += n
	return n
}

// free measures how many bytes the limit leaves, and counts the part files that
// others are writing, and us.
func (s *Store) free() (free, writers int64) {
	objects, err := s.measure()
	parts, writers, partErr := s.partBytes()
	quarantined, otherErr := s.fs.SizeOf(quarantineDir)
	if errors.Join(err, partErr, otherErr) != nil {
		return 0, writers // a store that cannot be measured takes nothing
	}
	return s.maxSize - objects.bytes - parts - quarantined - s.quota.mine, writers
}

// makeRoom asks the collector for bytes, and a tenth of the limit so that it is not
// asked for each few. It reports whether something is gone.
func (s *Store) makeRoom(missing int64) bool {
	q := &s.quota
	now := s.now()
	if !s.fs.Locks || !q.collected.IsZero() && now.Sub(q.collected) < collectEvery {
		return false
	}
	q.collected = now
	objects, err := s.measure()
	if err != nil {
		return false
	}
	c, _ := s.collect(Policy{MaxSize: max(1, objects.bytes-missing-s.maxSize/10), Grace: DefaultGrace})
	return c.Freed > 0
}

// partBytes adds up what others are writing, and where jobs among them, or this one,
// are followed. Our own part files are in mine: not all of their bytes are on their way.
func (s *Store) partBytes() (total, writers int64, err error) {
	writers = 1
	runs := map[string]bool{s.run: true}
	if err := s.fs.Ensure(partDir); err != nil {
		return 0, writers, err
	}
	files, err := s.fs.ReadDir(partDir)
	for _, fi := range files {
		run, _ := splitPart(strings.TrimPrefix(strings.TrimPrefix(fi.Name(), packing), scratch))
		if run == s.run {
			continue
		}
		runs[run] = true
		total += fi.Size()
		writers++
	}
	for _, run := range slices.Sorted(maps.Keys(runs)) {
		for _, stream := range []string{"stdout", "stderr"} {
			fi, err := s.fs.Lstat(fmt.Sprintf("%s/%s/%s", jobsDir, run, stream))
			if err == nil && !owned.Linked(fi) { // else it is a part, or an object, too
				total += fi.Size()
			}
		}
	}
	return total, writers, err
}
