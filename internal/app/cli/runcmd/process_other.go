//go:build !linux

package runcmd

import "syscall"

// takePending does nothing where the kernel is not known to leave a signal to a thread
// that waits.
func takePending() {}

// resetAction does nothing where the layout of the system's structure is not known.
func resetAction(syscall.Signal) {}
