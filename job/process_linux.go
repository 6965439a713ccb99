package job

import (
	"os"
	"syscall"

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
	// What was forked while we looked is found on the next round.
	for range 10 {
		found := false
		for _, pid := range marked(mark, doomed) {
			doomed[pid] = true
			found = syscall.Kill(pid, syscall.SIGKILL) == nil || found
		}
		if !found {
			return
		}
	}
}

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
