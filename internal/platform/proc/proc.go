// Package proc reads /proc (proc(5)). Everything is empty on systems other than Linux,
// and if /proc is not mounted or belongs to another PID namespace, in which this
// process's ids have other meanings.
package proc

import (
	"bytes"
	"maps"
	"slices"
	"strconv"
)

// A Stat is the content of /proc/PID/stat (proc_pid_stat(5)).
type Stat struct {
	Name    string // at most 15 bytes of the program's name; may hold any byte
	State   byte   // of the first thread: 'R', 'S', 'D', 'T', 'Z' and so on
	Parent  int    // 0 for the first process, and if the parent is in another namespace
	Group   int    // the process group; 0 if its leader is in another namespace
	Threads int    // running threads, and the first one even if it has ended
	Exiting bool   // the first thread is ending, or has ended
	killed  bool   // SIGKILL waits for the thread that the state is of: it never returns to its program
	Start   string // when it started, in clock ticks since the boot
}

// Zombie reports whether the process has ended and was not waited for yet. A process of
// which only the first thread has ended is alive.
func (s Stat) Zombie() bool { return s.Threads <= 1 && s.ended() }

// Ending reports whether the process has ended, or is ending and runs nothing of its
// program any more.
func (s Stat) Ending() bool { return s.Threads <= 1 && (s.Exiting || s.ended()) }

// ended reports whether the thread that the state is of has ended.
func (s Stat) ended() bool { return s.State == 'Z' || s.State == 'X' }

// killable reports whether SIGKILL ends the thread that the state is of as soon as it
// gets a processor.
func (s Stat) killable() bool { return !s.ended() && s.State != 'D' }

// The members of /proc/PID/stat after the name.
const (
	statState   = 0
	statParent  = 1
	statGroup   = 2
	statFlags   = 6
	statThreads = 17
	statStart   = 19

	statPending   = 28 // signals that wait for the thread, bits in decimal
	statMemory    = 20 // in bytes; 0 of a kernel thread and of what has ended
	statCode      = 23 // the address of the code; execve sets it after the arguments and the environment
	statArguments = 45 // the address of the first byte, and the one after the last
	statEnviron   = 47
)

// parseStat parses /proc/PID/stat. The name is in parentheses and may hold any
// byte, parentheses too.
func parseStat(text []byte) (Stat, bool) {
	left, right := bytes.IndexByte(text, '('), bytes.LastIndexByte(text, ')')
	if left < 0 || right < left {
		return Stat{}, false
	}
	fields := bytes.Fields(text[right+1:])
	if len(fields) <= statStart {
		return Stat{}, false
	}
	parent, err := strconv.Atoi(string(fields[statParent]))
	if err != nil {
		return Stat{}, false
	}
	group, err := strconv.Atoi(string(fields[statGroup]))
	if err != nil {
		return Stat{}, false
	}
	threads, err := strconv.Atoi(string(fields[statThreads]))
	if err != nil {
		return Stat{}, false
	}
	flags, err := strconv.ParseUint(string(fields[statFlags]), 10, 64)
	if err != nil {
		return Stat{}, false
	}
	const exiting = 0x4 // PF_EXITING (include/linux/sched.h)
	pending := uint64(0)
	if len(fields) > statPending {
		pending, _ = strconv.ParseUint(string(fields[statPending]), 10, 64)
	}
	const kill = 1 << (9 - 1) // SIGKILL
	return Stat{
		Exiting: flags&exiting != 0,
		killed:  pending&kill != 0,
		Name:    string(text[left+1 : right]),
		State:   fields[statState][0],
		Parent:  parent,
		Group:   group,
		Threads: threads,
		Start:   string(fields[statStart]),
	}, true
}

// isEmpty reports whether the arguments or the environment of a process are empty
// by /proc/PID/stat, and not only unknown while it executes another program. member
// is one of those above.
func isEmpty(stat []byte, member int) bool {
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) <= member+1 || string(fields[statMemory]) == "0" {
		return true
	}
	return string(fields[statCode]) != "0" && string(fields[member]) != "0" && bytes.Equal(fields[member], fields[member+1])
}

// A Table has the processes of one moment by their ids. Processes that started or ended
// while it was read may be missing.
type Table map[int]Stat

// Tree returns the living processes among roots and their descendants, the nearest
// first. A process for which skip returns true is left out with its descendants; skip
// may be nil.
func (t Table) Tree(roots []int, skip func(pid int) bool) []int {
	children := map[int][]int{}
	for _, pid := range slices.Sorted(maps.Keys(t)) {
		children[t[pid].Parent] = append(children[t[pid].Parent], pid)
	}
	seen := map[int]bool{}
	var found []int
	for queue := slices.Clone(roots); len(queue) > 0; {
		pid := queue[0]
		queue = queue[1:]
		if s, ok := t[pid]; !ok || seen[pid] || s.Zombie() || skip != nil && skip(pid) {
			continue
		}
		seen[pid] = true
		found = append(found, pid)
		queue = append(queue, children[pid]...)
	}
	return found
}

// Below returns the living descendants of root, the nearest first. For skip see
// [Table.Tree].
func (t Table) Below(root int, skip func(pid int) bool) []int {
	var children []int
	for _, pid := range slices.Sorted(maps.Keys(t)) {
		if t[pid].Parent == root {
			children = append(children, pid)
		}
	}
	return t.Tree(children, skip)
}

// lookup finds a variable in the block of NUL-ended pairs that /proc/PID/environ
// shows.
func lookup(block []byte, prefix string) bool {
	return bytes.HasPrefix(block, []byte(prefix)) || bytes.Contains(block, append([]byte{0}, prefix...))
}
