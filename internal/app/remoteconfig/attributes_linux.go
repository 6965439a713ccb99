package remoteconfig

import "syscall"

// Attributes returns how the companion is started: the kernel sends it SIGTERM if envwrap
// ends before it, for instance by a signal (prctl(2), PR_SET_PDEATHSIG).
func Attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM}
}
