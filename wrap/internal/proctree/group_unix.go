//go:build unix

package proctree

import (
	"os"
	"syscall"

	"github.com/envwrap/envwrap/wrap/internal/signals"
)

// A Tree is the processes of one run. It is not safe for concurrent use.
type Tree struct {
	Config
	child  *os.Process
	group  int // the child's process group; 0 if that is ours
	member int // a process of the group that was alive when groupLives looked; 0 before
}

// Gather is called once, when the child has started, and before anybody waits for it:
// until it is reaped, its id is no other process's.
func (t *Tree) Gather(child *os.Process) {
	t.child = child
	if t.OwnGroup {
		t.group = child.Pid
	}
}

// Release does nothing: a process group needs none.
func (t *Tree) Release() {}

// signalGroup sends sig to the child's group, or to the child where the group
// is ours. An error means that no process is left.
func (t *Tree) signalGroup(sig syscall.Signal) {
	if t.group != 0 {
		_ = syscall.Kill(-t.group, sig)
		return
	}
	_ = t.child.Signal(sig)
}

// Forward hands a signal of ours on. At a terminal the kernel has sent the
// terminal's own signals to the whole group already.
func (t *Tree) Forward(sig os.Signal) {
	number, ok := sig.(syscall.Signal)
	if !ok || (!t.OwnGroup && signals.FromTerminal(number)) {
		return
	}
	t.signalGroup(number)
}

// Wake continues a stopped child, so that it acts on the signal that it was just sent.
func (t *Tree) Wake() { t.signalGroup(syscall.SIGCONT) }
