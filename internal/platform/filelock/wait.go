package filelock

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// polls is how often a process that waits for a lock looks at its file before it gives
// up. A process that is itself stopped, or off its core, misses polls and waits longer.
const polls = 20

// WaitFor takes an exclusive lock. It gives up when the lock's file has not changed for
// wait. A lock whose file changes passes from process to process: the kernel's queue for
// it is only long. When WaitFor has given up, a thread stays blocked until the lock is
// free or the process ends.
func WaitFor(f *os.File, wait time.Duration) error {
	if done, _ := Exclusive.Try(f); done {
		return nil
	}
	got := make(chan error, 1)
	go func() { got <- Exclusive.Await(f) }()
	clock := time.NewTicker(wait / polls)
	defer clock.Stop()
	for s := (lockWatch{seen: trace(f)}); !s.poll(trace(f)); {
		select {
		case err := <-got:
			return err
		case <-clock.C:
		}
	}
	return fmt.Errorf("%s has held it for %v: is it stopped?", signer(f), wait)
}

// A lockWatch counts the polls of a lock file since the trace of its holder changed.
type lockWatch struct {
	seen  string
	polls int
}

// poll counts a poll that found a trace, and reports whether it was the last.
func (s *lockWatch) poll(trace string) bool {
	s.polls++
	if trace != s.seen {
		s.seen, s.polls = trace, 0
	}
	return s.polls > polls
}

// signAt is where the holder of a lock writes its process id into the lock's file,
// past what else the file holds.
const signAt = 64

// Sign leaves a trace of this process in the file of a lock that it holds.
func Sign(f *os.File) {
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
