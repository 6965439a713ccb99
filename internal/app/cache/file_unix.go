//go:build unix

package cache

import (
	"io/fs"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// identity returns a text that is the same as long as a file is the same one and
// unchanged.
func identity(info fs.FileInfo) (string, bool) {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return "", false
	}
	var b strings.Builder
	for _, n := range []int64{int64(st.Dev), int64(st.Ino), info.Size(), info.ModTime().UnixNano(), changed(info).UnixNano()} {
		b.WriteString(strconv.FormatInt(n, 36))
		b.WriteByte('.')
	}
	return b.String(), true
}

// openFile opens a file for reading and does not wait for the writer of a FIFO.
func openFile(name string) (*os.File, error) {
	return os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
}

// lockable says that there are locks which die with their holder.
const lockable = true
