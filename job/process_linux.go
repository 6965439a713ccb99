package job

import (
	"os"
	"syscall"
	"time"

	"github.com/envwrap/envwrap/internal/proc"
)

// killTree ends what a dead supervisor left behind: the command, if it is still
// the one that was recorded, every process that carries the job's mark in its
// environment, and all that descend from these.
func killTree(child Process, mark string) {
	doomed := map[int]bool{}
	if child.alive() {
		doomed[child.PID] = true
		_ = syscall.Kill(-child.PID, syscall.SIGKILL) // its group
	}
	// What was forked while we looked, and what is not dead yet, is found again.
	giveUp := time.Now().Add(killMost)
	for pause := time.Millisecond; ; pause = min(2*pause, 20*time.Millisecond) {
		found := false
		for _, pid := range marked(mark, doomed) {
			doomed[pid] = true
			found = syscall.Kill(pid, syscall.SIGKILL) == nil || found
		}
		if !found || time.Now().After(giveUp) {
			return
		}
		time.Sleep(pause)
	}
}

// killMost bounds how long killTree waits for processes to end: one that waits for a
// device takes no signal.
const killMost = 3 * time.Second

// marked are the living processes that carry the mark or descend from one of
// roots or from one that does.
func marked(mark string, roots map[int]bool) []int {
	table := proc.Read()
	delete(table, os.Getpid())
	var queue []int
	for pid := range table {
		if roots[pid] || proc.HasVariable(pid, mark) {
			queue = append(queue, pid)
		}
	}
	return table.Tree(queue, IsSupervisor)
}
