//go:build unix

package filelock

import (
	"errors"
	"os"
	"syscall"
)

// Try takes the lock at once; false means that another open file has it.
func (m Mode) Try(f *os.File) (bool, error) {
	err := m.flock(f, syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}

// Await takes the lock and blocks its thread until it has it.
func (m Mode) Await(f *os.File) error { return m.flock(f, 0) }

func (m Mode) flock(f *os.File, how int) error {
	if m == Exclusive {
		how |= syscall.LOCK_EX
	} else {
		how |= syscall.LOCK_SH
	}
	conn, err := f.SyscallConn()
	if err != nil {
		return err
	}
	var lockErr error
	err = conn.Control(func(fd uintptr) {
		lockErr = syscall.EINTR
		for errors.Is(lockErr, syscall.EINTR) {
			lockErr = syscall.Flock(int(fd), how)
		}
	})
	return errors.Join(err, os.NewSyscallError("flock", lockErr))
}
