//go:build unix

package cli

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// checkOpenFiles reports an error where the limit on open files (RLIMIT_NOFILE,
// getrlimit(2)) leaves less than needed. The Go runtime ends the program where it
// gets none for its own use.
func checkOpenFiles(needed int) error {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		return nil //nolint:nilerr // without a limit to look at there is nothing to report
	}
	return checkRoom(uint64(limit.Cur), needed)
}

// checkRoom reports an error where fewer than needed of the descriptors below a limit
// are free.
func checkRoom(limit uint64, needed int) error {
	const small = 64 // from here on there is no need to count
	if limit >= small {
		return nil
	}
	free := 0
	for fd := range int(limit) {
		if _, err := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0); err != nil {
			free++
		}
	}
	if free >= needed {
		return nil
	}
	return &UsageError{
		Text: fmt.Sprintf("the limit on open files is %d, which leaves %d, and envwrap needs %d", limit, free, needed),
		Hint: fmt.Sprintf("Raise it: ulimit -n %d.", small),
	}
}
