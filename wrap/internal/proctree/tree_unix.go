//go:build unix

package proctree

import (
	"cmp"
	"syscall"
)

// signalAll sends sig to the group and to what left it.
func (t *Tree) signalAll(sig syscall.Signal) {
	strays := t.strays()
	t.signalGroup(sig)
	for _, pid := range strays {
		_ = syscall.Kill(pid, sig)
	}
}

// Terminate asks the child and all it started to end. A stopped process acts
// on SIGTERM only when it is continued.
func (t *Tree) Terminate() {
	t.signalAll(syscall.SIGTERM)
	t.signalAll(syscall.SIGCONT)
}

// TerminateStrays asks what left the group to end: a signal that was passed on to the group
// has not reached it.
func (t *Tree) TerminateStrays() {
	ours := cmp.Or(t.group, syscall.Getpgrp())
	for _, pid := range t.strays() {
		if group, _ := syscall.Getpgid(pid); group != ours {
			_ = syscall.Kill(pid, syscall.SIGTERM)
			_ = syscall.Kill(pid, syscall.SIGCONT)
		}
	}
}

// Kill ends the group and all that left it, and returns the latter. All are
// stopped first: one that is stopped starts no other, and where the process
// table is full it keeps its entry from those that would.
func (t *Tree) Kill() []Process {
	t.signalGroup(syscall.SIGSTOP)
	strays := t.stopStrays()
	t.signalGroup(syscall.SIGKILL)
	for _, p := range strays {
		_ = syscall.Kill(p.PID, syscall.SIGKILL)
	}
	return strays
}

// Alive reports whether anything of the run is left after the child was
// reaped. Its id means the group alone then, and is not given out again
// while a member lives. Other children of ours do not count, unless this
// process runs nothing else.
func (t *Tree) Alive() bool {
	children := t.Subreaper && t.Reap()
	if t.group != 0 && syscall.Kill(-t.group, 0) == nil && t.groupLives() {
		return true
	}
	return children && t.adopted()
}
