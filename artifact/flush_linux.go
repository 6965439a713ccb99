package artifact

import (
	"os"
	"syscall"
)

// startSync asks the system to begin with writing a range to disk; it is a
// hint, without a promise or an error (sync_file_range(2)).
func startSync(f *os.File, off, n int64) {
	const write = 2
	if c, err := f.SyscallConn(); err == nil {
		_ = c.Control(func(fd uintptr) { _ = syscall.SyncFileRange(int(fd), off, n, write) })
	}
}

// writeOut waits until the pages of f that were written are on their disk
// (sync_file_range(2)). Unlike fsync(2) it leaves the journal alone.
func writeOut(f *os.File) error {
	const waitBefore, write, waitAfter = 1, 2, 4
	c, err := f.SyscallConn()
	if err != nil {
		return err
	}
	var syncErr error
	err = c.Control(func(fd uintptr) {
		for {
			syncErr = syscall.SyncFileRange(int(fd), 0, 0, waitBefore|write|waitAfter)
			if syncErr != syscall.EINTR {
				return
			}
		}
	})
	if err == nil {
		err = os.NewSyscallError("sync_file_range", syncErr)
	}
	return err
}

// setDirect says whether writes to f go past the page cache (O_DIRECT). They
// have to be of whole blocks then, from memory that begins at one.
func setDirect(f *os.File, on bool) bool {
	c, err := f.SyscallConn()
	if err != nil {
		return false
	}
	done := false
	err = c.Control(func(fd uintptr) {
		flags, _, no := syscall.Syscall(syscall.SYS_FCNTL, fd, syscall.F_GETFL, 0)
		if no != 0 {
			return
		}
		flags &^= syscall.O_DIRECT
		if on {
			flags |= syscall.O_DIRECT
		}
		_, _, no = syscall.Syscall(syscall.SYS_FCNTL, fd, syscall.F_SETFL, flags)
		done = no == 0
	})
	return err == nil && done
}
