package proc

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Visible reports whether /proc shows the processes of this process's PID namespace. It
// returns false if /proc is not mounted or belongs to another one.
func Visible() bool {
	self, err := os.Readlink("/proc/self")
	return err == nil && self == strconv.Itoa(os.Getpid())
}

// Read returns all processes that /proc shows.
func Read() Table {
	if !Visible() {
		return nil
	}
	dir, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	t := Table{}
	for _, name := range names {
		if pid, err := strconv.Atoi(name); err == nil {
			if s, ok := ReadStat(pid); ok {
				t[pid] = s
			}
		}
	}
	return t
}

// ReadStat returns the state of one process.
func ReadStat(pid int) (Stat, bool) {
	name := "stat"
	if pid == os.Getpid() {
		// An emulator (qemu-user, in a container for another processor) makes up the file
		// stat of the process that reads it: the group is 0, and the start another one than
		// other processes see.
		name = "task/" + strconv.Itoa(pid) + "/stat"
	}
	text, err := os.ReadFile(file(pid, name))
	if err != nil {
		return Stat{}, false
	}
	return parseStat(text)
}

// Killable reports whether a process that is sent SIGKILL needs nothing but a processor
// to end: one of its threads has not ended, and is not in a wait that no signal ends
// (state D: for a device, or frozen).
func Killable(pid int) bool {
	threads, _ := os.ReadDir(file(pid, "task"))
	return slices.ContainsFunc(threads, func(thread fs.DirEntry) bool {
		text, err := os.ReadFile(file(pid, "task/"+thread.Name()+"/stat"))
		s, ok := parseStat(text)
		return err == nil && ok && s.killable()
	})
}

// Ending reports whether a process has ended, or none of its threads runs its program any more:
// with the first one the command line and the environment are gone, and others may still be counted.
func Ending(pid int) bool { return ending(directory(pid)) }

func ending(dir fs.FS) bool {
	threads, _ := fs.ReadDir(dir, "task")
	return !slices.ContainsFunc(threads, func(thread fs.DirEntry) bool {
		text, err := fs.ReadFile(dir, "task/"+thread.Name()+"/stat")
		s, ok := parseStat(text)
		return err == nil && ok && !s.Exiting && !s.ended() && !s.killed
	})
}

// Start returns when a process started, in clock ticks since the boot, or "" if it does
// not exist. Ids are reused; an id together with its start and BootID identifies one
// process for ever.
func Start(pid int) string {
	s, _ := ReadStat(pid)
	return s.Start
}

// Gone reports whether the process with an id and a start has ended. It returns false
// if that is not known.
func Gone(pid int, start string) bool {
	if !Visible() {
		return false
	}
	s, ok := ReadStat(pid)
	if !ok { // the process is gone, or no descriptor is free
		return errors.Is(syscall.Kill(pid, 0), syscall.ESRCH)
	}
	return s.Start != start || s.Zombie()
}

// Namespace returns the name of this process's PID namespace (pid_namespaces(7)), or "" if
// it is not known.
func Namespace() string {
	if !Visible() {
		return ""
	}
	name, _ := os.Readlink("/proc/self/ns/pid")
	return name
}

// BootID returns an id that differs for each boot of the machine (random(4)).
func BootID() string {
	id, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(id))
}

// Parent returns the parent of a process, which started or adopted it, and false if
// this namespace does not show it.
func Parent(pid int) (int, bool) {
	s, ok := ReadStat(pid)
	return s.Parent, ok && s.Parent > 0
}

// Environ returns the environment that a process was started with. It reports
// false where that may not be read.
func Environ(pid int) ([]string, bool) {
	block, err := startedWith(directory(pid), "environ", statEnviron)
	if err != nil {
		return nil, false
	}
	return strings.Split(strings.TrimSuffix(string(block), "\x00"), "\x00"), true
}

// HasVariable reports whether a process was started with a variable in its
// environment that begins with prefix, "NAME=" or more.
func HasVariable(pid int, prefix string) bool {
	block, err := startedWith(directory(pid), "environ", statEnviron)
	return err == nil && lookup(block, prefix)
}

// HasArguments reports whether the command line of a process begins with args.
func HasArguments(pid int, args ...string) bool {
	line, err := startedWith(directory(pid), "cmdline", statArguments)
	return err == nil && bytes.HasPrefix(line, []byte(strings.Join(args, "\x00")+"\x00"))
}

// directory returns the files of a process.
func directory(pid int) fs.FS { return os.DirFS("/proc/" + strconv.Itoa(pid)) }

// startedWith reads what a process was started with. For a moment of execve(2) the
// old is no more to be seen and the new not yet: startedWith waits, for a second or
// so at the most.
func startedWith(dir fs.FS, name string, member int) ([]byte, error) {
	for range 1000 {
		block, err := fs.ReadFile(dir, name)
		if err != nil || len(block) > 0 {
			return block, err
		}
		stat, err := fs.ReadFile(dir, "stat")
		if err != nil || isEmpty(stat, member) {
			return nil, err
		}
		<-time.After(time.Millisecond)
	}
	return nil, os.ErrDeadlineExceeded
}

// InCall reports whether a process is in a system call whose line in
// /proc/PID/syscall begins with prefix (proc_pid_syscall(5)).
func InCall(pid int, prefix string) bool {
	line, err := os.ReadFile(file(pid, "syscall"))
	return err == nil && strings.HasPrefix(string(line), prefix)
}

// Reading returns the descriptor that a process is reading from right now, and false if
// it is in no such call or cannot be inspected. read is the number of the system call.
func Reading(pid, read int) (fd int, ok bool) {
	line, err := os.ReadFile(file(pid, "syscall"))
	if err != nil {
		return 0, false
	}
	fields := strings.Fields(string(line))
	if len(fields) < 2 || fields[0] != strconv.Itoa(read) {
		return 0, false
	}
	n, err := strconv.ParseInt(fields[1], 0, 64)
	return int(n), err == nil
}

// Descriptor returns a path for a descriptor of a process, for os.Stat.
func Descriptor(pid, fd int) string { return file(pid, "fd/"+strconv.Itoa(fd)) }

// Link returns the name that /proc shows for an open file of this process
// (proc_pid_fd(5)): "pipe:[4711]" for one of pipe(2), the path of a FIFO in a file
// system; "" if it is not known.
func Link(f *os.File) string {
	conn, err := f.SyscallConn() // Fd would make the file block
	if err != nil {
		return ""
	}
	var name string
	_ = conn.Control(func(fd uintptr) { name, _ = os.Readlink("/proc/self/fd/" + strconv.Itoa(int(fd))) })
	return name
}

// Links calls yield with the name of each open file of a process, as Link returns it.
// It returns false if the names of some or all cannot be read.
func Links(pid int, yield func(name string) bool) bool {
	dir := file(pid, "fd/")
	entries, err := os.ReadDir(dir)
	complete := err == nil
	for _, e := range entries {
		name, err := os.Readlink(dir + e.Name())
		if errors.Is(err, fs.ErrPermission) {
			complete = false
		}
		if err == nil && !yield(name) {
			break
		}
	}
	return complete && len(entries) > 0
}

func file(pid int, name string) string { return "/proc/" + strconv.Itoa(pid) + "/" + name }
