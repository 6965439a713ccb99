package proctree

import (
	"os"
	"slices"
	"syscall"
	"time"
	"unsafe"

	"github.com/envwrap/envwrap/internal/platform/proc"
)

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

// Reap collects orphans that ended, and leaves the child itself to its own
// waiter. It reports whether children are left.
func (t *Tree) Reap() bool {
	for {
		pid, exists := anyChild()
		if !exists || pid == 0 || pid == t.child.Pid {
			return exists
		}
		_, _ = syscall.Wait4(pid, nil, syscall.WNOHANG, nil)
	}
}

// strays returns the living processes that descend from the run: of the child
// while it lives, and of ourselves where orphans come to us.
func (t *Tree) strays() []int {
	if t.Subreaper {
		t.Reap()
	}
	return proc.Read().Below(t.root(), t.IsHelper)
}

// root returns the process below which all of the run is: ourselves, where orphans
// come to us.
func (t *Tree) root() int {
	if t.Subreaper {
		return os.Getpid()
	}
	return t.child.Pid
}

// stopMost is how long the processes of a run are looked for before those that
// were found are killed.
const stopMost = time.Second

// stopStrays stops the processes of the run and returns them. Those that started
// meanwhile are found on the next round.
func (t *Tree) stopStrays() []Process {
	var found []Process
	stopped := map[int]bool{}
	giveUp := time.Now().Add(stopMost)
	for before := -1; before < len(found) && time.Now().Before(giveUp); {
		before = len(found)
		for _, pid := range t.strays() {
			if !stopped[pid] && syscall.Kill(pid, syscall.SIGSTOP) == nil {
				stopped[pid] = true
				s, _ := proc.ReadStat(pid)
				found = append(found, Process{PID: pid, Name: s.Name})
			}
		}
	}
	return found
}

// adopted reports whether one of our children is of the run, now that the command
// itself has ended. Where there are children and none is seen they started while
// we looked.
func (t *Tree) adopted() bool {
	if !proc.Visible() {
		return false
	}
	children, spared := 0, 0
	for pid, s := range proc.Read() {
		if s.Parent == os.Getpid() && !s.Zombie() {
			children++
			if t.IsHelper != nil && t.IsHelper(pid) {
				spared++
			}
		}
	}
	return children == 0 || spared < children
}

// groupLives reports whether a process of the group that the kernel knows has not
// ended. The kernel counts zombies, which stay until their parent waits for them:
// where orphans do not come to us that may be never. What joined the group while
// the process table was read is killed.
func (t *Tree) groupLives() bool {
	lives := func(s proc.Stat) bool { return s.Group == t.group && !s.Zombie() }
	if s, ok := proc.ReadStat(t.member); ok && lives(s) {
		return true
	}
	table := proc.Read()
	for pid, s := range table {
		if lives(s) {
			t.member = pid
			return true
		}
	}
	if len(table) == 0 {
		return true
	}
	t.signalGroup(syscall.SIGKILL)
	return false
}

// dying reports whether one of the processes that were just killed, or of the group,
// needs nothing but a processor to end.
func (t *Tree) dying(killed []Process) bool {
	return proc.Killable(t.member) || slices.ContainsFunc(killed, func(p Process) bool { return proc.Killable(p.PID) })
}

// leftoverMost is the most processes that a record names.
const leftoverMost = 20

// leftovers returns the descendants that are alive now. If there are none this costs one
// system call.
func (t *Tree) leftovers() []Process {
	if !t.outlived() {
		return nil
	}
	var left []Process
	table := proc.Read()
	for pid, s := range table { // whose parent ended while the table was read
		if parent, ok := table[s.Parent]; !ok || parent.Ending() {
			table[pid], _ = proc.ReadStat(pid)
		}
	}
	for _, pid := range table.Below(os.Getpid(), t.IsHelper) {
		if len(left) < leftoverMost && !proc.Ending(pid) {
			left = append(left, Process{PID: pid, Name: table[pid].Name})
		}
	}
	return left
}

// outlived reports whether this process has children, which come to it where it is a
// subreaper.
func (t *Tree) outlived() bool { return t.Subreaper && t.Reap() }

// Holders returns the processes, other than ourselves, that have the other end of
// one of the pipes open.
func Holders(pipes []*os.File) []Process {
	var names []string
	for _, pipe := range pipes {
		names = append(names, proc.Link(pipe))
	}
	var found []Process
	for pid, s := range proc.Read() {
		if pid != os.Getpid() && opens(pid, names) {
			found = append(found, Process{PID: pid, Name: s.Name})
		}
	}
	slices.SortFunc(found, func(a, b Process) int { return a.PID - b.PID })
	return found
}

// opens reports whether the process has one of the files open.
func opens(pid int, names []string) (found bool) {
	proc.Links(pid, func(name string) bool {
		found = slices.Contains(names, name)
		return !found
	})
	return found
}
