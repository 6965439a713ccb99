package wrap

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strconv"
	"syscall"
)

// maxRSSUnit is the unit of getrusage's ru_maxrss in bytes (getrusage(2)).
const maxRSSUnit = 1 << 10

// stat is what envwrap reads of /proc/PID/stat (proc_pid_stat(5)).
type stat struct {
	name   string
	parent int
}

// readStat reads a process's name and parent. The name stands in
// parentheses and may hold any byte, parentheses too.
func readStat(pid int) (stat, bool) {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return stat{}, false
	}
	left, right := bytes.IndexByte(data, '('), bytes.LastIndexByte(data, ')')
	if left < 0 || right < left {
		return stat{}, false
	}
	fields := bytes.Fields(data[right+1:])
	if len(fields) < 2 {
		return stat{}, false
	}
	parent, err := strconv.Atoi(string(fields[1]))
	if err != nil {
		return stat{}, false
	}
	return stat{name: string(data[left+1 : right]), parent: parent}, true
}

// processes lists the ids of all processes that can be seen.
func processes() []int {
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

// descendants are the processes below root, nearest first, without root.
func descendants(root int) []int {
	children := map[int][]int{}
	for _, pid := range processes() {
		if s, ok := readStat(pid); ok {
			children[s.parent] = append(children[s.parent], pid)
		}
	}
	var found []int
	queue := []int{root}
	for len(queue) > 0 {
		next := children[queue[0]]
		queue = append(queue[1:], next...)
		found = append(found, next...)
	}
	return found
}

// holders are the processes, other than ourselves, that have the other end of
// one of the pipes open.
func holders(pipes []*os.File) []holder {
	var inodes []string
	for _, pipe := range pipes {
		info, err := pipe.Stat()
		if err != nil {
			continue
		}
		if sys, ok := info.Sys().(*syscall.Stat_t); ok {
			inodes = append(inodes, fmt.Sprintf("pipe:[%d]", sys.Ino))
		}
	}
	var found []holder
	for _, pid := range processes() {
		if pid == os.Getpid() || !opens(pid, inodes) {
			continue
		}
		if s, ok := readStat(pid); ok {
			found = append(found, holder{pid: pid, name: s.name})
		}
	}
	slices.SortFunc(found, func(a, b holder) int { return a.pid - b.pid })
	return found
}

// opens reports whether the process has one of the files open.
func opens(pid int, files []string) bool {
	dir := fmt.Sprintf("/proc/%d/fd", pid)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return false
	}
	for _, e := range entries {
		target, err := os.Readlink(dir + "/" + e.Name())
		if err == nil && slices.Contains(files, target) {
			return true
		}
	}
	return false
}
