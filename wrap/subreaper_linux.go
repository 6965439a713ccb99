package wrap

import "syscall"

// BecomeSubreaper makes this process the parent of its orphaned descendants
// (PR_SET_CHILD_SUBREAPER, prctl(2)), so that a run can name and end the processes that
// the child left running, including those that left its process group. It reports
// whether that worked, which is only possible on Linux. Only a program that does
// nothing but run commands may call it: see Command.Subreaper.
func BecomeSubreaper() bool {
	const prSetChildSubreaper = 36
	_, _, errno := syscall.RawSyscall6(syscall.SYS_PRCTL, prSetChildSubreaper, 1, 0, 0, 0, 0)
	return errno == 0
}
