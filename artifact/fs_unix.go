//go:build unix

package artifact

import (
	"errors"
	"os"
	"strconv"
	"syscall"
)

// tryLock takes flock(2) on f without waiting.
func tryLock(f *os.File, exclusive bool) error {
	how := syscall.LOCK_SH
	if exclusive {
		how = syscall.LOCK_EX
	}
	c, err := f.SyscallConn()
	if err != nil {
		return err
	}
	var lockErr error
	err = c.Control(func(fd uintptr) {
		for {
			lockErr = syscall.Flock(int(fd), how|syscall.LOCK_NB)
			if lockErr != syscall.EINTR {
				return
			}
		}
	})
	switch {
	case err != nil:
		return err
	case errors.Is(lockErr, syscall.EWOULDBLOCK):
		return errBusy
	case lockErr != nil:
		return os.NewSyscallError("flock", lockErr)
	}
	return nil
}

// cannotLink reports whether an error of link(2) says that there are no hard
// links here, by nature or by a policy.
func cannotLink(err error) bool {
	for _, no := range []error{
		syscall.EPERM, syscall.EACCES, syscall.ENOSYS, syscall.EOPNOTSUPP,
		syscall.ENOTSUP, syscall.EINVAL, syscall.EMLINK,
	} {
		if errors.Is(err, no) {
			return true
		}
	}
	return false
}

// cannotSync reports whether an error of fsync(2) on a directory says that
// the file system has nothing to sync there.
func cannotSync(err error) bool {
	return errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.EBADF) || errors.Is(err, syscall.ENOSYS)
}

// userID names the user in the path of the fallback place.
func userID() string { return strconv.Itoa(os.Geteuid()) }
