//go:build linux && (amd64 || arm64)

package artifact

import (
	"errors"
	"os"
	"path"
	"runtime"
	"syscall"
	"unsafe"
)

// renameNew moves a file to a name that must be free, in one step, by
// renameat2(2) with RENAME_NOREPLACE.
func renameNew(r *os.Root, old, new string) error {
	from, err := r.OpenFile(path.Dir(old), os.O_RDONLY|dirFlags, 0)
	if err != nil {
		return err
	}
	defer from.Close()
	to, err := r.OpenFile(path.Dir(new), os.O_RDONLY|dirFlags, 0)
	if err != nil {
		return err
	}
	defer to.Close()
	err = renameat2(from, path.Base(old), to, path.Base(new))
	if errors.Is(err, syscall.ENOSYS) || errors.Is(err, syscall.EINVAL) {
		return errors.ErrUnsupported
	}
	if err != nil {
		return &os.LinkError{Op: "renameat2", Old: old, New: new, Err: err}
	}
	return nil
}

func renameat2(from *os.File, old string, to *os.File, new string) error {
	const noReplace = 1
	number := uintptr(316)
	if runtime.GOARCH == "arm64" {
		number = 276
	}
	o, err := syscall.BytePtrFromString(old)
	if err != nil {
		return err
	}
	n, err := syscall.BytePtrFromString(new)
	if err != nil {
		return err
	}
	_, _, errno := syscall.Syscall6(number, from.Fd(), uintptr(unsafe.Pointer(o)),
		to.Fd(), uintptr(unsafe.Pointer(n)), noReplace, 0)
	runtime.KeepAlive(from)
	runtime.KeepAlive(to)
	if errno != 0 {
		return errno
	}
	return nil
}
