package companion

import "syscall"

// attributes returns how the companion is started: the kernel sends it SIGTERM if envwrap
// ends before it, for instance by a signal (prctl(2), PR_SET_PDEATHSIG).
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM}
}
