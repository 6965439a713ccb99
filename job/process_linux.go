package job

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// bootID tells one boot of the machine from the next (random(4)).
func bootID() string {
	id, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(id))
}

// startOf is when a process started, in clock ticks since the boot, "" where
// there is none (proc_pid_stat(5), field 22).
func startOf(pid int) string {
	fields := statOf(pid)
	if len(fields) < 20 {
		return ""
	}
	return string(fields[19])
}

// statOf are the fields of /proc/PID/stat behind the name, which may hold any
// byte: the first is the state, the third field of all.
func statOf(pid int) [][]byte {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return nil
	}
	return bytes.Fields(data[bytes.LastIndexByte(data, ')')+1:])
}

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
	children := map[int][]int{}
	var queue []int
	for _, pid := range processes() {
		fields := statOf(pid)
		if len(fields) < 20 || fields[0][0] == 'Z' || pid == os.Getpid() {
			continue
		}
		parent, _ := strconv.Atoi(string(fields[1]))
		children[parent] = append(children[parent], pid)
		if roots[pid] || carries(pid, mark) {
			queue = append(queue, pid)
		}
	}
	seen := map[int]bool{}
	var found []int
	for len(queue) > 0 {
		pid := queue[0]
		queue = queue[1:]
		if !seen[pid] && !IsSupervisor(pid) {
			seen[pid] = true
			found = append(found, pid)
			queue = append(queue, children[pid]...)
		}
	}
	return found
}

// carries reports whether a process was started with the mark, a variable and
// the beginning of its value, in its environment.
func carries(pid int, mark string) bool {
	env, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
	return err == nil && (bytes.HasPrefix(env, []byte(mark)) || bytes.Contains(env, append([]byte{0}, mark...)))
}

// processes lists all processes that can be seen: none where /proc is that of
// another PID namespace, whose ids are not ours.
func processes() []int {
	if self, err := os.Readlink("/proc/self"); err != nil || self != strconv.Itoa(os.Getpid()) {
		return nil
	}
	dir, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	var pids []int
	for _, name := range names {
		if pid, err := strconv.Atoi(name); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}

// IsSupervisor reports whether a process supervises a job: it belongs to nobody
// else's run, whoever submitted the job.
func IsSupervisor(pid int) bool {
	line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	return err == nil && bytes.HasPrefix(line, []byte(strings.Join(supervisorArgs(), "\x00")+"\x00"))
}
