package wrap

import (
	"fmt"
	"slices"
	"syscall"

	"github.com/envwrap/envwrap/internal/proc"
)

// waitsForStdin reports whether the child, or a process below it, is in a
// read of descriptor 0 right now (proc_pid_syscall(5)). Where the kernel does
// not say, it is not.
func (r *run) waitsForStdin() bool {
	reading := fmt.Sprintf("%d 0x0 ", syscall.SYS_READ)
	return slices.ContainsFunc(proc.Read().Tree([]int{r.proc.Pid}, nil), func(pid int) bool {
		return proc.InCall(pid, reading)
	})
}
