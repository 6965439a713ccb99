package wrap

import (
	"os"
	"slices"
	"syscall"
	"time"
	"unsafe"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/proc"
)

// maxRSSUnit is the unit of getrusage's ru_maxrss in bytes (getrusage(2)).
const maxRSSUnit = 1 << 10

// BecomeSubreaper makes this process the parent of its orphaned descendants
// (PR_SET_CHILD_SUBREAPER, prctl(2)), so that a run can name and end the processes that
// the child left running, including those that left its process group. It reports
// whether that worked, which is only possible on Linux. Only a program that does
// nothing but run commands may call it: see Command.Subreaper.
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

// strays returns the living processes that descend from the run: of the child
// while it lives, and of ourselves where orphans come to us.
func (r *run) strays() []int {
	if r.c.Subreaper {
		r.reap()
	}
	return proc.Read().Below(r.root(), r.c.IsHelper)
}

// root returns the process below which all of the run is: ourselves, where orphans
// come to us.
func (r *run) root() int {
	if r.c.Subreaper {
		return os.Getpid()
	}
	return r.proc.Pid
}

// stopMost is how long the processes of a run are looked for before those that
// were found are killed.
const stopMost = time.Second

// stopStrays stops the processes of the run and returns them. Those that started
// meanwhile are found on the next round.
func (r *run) stopStrays() []holder {
	var found []holder
	stopped := map[int]bool{}
	giveUp := time.Now().Add(stopMost)
	for before := -1; before < len(found) && time.Now().Before(giveUp); {
		before = len(found)
		for _, pid := range r.strays() {
			if !stopped[pid] && syscall.Kill(pid, syscall.SIGSTOP) == nil {
				stopped[pid] = true
				s, _ := proc.ReadStat(pid)
				found = append(found, holder{pid: pid, name: s.Name})
			}
		}
	}
	return found
}

// adopted reports whether one of our children is of the run, now that the command
// itself has ended. Where there are children and none is seen they started while
// we looked.
func (r *run) adopted() bool {
	if !proc.Visible() {
		return false
	}
	children, spared := 0, 0
	for pid, s := range proc.Read() {
		if s.Parent == os.Getpid() && !s.Zombie() {
			children++
			if r.c.IsHelper != nil && r.c.IsHelper(pid) {
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
func (r *run) groupLives() bool {
	lives := func(s proc.Stat) bool { return s.Group == r.family.group && !s.Zombie() }
	if s, ok := proc.ReadStat(r.family.member); ok && lives(s) {
		return true
	}
	table := proc.Read()
	for pid, s := range table {
		if lives(s) {
			r.family.member = pid
			return true
		}
	}
	if len(table) == 0 {
		return true
	}
	r.signalGroup(syscall.SIGKILL)
	return false
}

// dying reports whether one of the processes that were just killed, or of the group,
// needs nothing but a processor to end.
func (r *run) dying(killed []holder) bool {
	member := r.family.member
	return slices.ContainsFunc(killed, func(p holder) bool { return proc.Killable(p.pid) }) ||
		member != 0 && syscall.Kill(member, 0) == nil && proc.Killable(member)
}

// leftoverMost is the most processes that a record names.
const leftoverMost = 20

// leftovers returns the processes that outlived the child. If there are none this costs
// one system call.
func (r *run) leftovers() []envelope.Leftover {
	if !r.c.Subreaper || !r.reap() {
		return nil
	}
	var left []envelope.Leftover
	table := proc.Read()
	for _, pid := range table.Below(os.Getpid(), r.c.IsHelper) {
		if len(left) < leftoverMost {
			left = append(left, envelope.Leftover{PID: pid, Name: r.text(table[pid].Name)})
		}
	}
	return left
}

// holders returns the processes, other than ourselves, that have the other end of
// one of the pipes open.
func holders(pipes []*os.File) []holder {
	var names []string
	for _, pipe := range pipes {
		if name := proc.Link(pipe); name != "" {
			names = append(names, name)
		}
	}
	var found []holder
	for pid, s := range proc.Read() {
		if pid != os.Getpid() && opens(pid, names) {
			found = append(found, holder{pid: pid, name: s.Name})
		}
	}
	slices.SortFunc(found, func(a, b holder) int { return a.pid - b.pid })
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
