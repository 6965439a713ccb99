//go:build unix

package session

import (
	"fmt"
	"os"
	"sync"
	"syscall"
)

// ownSession makes a new process leave this process's session and group.
func ownSession() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// lockFile returns an inherited file, which commands do not inherit from this process.
func lockFile(fd int) *os.File {
	syscall.CloseOnExec(fd)
	return os.NewFile(uintptr(fd), "lock")
}

// umaskLock lets one goroutine at a time look at the umask.
var umaskLock sync.Mutex

// umask returns the umask of this process in octal. It can only be read by setting it;
// files that are made at that moment are closed to others.
func umask() string {
	umaskLock.Lock()
	defer umaskLock.Unlock()
	old := syscall.Umask(0o077)
	syscall.Umask(old)
	return fmt.Sprintf("%04o", old)
}
