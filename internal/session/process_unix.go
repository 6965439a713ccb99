//go:build unix

package session

import (
	"fmt"
	"os"
	"sync"
	"syscall"
)

// ownSession takes a process out of our session and group.
func ownSession() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// lockFile returns a file that was inherited, and that no command inherits from us.
func lockFile(fd int) *os.File {
	syscall.CloseOnExec(fd)
	return os.NewFile(uintptr(fd), "lock")
}

// umaskTurn lets one goroutine at a time look at the umask.
var umaskTurn sync.Mutex

// umask returns the mode that new files of this process do not get, in octal. It can
// be read only by setting it; what is made meanwhile is closed to others.
func umask() string {
	umaskTurn.Lock()
	defer umaskTurn.Unlock()
	old := syscall.Umask(0o077)
	syscall.Umask(old)
	return fmt.Sprintf("%04o", old)
}
