//go:build !linux

package runcmd

import (
	"os/exec"
	"syscall"
)

// takePending does nothing where the kernel is not known to leave a signal to a thread
// that waits.
func takePending() {}

// endWithParent does nothing where the kernel cannot be asked for that.
func endWithParent(*exec.Cmd) {}

// resetAction does nothing where the layout of the system's structure is not known.
func resetAction(syscall.Signal) {}
