//go:build unix

package launch

import (
	"os/exec"
	"syscall"
)

// InGroup puts a command into a process group of its own, which the end of the command's
// context asks to end with SIGTERM. It is called before EndWithParent.
func InGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
}

// KillGroup kills the remaining processes in the group of a command that InGroup was called for.
func KillGroup(cmd *exec.Cmd) {
	if cmd.Process != nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	}
}
