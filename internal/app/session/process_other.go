//go:build !unix

package session

import (
	"os"
	"syscall"
)

// ownSession is never called: without locks there are no refreshes.
func ownSession() *syscall.SysProcAttr { return nil }

func lockFile(fd int) *os.File { return os.NewFile(uintptr(fd), "lock") }

// umask is empty where there is no such thing.
func umask() string { return "" }
