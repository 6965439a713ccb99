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
