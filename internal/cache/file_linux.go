package cache

import (
	"io/fs"
	"syscall"
	"time"
)

// changed returns when a file, or what the system says of it, was last changed.
func changed(info fs.FileInfo) time.Time {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return time.Unix(1<<40, 0) // never settled
	}
	return time.Unix(st.Ctim.Unix())
}
