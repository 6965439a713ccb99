//go:build unix

package job

import (
	"errors"
	"os"
	"syscall"

	"github.com/envwrap/envwrap/artifact"
)

// A lock is one of flock(2): it belongs to the open file, so the processes that
// inherit its descriptor hold it together, and the kernel gives it back when
// the last of them has closed it or died.
type lockMode int

const (
	shared    lockMode = syscall.LOCK_SH
	exclusive lockMode = syscall.LOCK_EX
)

// await takes the lock and blocks its thread until it has it.
func (m lockMode) await(f *os.File) error { return flock(f, int(m)) }

// try takes the lock at once; false means that somebody else has it.
func (m lockMode) try(f *os.File) (bool, error) {
	err := flock(f, int(m)|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}

func flock(f *os.File, how int) error {
	conn, err := f.SyscallConn()
	if err != nil {
		return err
	}
	var lockErr error
	err = conn.Control(func(fd uintptr) {
		for {
			lockErr = syscall.Flock(int(fd), how)
			if !errors.Is(lockErr, syscall.EINTR) {
				return
			}
		}
	})
	if err != nil {
		return err
	}
	return os.NewSyscallError("flock", lockErr)
}

// hasLocks reports whether locks in a directory hold, and end with their holder.
func hasLocks(dir string) bool { return artifact.HasLocks(dir) }

// openDoor opens what is locked while a job is settled or removed.
func (s *Store) openDoor(id string) (*os.File, error) { return s.root.OpenDir(id) }
