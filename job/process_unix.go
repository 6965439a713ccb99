//go:build unix

package job

import (
	"os"
	"syscall"

	"github.com/envwrap/envwrap/internal/proc"
)

// alive reports whether the process is there and is the one that was recorded.
// Where the system does not tell when a process started, it is known by its id
// alone, so ask only while the lock of its job is held.
func (p Process) alive() bool {
	return p.PID > 0 && p.Boot == proc.BootID() && p.Started == proc.Start(p.PID)
}

// signal sends a signal to a process if it is still the one that was recorded.
// False means that it is gone, or cannot be seen from here.
func (p Process) signal(sig syscall.Signal) bool {
	proc, err := os.FindProcess(p.PID) // holds on to the process, where the system lets it
	if err != nil {
		return false
	}
	defer func() { _ = proc.Release() }()
	return p.alive() && proc.Signal(sig) == nil
}

// interrupt asks the process to end, also one that is stopped.
func (p Process) interrupt() bool {
	asked := p.signal(syscall.SIGTERM)
	p.signal(syscall.SIGCONT)
	return asked
}

// kill ends the process.
func (p Process) kill() { p.signal(syscall.SIGKILL) }
