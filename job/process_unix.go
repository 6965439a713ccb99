//go:build unix

package job

import (
	"os"
	"syscall"

	"github.com/envwrap/envwrap/internal/platform/proc"
)

// alive reports whether the process is there and is the one that was recorded:
// its start is known and is that of the process which has the id now.
func (p Process) alive() bool {
	return p.PID > 1 && p.Started != "" && p.Boot == proc.BootID() &&
		(p.Space == "" || p.Space == proc.Namespace()) && p.Started == proc.Start(p.PID)
}

// isSelfOrAncestor reports whether a process is this one or an ancestor of it, which is not
// signalled whatever a record says.
func isSelfOrAncestor(pid int) bool {
	for at, ok := os.Getpid(), true; ok; at, ok = proc.Parent(at) {
		if at == pid {
			return true
		}
	}
	return false
}

// mayKill reports whether the process may be killed because a record names it.
func (p Process) mayKill() bool { return p.alive() && !isSelfOrAncestor(p.PID) }

// signal sends a signal to a process if it is still the one that was recorded.
// False means that it is gone, cannot be distinguished from another, or runs us.
func (p Process) signal(sig syscall.Signal) bool {
	if !p.mayKill() {
		return false
	}
	proc, _ := os.FindProcess(p.PID) // never fails; holds on to the process, where the system lets it
	defer func() { _ = proc.Release() }()
	return p.alive() && proc.Signal(sig) == nil
}

// unreachable reports whether a signal cannot reach the process from here, though it may
// be alive: the system does not say when it started, it is in another PID
// namespace, or it runs us.
func (p Process) unreachable() bool {
	return p.PID > 0 && (p.Started == "" || p.Space != "" && p.Space != proc.Namespace() || isSelfOrAncestor(p.PID))
}

// supervises reports whether the process is a supervisor's by its command line,
// beside being the one that was recorded.
func (p Process) supervises() bool { return p.alive() && IsSupervisor(p.PID) }

// interrupt asks a supervisor to end, also one that is stopped.
func (p Process) interrupt() bool {
	if !p.supervises() {
		return false
	}
	asked := p.signal(syscall.SIGTERM)
	p.signal(syscall.SIGCONT)
	return asked
}

// kill ends a supervisor.
func (p Process) kill() {
	if p.supervises() {
		p.signal(syscall.SIGKILL)
	}
}
