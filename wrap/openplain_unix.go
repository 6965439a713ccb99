//go:build unix

package wrap

import (
	"fmt"
	"os"
	"syscall"
)

// openPlain opens a regular file for reading. It follows no link and does not
// wait for the writer of a FIFO.
func openPlain(name string) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		_ = f.Close()
		return nil, fmt.Errorf("open %q: not a regular file", name)
	}
	return f, nil
}
