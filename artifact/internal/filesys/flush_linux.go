package filesys

import (
	"errors"
	"os"
	"syscall"
)

// startSync asks the system to begin with writing a range to disk. It is a hint: nothing
// is guaranteed, and errors are ignored (sync_file_range(2)).
func startSync(f *os.File, off, n int64) {
	const write = 2
	_ = control(f, func(fd int) error { return syscall.SyncFileRange(fd, off, n, write) })
}

// writeOut waits until the written pages of f are on the disk (sync_file_range(2)).
// Unlike fsync(2) it does not write the journal.
func writeOut(f *os.File) error {
	const waitBefore, write, waitAfter = 1, 2, 4
	return control(f, func(fd int) error {
		for {
			err := syscall.SyncFileRange(fd, 0, 0, waitBefore|write|waitAfter)
			if err != syscall.EINTR {
				return os.NewSyscallError("sync_file_range", err)
			}
		}
	})
}

// setDirect sets or clears O_DIRECT, with which writes to f bypass the page cache, and
// reports whether that worked. With it a write has to be of whole blocks, from memory
// that begins at a block.
func setDirect(f *os.File, on bool) bool {
	done := false
	_ = control(f, func(fd int) error {
		// A descriptor whose flags cannot be read takes none either.
		flags, _, _ := syscall.Syscall(syscall.SYS_FCNTL, uintptr(fd), syscall.F_GETFL, 0)
		flags &^= syscall.O_DIRECT
		if on {
			flags |= syscall.O_DIRECT
		}
		_, _, no := syscall.Syscall(syscall.SYS_FCNTL, uintptr(fd), syscall.F_SETFL, flags)
		done = no == 0
		return nil
	})
	return done
}

// control calls do with the descriptor of f.
func control(f *os.File, do func(fd int) error) error {
	c, err := f.SyscallConn()
	if err == nil {
		failed := c.Control(func(fd uintptr) { err = do(int(fd)) })
		err = errors.Join(failed, err)
	}
	return err
}
