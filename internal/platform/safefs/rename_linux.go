package safefs

import (
	"errors"

	"golang.org/x/sys/unix"
)

// RenameNew renames a file to a name that must not exist, atomically. The error wraps
// errors.ErrUnsupported if the kernel or the file system has no renameat2(2) with
// RENAME_NOREPLACE.
func (d *Dir) RenameNew(old, new string) error {
	return d.both("renameat2", old, new, func(from int, old string, to int, new string) error {
		err := retry(func() error { return unix.Renameat2(from, old, to, new, unix.RENAME_NOREPLACE) })
		if errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.EINVAL) {
			return errors.ErrUnsupported
		}
		return err
	})
}
