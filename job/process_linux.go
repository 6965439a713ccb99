package job

import (
	"os"
	"syscall"
	"time"

	"github.com/envwrap/envwrap/internal/platform/proc"
)

// killTree kills the processes that outlived a dead supervisor: the command, if it is
// still the recorded process, every process that carries the job's mark in its
// environment, and their descendants.
func killTree(child Process, mark string) {
	doomed := map[int]bool{}
	if child.mayKill() {
		doomed[child.PID] = true
		killGroup(child.PID)
	}
	// Repeat: processes fork during a search, and killed ones take a moment to end.
	for waited, pause := time.Duration(0), time.Millisecond; ; waited, pause = waited+pause, min(2*pause, 20*time.Millisecond) {
		found := false
		for _, pid := range markedProcesses(mark, doomed) {
			doomed[pid] = true
			found = syscall.Kill(pid, syscall.SIGKILL) == nil || found
		}
		if !found || waited >= killTimeout {
			return
		}
		time.Sleep(pause)
	}
}

// killGroup kills the process group that a process leads, unless it is this process's
// own.
func killGroup(pid int) {
	if group, err := syscall.Getpgid(pid); err == nil && group == pid && group > 1 && group != syscall.Getpgrp() {
		_ = syscall.Kill(-group, syscall.SIGKILL)
	}
}

// killTimeout is how long killTree waits for processes to end: a process that waits for a
// device takes no signal.
const killTimeout = 3 * time.Second

// markedProcesses returns the living processes that carry the mark, those in roots, and
// the descendants of both.
func markedProcesses(mark string, roots map[int]bool) []int {
	table := proc.Read()
	protected := map[int]bool{1: true}
	for at, ok := os.Getpid(), true; ok; at, ok = proc.Parent(at) {
		protected[at] = true
	}
	var queue []int
	for pid := range table {
		if !protected[pid] && (roots[pid] || proc.HasVariable(pid, mark)) {
			queue = append(queue, pid)
		}
	}
	return table.Tree(queue, func(pid int) bool { return protected[pid] || IsSupervisor(pid) })
}
