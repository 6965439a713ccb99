//go:build unix

package filesys

import (
	"errors"
	"io/fs"
	"syscall"
	"testing"
)

// A directory that has nothing to sync is as good as synced; a disk that failed
// is not.
func TestIgnoreUnsupported(t *testing.T) {
	if err := IgnoreUnsupported(nil); err != nil {
		t.Error(err)
	}
	for _, err := range []error{syscall.EINVAL, syscall.EBADF, syscall.ENOSYS, errors.ErrUnsupported, syscall.ENOTSUP} {
		if got := IgnoreUnsupported(&fs.PathError{Op: "sync", Path: "x", Err: err}); got != nil {
			t.Errorf("%v is an error", err)
		}
	}
	for _, err := range []error{syscall.EIO, syscall.ENOSPC, syscall.EDQUOT, syscall.EROFS} {
		if got := IgnoreUnsupported(&fs.PathError{Op: "sync", Path: "x", Err: err}); !errors.Is(got, err) {
			t.Errorf("%v became %v", err, got)
		}
	}
}
