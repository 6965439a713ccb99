package job

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/envwrap/envwrap/internal/platform/filelock"
)

// The queue needs no process of its own. A job that waits holds the lock of its
// file in queueDir, and sleeps on that of the job before it; the kernel wakes it
// when that one starts, ends or is killed. The first in the queue looks whether
// fewer jobs run than its limit says. A job that runs holds the lock of a file in
// slotsDir, which goes when its supervisor goes, however it does.

// A queue hands out the slots of running jobs and keeps the order of waiting ones.
type queue struct {
	root    directory
	records *records
}

// slotsLimit bounds how many jobs run at once, whatever their limit.
const slotsLimit = 10_000

// slot returns a slot for the job id, or nil where limit jobs run already; a limit of 0
// allows any number. The caller holds turnLock.
func (q *queue) slot(id string, limit int) (*os.File, error) {
	names, err := q.root.names(slotsDir)
	if err != nil {
		return nil, err
	}
	var free *os.File
	busy := 0
	for _, name := range names {
		f, err := q.root.openLock(slotsDir + "/" + name)
		if err != nil {
			return nil, errors.Join(err, closeOptional(free))
		}
		got, err := filelock.Exclusive.Try(f)
		switch {
		case err != nil:
			return nil, errors.Join(err, closeOptional(f), closeOptional(free))
		case got && free == nil:
			free = f
			continue
		case !got && !q.records.orphaned(readOwner(f)):
			busy++
		}
		_ = f.Close()
	}
	if limit > 0 && busy >= limit {
		return nil, closeOptional(free)
	}
	if free == nil {
		if free, err = q.newSlot(len(names)); free == nil {
			return nil, err
		}
	}
	writeOwner(free, id)
	return free, nil
}

// writeOwner writes into a slot's file which job has it.
func writeOwner(slot *os.File, id string) {
	if _, err := slot.WriteAt([]byte(id), 0); err != nil {
		_ = slot.Truncate(0) // the disk is full; the last owner has it no more
	}
}

// readOwner returns the job that has a slot, or anything else where the file does not say.
func readOwner(slot *os.File) string {
	var id [ulid.EncodedSize]byte
	n, _ := slot.ReadAt(id[:], 0)
	return string(id[:n])
}

// newSlot makes the slot n, and returns nil if another process has taken it.
func (q *queue) newSlot(n int) (*os.File, error) {
	if n >= slotsLimit {
		return nil, errors.New("10000 jobs run at once")
	}
	f, err := q.root.openLock(slotsDir + "/" + strconv.Itoa(n))
	if err != nil {
		return nil, err
	}
	if got, err := filelock.Exclusive.Try(f); err != nil || !got {
		return nil, errors.Join(err, closeOptional(f))
	}
	return f, nil
}

// enqueue puts a job at the end of the queue. It locks the job's file before it gives the
// file the name that other processes read, so that none takes it for the file of a dead
// job.
func (q *queue) enqueue(id string) (*os.File, error) {
	name := id + "/" + entryFile
	f, err := q.root.openLock(name)
	if err != nil {
		return nil, err
	}
	got, err := filelock.Exclusive.Try(f)
	if err == nil && !got {
		err = fmt.Errorf("another program has the lock of %q", name)
	}
	if err == nil {
		err = q.root.Rename(name, queueDir+"/"+id)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// waiting returns the jobs in the queue, the next one first. It removes the files of dead
// jobs.
func (q *queue) waiting() ([]string, error) {
	names, err := q.root.names(queueDir)
	if err != nil {
		return nil, err
	}
	slices.Sort(names)
	live := names[:0]
	for _, name := range names {
		waits, err := q.isWaiting(name)
		if err != nil {
			return nil, err
		}
		if waits {
			live = append(live, name)
		}
	}
	return live, nil
}

// isWaiting reports whether a file in the queue belongs to a waiting job. It removes the
// file of a dead job, under its lock, so that no job can take it over meanwhile.
func (q *queue) isWaiting(id string) (bool, error) {
	name := queueDir + "/" + id
	f, err := q.root.OpenFile(name, os.O_RDONLY, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer f.Close()
	dead, err := filelock.Shared.Try(f)
	if err == nil && dead && q.root.Same(f, name) {
		_ = q.root.Remove(name)
	}
	return !dead, err
}

// predecessor returns the job directly before id in the queue, or "" for the first.
func (q *queue) predecessor(id string) (string, error) {
	queue, err := q.waiting()
	if err != nil {
		return "", err
	}
	i, _ := slices.BinarySearch(queue, id)
	if i == 0 {
		return "", nil
	}
	return queue[i-1], nil
}

// slotPollMin and slotPollMax are the pauses after which the first in the queue tries
// again to get a slot: a try costs some 50 µs.
const (
	slotPollMin = 2 * time.Millisecond
	slotPollMax = 100 * time.Millisecond
)

// awaitTurn waits for a job's turn and returns its slot, or nil if stop is closed
// first. entry is the job's own file in the queue.
func (q *queue) awaitTurn(id string, entry *os.File, limit int, stop <-chan struct{}) (*os.File, error) {
	for {
		ahead, err := q.predecessor(id)
		if err != nil {
			return nil, err
		}
		if ahead == "" {
			return q.awaitSlot(id, entry, limit, stop)
		}
		select {
		case err := <-q.records.released(queueDir+"/"+ahead, ahead, stop):
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return nil, err
			}
		case <-stop:
			return nil, nil
		}
		if q.records.orphaned(ahead) {
			_ = q.root.Remove(queueDir + "/" + ahead) // though its lock may be held
		}
	}
}

// awaitSlot waits for a slot on behalf of the first job in the queue, and takes it.
func (q *queue) awaitSlot(id string, entry *os.File, limit int, stop <-chan struct{}) (*os.File, error) {
	pause := time.NewTimer(0)
	defer pause.Stop()
	for next := slotPollMin; ; next = min(next*3/2, slotPollMax) {
		select {
		case <-stop:
			return nil, nil
		case <-pause.C:
		}
		var slot *os.File
		err := q.root.withLock(turnLock, func(*os.File) error {
			var err error
			if slot, err = q.slot(id, limit); slot != nil {
				q.leave(id, entry)
			}
			return err
		})
		if err != nil || slot != nil {
			return slot, err
		}
		pause.Reset(next)
	}
}

// leave takes a job out of the queue, which wakes the next one.
func (q *queue) leave(id string, entry *os.File) {
	_ = q.root.Remove(queueDir + "/" + id)
	_ = entry.Close()
}
