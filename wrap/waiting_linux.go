package wrap

import (
	"fmt"
	"os"
	"strings"
	"syscall"
)

// waitsForStdin reports whether the child, or a process below it, is in a
// read of descriptor 0 right now (proc_pid_syscall(5)). Where the kernel does
// not say, it is not.
func (r *run) waitsForStdin() bool {
	reading := fmt.Sprintf("%d 0x0 ", syscall.SYS_READ)
	for _, pid := range append(descendants(r.proc.Pid, nil), r.proc.Pid) {
		call, err := os.ReadFile(fmt.Sprintf("/proc/%d/syscall", pid))
		if err == nil && strings.HasPrefix(string(call), reading) {
			return true
		}
	}
	return false
}
