//go:build unix

package session

import (
	"fmt"
	"sync"
	"syscall"
)

// umaskTurn lets one goroutine at a time look at the umask.
var umaskTurn sync.Mutex

// umask is the mode that new files of this process do not get, in octal. It can
// be read only by setting it; what is made meanwhile is closed to others.
func umask() string {
	umaskTurn.Lock()
	defer umaskTurn.Unlock()
	old := syscall.Umask(0o077)
	syscall.Umask(old)
	return fmt.Sprintf("%04o", old)
}
