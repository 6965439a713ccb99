//go:build unix && !linux

package cache

import (
	"io/fs"
	"syscall"
	"time"
)

// changed returns the time of the last change of a file or of its metadata.
func changed(info fs.FileInfo) time.Time {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return time.Unix(1<<40, 0) // never settled
	}
	return time.Unix(st.Ctimespec.Unix())
}
