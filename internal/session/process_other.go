//go:build !unix

package session

import (
	"os"
	"syscall"
)

// ownSession is not asked for where there are no locks to hand on.
func ownSession() *syscall.SysProcAttr { return nil }

func lockFile(fd int) *os.File { return os.NewFile(uintptr(fd), "lock") }

// umask is empty where there is no such thing.
func umask() string { return "" }
