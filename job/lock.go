package job

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"
)

// Who holds each lock, and for how long:
//
//	jobs/.submit        whoever submits a job, while it makes the job's directory:
//	                    some milliseconds, and a few syncs of the disk with Identity;
//	                    whoever removes a directory that never became a job
//	jobs/.turn          whoever asks for a slot or joins the queue: some 50 µs
//	                    for each job that runs or waits
//	jobs/<ULID>         whoever settles a lost job, while it moves the output into the
//	                    artifact store; whoever removes the job
//	jobs/<ULID>/lock    the job's supervisor, as long as it lives
//	jobs/.queue/<ULID>  the supervisor of a job that waits for its turn
//	jobs/.slots/<n>     the supervisor of a job that runs
//
// The first three are waited for with [directory.under] and [directory.underJob], which give
// up in time. The others are held for hours; whoever waits for one of them looks
// each lookAgain whether its supervisor lives. No supervisor has to wait for its
// own: they are locked before they have a name that others know, so a process
// that only looks cannot refuse them.

const (
	// lockWait bounds the wait for a lock that is held for some milliseconds: its
	// holder may have been stopped in the middle. It is long, because a holder on a
	// busy machine may be off its core for seconds.
	lockWait = 30 * time.Second
	// lookAgain is how often those who wait for a supervisor's lock look whether
	// the supervisor lives.
	lookAgain = time.Second
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
	free, err := shared.try(f)
	return !free && err == nil, err
}

// openShared opens a lock's file for those who do not hold the lock.
func (root directory) openShared(name string) (*os.File, error) {
	return root.OpenFile(name, os.O_RDONLY, 0)
}

// under calls do while it holds an exclusive lock, for which it waits as waitFor does.
func (root directory) under(name string, do func(lock *os.File) error) error {
	f, err := root.openLock(name)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := waitFor(f, lockWait); err != nil {
		return fmt.Errorf("lock %q: %w", name, err)
	}
	sign(f)
	return do(f)
}

// underJob calls do while it holds the lock of a job's directory, so that only one
// process at a time settles or removes the job.
func (root directory) underJob(id string, do func() error) error {
	d, err := root.openJobLock(id)
	if err != nil {
		return err
	}
	defer d.Close()
	if err := waitFor(d, lockWait); err != nil {
		return fmt.Errorf("lock its directory: %w", err)
	}
	return do()
}

// polls is how often a process that waits for a lock looks at its file before it gives
// up. A process that is itself stopped, or off its core, misses polls and waits longer.
const polls = 20

// waitFor takes an exclusive lock. It gives up when the lock's file has not changed for
// wait. A lock whose file changes passes from process to process: the kernel's queue for
// it is only long. When waitFor has given up, a thread stays blocked until the lock is
// free or the process ends.
func waitFor(f *os.File, wait time.Duration) error {
	if done, _ := exclusive.try(f); done {
		return nil
	}
	got := make(chan error, 1)
	go func() { got <- exclusive.await(f) }()
	clock := time.NewTicker(wait / polls)
	defer clock.Stop()
	for s := (stall{seen: trace(f)}); !s.poll(trace(f)); {
		select {
		case err := <-got:
			return err
		case <-clock.C:
		}
	}
	return fmt.Errorf("%s has held it for %v: is it stopped?", signer(f), wait)
}

// A stall counts the polls of a lock's file since its trace changed.
type stall struct {
	seen  string
	polls int
}

// poll counts a poll that found a trace, and reports whether it was the last.
func (s *stall) poll(trace string) bool {
	s.polls++
	if trace != s.seen {
		s.seen, s.polls = trace, 0
	}
	return s.polls > polls
}

// signAt is where the holder of a lock writes its process id into the lock's file,
// past what else the file holds.
const signAt = 64

// sign leaves a trace of this process in the file of a lock that it holds.
func sign(f *os.File) {
	_, _ = f.WriteAt(fmt.Appendf(nil, "%-20d\n", os.Getpid()), signAt) // an error, such as a full disk, does no harm
}

// signer returns who signed the file of a lock last.
func signer(f *os.File) string {
	var text [20]byte
	n, _ := f.ReadAt(text[:], signAt)
	if pid, err := strconv.Atoi(strings.TrimSpace(string(text[:n]))); err == nil {
		return fmt.Sprintf("envwrap, process %d,", pid)
	}
	return "another envwrap"
}

// trace returns what changes when another process takes a lock and signs its file: the
// beginning of the file, and its time.
func trace(f *os.File) string {
	var text [signAt + 20]byte
	n, _ := f.ReadAt(text[:], 0)
	info, err := f.Stat()
	if err != nil {
		return ""
	}
	return string(text[:n]) + info.ModTime().String()
}
