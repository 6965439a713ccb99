//go:build unix

package job

import (
	"os"
	"syscall"

	"github.com/envwrap/envwrap/internal/platform/proc"
)

// alive reports whether the recorded process lives: the process that has its id now
// started at the recorded time.
func (p Process) alive() bool {
	return p.PID > 1 && p.Started != "" && p.Boot == proc.BootID() &&
		(p.Space == "" || p.Space == proc.Namespace()) && p.Started == proc.Start(p.PID)
}

// isSelfOrAncestor reports whether a process is this one or an ancestor of it. Such a
// process gets no signal, whatever a record says.
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

// signal sends a signal to the recorded process. It returns false if the process has
// ended, cannot be told from another one, or is this process or an ancestor.
func (p Process) signal(sig syscall.Signal) bool {
	if !p.mayKill() {
		return false
	}
	proc, _ := os.FindProcess(p.PID) // never fails; holds on to the process, where the system lets it
	defer func() { _ = proc.Release() }()
	return p.alive() && proc.Signal(sig) == nil
}

// unreachable reports whether a signal cannot reach the process although it may live: its
// start is not recorded, it is in another PID namespace, or it is this process or an
// ancestor.
func (p Process) unreachable() bool {
	return p.PID > 0 && (p.Started == "" || p.Space != "" && p.Space != proc.Namespace() || isSelfOrAncestor(p.PID))
}

// supervises reports whether the recorded process lives and has a supervisor's command
// line.
func (p Process) supervises() bool { return p.alive() && IsSupervisor(p.PID) }

// interrupt asks a supervisor to end, and continues it if it is stopped.
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
