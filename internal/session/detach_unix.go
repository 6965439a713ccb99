//go:build unix

package session

import (
	"os"
	"syscall"
)

// ownSession takes a process out of our session and group.
func ownSession() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// lockFile is a file that was inherited, and that no command inherits from us.
func lockFile(fd int) *os.File {
	syscall.CloseOnExec(fd)
	return os.NewFile(uintptr(fd), "lock")
}
