//go:build unix

package wrap

import (
	"cmp"
	"os"
	"syscall"
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/wrap/internal/signals"
)

// A family identifies the child's processes: by the id of their group, or 0 if the group
// is ours.
type family struct {
	group  int
	member int // a process of the group that was alive when groupLives looked; 0 before
}

// gather is called once, when the child has started.
func (r *run) gather() {
	if r.ownGroup() {
		r.family.group = r.proc.Pid
	}
}

func (r *run) ungather() {}

// signalGroup sends sig to the child's group, or to the child where the group
// is ours. Errors mean that nobody is left.
func (r *run) signalGroup(sig syscall.Signal) {
	if r.family.group != 0 {
		_ = syscall.Kill(-r.family.group, sig)
		return
	}
	_ = r.proc.Signal(sig)
}

// signalAll sends sig to the group and to what left it.
func (r *run) signalAll(sig syscall.Signal) {
	strays := r.strays()
	r.signalGroup(sig)
	for _, pid := range strays {
		_ = syscall.Kill(pid, sig)
	}
}

// terminate asks the child and all it started to end. A stopped process acts
// on SIGTERM only when it is continued.
func (r *run) terminate() {
	r.signalAll(syscall.SIGTERM)
	r.signalAll(syscall.SIGCONT)
}

// terminateStrays asks what left the group to end: a signal that was passed on to the group
// has not reached it.
func (r *run) terminateStrays() {
	ours := cmp.Or(r.family.group, syscall.Getpgrp())
	for _, pid := range r.strays() {
		if group, err := syscall.Getpgid(pid); err == nil && group != ours {
			_ = syscall.Kill(pid, syscall.SIGTERM)
			_ = syscall.Kill(pid, syscall.SIGCONT)
		}
	}
}

// kill ends the group and all that left it, and returns the latter. All are
// stopped first: one that is stopped starts no other, and where the process
// table is full it keeps its entry from those that would.
func (r *run) kill() []holder {
	r.signalGroup(syscall.SIGSTOP)
	strays := r.stopStrays()
	r.signalGroup(syscall.SIGKILL)
	for _, p := range strays {
		_ = syscall.Kill(p.pid, syscall.SIGKILL)
	}
	return strays
}

// alive reports whether anything of the run is left after the child was
// reaped. Its id means the group alone then, and is not given out again
// while a member lives. Other children of ours do not count, unless this
// process runs nothing else.
func (r *run) alive() bool {
	children := r.c.Subreaper && r.reap()
	if r.family.group != 0 && syscall.Kill(-r.family.group, 0) == nil && r.groupLives() {
		return true
	}
	return children && r.adopted()
}

// forward hands a signal of ours on. At a terminal the kernel has sent the
// terminal's own signals to the whole group already.
func (r *run) forward(sig os.Signal) {
	number, ok := sig.(syscall.Signal)
	if !ok || (r.c.Terminal && signals.FromTerminal(number)) {
		return
	}
	r.signalGroup(number)
}

// ending reads how the child ended.
func (r *run) ending(state *os.ProcessState) end {
	status, ok := state.Sys().(syscall.WaitStatus)
	if !ok || !status.Signaled() {
		return end{code: state.ExitCode()}
	}
	return end{signal: int(status.Signal()), name: signals.Name(status.Signal())}
}

// usage reads what the child and the children that it waited for used.
func usage(state *os.ProcessState) *envelope.Usage {
	rusage, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return nil
	}
	return &envelope.Usage{
		UserMS:      int64(state.UserTime() / time.Millisecond),
		SysMS:       int64(state.SystemTime() / time.Millisecond),
		MaxRSSBytes: int64(rusage.Maxrss) * maxRSSUnit,
	}
}

// wake continues a stopped child, so that it acts on the signal that it was just sent.
func (r *run) wake() { r.signalGroup(syscall.SIGCONT) }
