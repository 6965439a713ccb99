package job

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/envwrap/envwrap/internal/platform/filelock"
)

// Who holds each lock, and for how long:
//
//	jobs/.submit        whoever submits a job, while it makes the job's directory:
//	                    some milliseconds, and a few syncs of the disk with Identity;
//	                    whoever removes a directory that never became a job
//	jobs/.turn          whoever asks for a slot or joins the queue: some 50 µs
//	                    for each job that runs or waits
//	jobs/<ULID>         whoever records the end of a lost job, while it moves the
//	                    output into the artifact store; whoever removes the job
//	jobs/<ULID>/lock    the job's supervisor, as long as it lives
//	jobs/.queue/<ULID>  the supervisor of a job that waits for its turn
//	jobs/.slots/<n>     the supervisor of a job that runs
//
// The first three are waited for with [directory.withLock] and [directory.withJobLock], which give
// up in time. The others are held for hours; whoever waits for one of them looks
// each supervisorPoll whether its supervisor lives. No supervisor has to wait for its
// own: they are locked before they have a name that others know, so a process
// that only looks cannot refuse them.

const (
	// lockWait bounds the wait for a lock that is held for some milliseconds: its
	// holder may have been stopped in the middle. It is long, because a holder on a
	// busy machine may be off its core for seconds.
	lockWait = 30 * time.Second
	// supervisorPoll is how often those who wait for a supervisor's lock look whether
	// the supervisor lives.
	supervisorPoll = time.Second
)

// held reports whether somebody holds the lock of a file. A shared lock asks, so
// that two who ask do not take each other for the holder.
func (root directory) held(name string) (bool, error) {
	f, err := root.openShared(name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer f.Close()
	free, err := filelock.Shared.Try(f)
	return !free, err
}

// openShared opens a lock's file for those who do not hold the lock.
func (root directory) openShared(name string) (*os.File, error) {
	return root.OpenFile(name, os.O_RDONLY, 0)
}

// withLock calls do while it holds an exclusive lock, for which it waits as [filelock.WaitFor] does.
func (root directory) withLock(name string, do func(lock *os.File) error) error {
	f, err := root.openLock(name)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := filelock.WaitFor(f, lockWait); err != nil {
		return fmt.Errorf("lock %q: %w", name, err)
	}
	filelock.Sign(f)
	return do(f)
}

// withJobLock calls do while it holds the lock of a job's directory, so that only one
// process at a time records the end of the job or removes it.
func (root directory) withJobLock(id string, do func() error) error {
	d, err := root.openJobLock(id)
	if err != nil {
		return err
	}
	defer d.Close()
	if err := filelock.WaitFor(d, lockWait); err != nil {
		return fmt.Errorf("lock its directory: %w", err)
	}
	return do()
}
