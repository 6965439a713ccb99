//go:build unix

package filesys

import (
	"errors"
	"syscall"
)

// CannotLink reports whether an error of link(2) says that there are no hard
// links here, by nature or by a policy.
func CannotLink(err error) bool {
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

// CannotSync reports whether an error of fsync(2) on a directory says that
// the file system has nothing to sync there.
func CannotSync(err error) bool {
	return errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.EBADF) || errors.Is(err, syscall.ENOSYS)
}
