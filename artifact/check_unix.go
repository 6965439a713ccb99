//go:build unix

package artifact

import (
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"syscall"
)

// checkOwner reports why others could have a hand in a directory.
func checkOwner(fi fs.FileInfo) error {
	st, ok := fi.Sys().(*syscall.Stat_t)
	if ok && int(st.Uid) != os.Geteuid() {
		return fmt.Errorf("it belongs to user %d, and envwrap runs as %d", st.Uid, os.Geteuid())
	}
	if perm := fi.Mode().Perm(); perm&0o022 != 0 {
		return fmt.Errorf("others can write to it (mode %#o): run chmod go-w on it", perm)
	}
	return nil
}

// userID names the user in the path of the fallback place.
func userID() string { return strconv.Itoa(os.Geteuid()) }
