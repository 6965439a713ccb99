package artifact

import (
	"errors"
	"os"
	"syscall"
)

// startSync asks the system to begin with writing a range to disk; it is a
// hint, without a promise or an error (sync_file_range(2)).
func startSync(f *os.File, off, n int64) {
	const write = 2
	_ = control(f, func(fd int) error { return syscall.SyncFileRange(fd, off, n, write) })
}

// writeOut waits until the pages of f that were written are on their disk
// (sync_file_range(2)). Unlike fsync(2) it leaves the journal alone.
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

// setDirect reports whether writes to f go past the page cache (O_DIRECT), and
// reports whether they do as it says. They have to be of whole blocks then, from
// memory that begins at one.
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
