package job

import (
	"os"
	"syscall"
	"time"

	"github.com/envwrap/envwrap/internal/platform/proc"
)

// killTree ends what outlived a dead supervisor: the command, if it is still
// the one that was recorded, every process that carries the job's mark in its
// environment, and all that descend from these.
func killTree(child Process, mark string) {
	doomed := map[int]bool{}
	if child.mayKill() {
		doomed[child.PID] = true
		killGroup(child.PID)
	}
	// What was forked while we looked, and what is not dead yet, is found again.
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

// killGroup ends the process group that a process leads, unless it is ours.
func killGroup(pid int) {
	if group, err := syscall.Getpgid(pid); err == nil && group == pid && group > 1 && group != syscall.Getpgrp() {
		_ = syscall.Kill(-group, syscall.SIGKILL)
	}
}

// killTimeout bounds how long killTree waits for processes to end: one that waits for a
// device takes no signal.
const killTimeout = 3 * time.Second

// markedProcesses returns the living processes that carry the mark or descend from one of
// roots or from one that does.
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
