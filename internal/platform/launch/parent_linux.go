package launch

import (
	"os/exec"
	"syscall"
)

// EndWithParent makes a command end when this process does, for instance by a signal
// (prctl(2), PR_SET_PDEATHSIG), also while the file that it executes does not answer.
func EndWithParent(cmd *exec.Cmd) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = new(syscall.SysProcAttr)
	}
	cmd.SysProcAttr.Pdeathsig = syscall.SIGTERM
}
