package wrap

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strconv"
	"syscall"
	"unsafe"

	"github.com/envwrap/envwrap/envelope"
)

// maxRSSUnit is the unit of getrusage's ru_maxrss in bytes (getrusage(2)).
const maxRSSUnit = 1 << 10

// systemSignal names the signals that POSIX does not have or only counts, with
// glibc's first and last (signal(7)).
func systemSignal(sig syscall.Signal) string {
	const stkFlt, rtMin, rtMax = 16, 34, 64 // on MIPS, 16 has a name of POSIX
	switch {
	case sig == stkFlt:
		return "SIGSTKFLT"
	case sig == syscall.SIGPWR:
		return "SIGPWR"
	case sig == rtMin:
		return "SIGRTMIN"
	case sig == rtMax:
		return "SIGRTMAX"
	case sig > rtMin && sig < rtMax:
		return "SIGRTMIN+" + strconv.Itoa(int(sig)-rtMin)
	}
	return ""
}

// BecomeSubreaper makes this process the parent of its orphaned descendants
// (PR_SET_CHILD_SUBREAPER, prctl(2)), so that a run can name and end what the
// child left behind, also what left its group. It is for a program that does
// nothing but run commands: see Command.Subreaper.
func BecomeSubreaper() bool {
	const prSetChildSubreaper = 36
	_, _, errno := syscall.RawSyscall6(syscall.SYS_PRCTL, prSetChildSubreaper, 1, 0, 0, 0, 0)
	return errno == 0
}

// anyChild asks without waiting and without reaping (waitid(2)) whether this
// process has children, and names one that has ended, or 0.
func anyChild() (ended int, exists bool) {
	const (
		pAll    = 0
		options = syscall.WNOHANG | syscall.WEXITED | syscall.WNOWAIT
	)
	var info struct { // siginfo_t with the members of SIGCHLD, 64-bit systems
		_   [16]byte
		pid int32
		_   [108]byte
	}
	_, _, errno := syscall.RawSyscall6(syscall.SYS_WAITID, pAll, 0, uintptr(unsafe.Pointer(&info)), options, 0, 0)
	return int(info.pid), errno == 0
}

// reap collects orphans that ended, and leaves the child itself to its own
// waiter. It reports whether children are left.
func (r *run) reap() bool {
	for {
		pid, exists := anyChild()
		if !exists || pid == 0 || pid == r.proc.Pid {
			return exists
		}
		_, _ = syscall.Wait4(pid, nil, syscall.WNOHANG, nil)
	}
}

// strays are the living processes that descend from the run: of the child
// while it lives, and of ourselves where orphans come to us.
func (r *run) strays() []int {
	if r.c.Subreaper {
		r.reap()
		return descendants(os.Getpid(), r.c.Spare)
	}
	return descendants(r.proc.Pid, r.c.Spare)
}

// leftovers names what is still there after the child has ended and was
// reaped. Where there is nothing this costs one system call.
func (r *run) leftovers() []envelope.Leftover {
	if !r.c.Subreaper || !r.reap() {
		return nil
	}
	var left []envelope.Leftover
	for _, pid := range descendants(os.Getpid(), r.c.Spare) {
		if s, ok := readStat(pid); ok && len(left) < leftoverMost {
			left = append(left, envelope.Leftover{PID: pid, Name: s.name})
		}
	}
	return left
}

// stat is what envwrap reads of /proc/PID/stat (proc_pid_stat(5)).
type stat struct {
	name   string
	zombie bool
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
	return stat{name: string(data[left+1 : right]), zombie: string(fields[0]) == "Z", parent: parent}, true
}

// processes lists the ids of all processes that can be seen: none where /proc
// is that of another PID namespace, whose ids are not ours.
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

// descendants are the living processes below root, nearest first, without
// root and without those that are to be spared.
func descendants(root int, spare func(pid int) bool) []int {
	children := map[int][]int{}
	for _, pid := range processes() {
		if s, ok := readStat(pid); ok && !s.zombie {
			children[s.parent] = append(children[s.parent], pid)
		}
	}
	var found []int
	queue := []int{root}
	for len(queue) > 0 {
		next := children[queue[0]]
		if spare != nil {
			next = slices.DeleteFunc(next, spare)
		}
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
