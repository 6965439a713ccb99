//go:build !unix

package launch

import "os/exec"

// InGroup does nothing where there are no process groups.
func InGroup(*exec.Cmd) {}

// KillGroup does nothing where there are no process groups.
func KillGroup(*exec.Cmd) {}
