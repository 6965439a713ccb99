//go:build !linux

package runcmd

import "os/exec"

// takePending does nothing where the kernel is not known to leave a signal to a thread
// that waits.
func takePending() {}

// endWithParent does nothing where the kernel cannot be asked for that.
func endWithParent(*exec.Cmd) {}
