//go:build unix

package owned

import (
	"errors"
	"os"
	"syscall"
)

// TryLock takes flock(2) on f without waiting; false means that another has it. The
// lock belongs to the open file: the processes that inherit its descriptor hold it
// together, and the kernel gives it back when the last of them has closed it or died.
func TryLock(f *os.File, exclusive bool) (bool, error) {
	err := flock(f, exclusive, syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}

// Lock is TryLock that blocks its thread until it has the lock.
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
