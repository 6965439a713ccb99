//go:build unix

package safefs

import (
	"errors"
	"os"
	"syscall"
)

// TryLock takes a lock (flock(2)) on f without waiting, and returns false if another
// open file has it. All processes that inherit the descriptor hold the lock together;
// the kernel releases it when the last of them has closed it or ended.
func TryLock(f *os.File, exclusive bool) (bool, error) {
	err := flock(f, exclusive, syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}

// Lock is like [TryLock], but blocks its thread until it has the lock.
func Lock(f *os.File, exclusive bool) error { return flock(f, exclusive, 0) }

func flock(f *os.File, exclusive bool, how int) error {
	if exclusive {
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
		lockErr = retry(func() error { return syscall.Flock(int(fd), how) })
	})
	return errors.Join(err, os.NewSyscallError("flock", lockErr))
}
