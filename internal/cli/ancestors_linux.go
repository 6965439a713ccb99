package cli

import (
	"bytes"
	"iter"
	"os"
	"strconv"
	"strings"

	"github.com/envwrap/envwrap/detect"
)

// ancestors reads the environments of the processes above us from /proc
// (proc(5)): what each was started with. It stops where one may not be read.
func ancestors(level int) (detect.Env, bool) {
	pid := os.Getpid()
	for range level {
		parent, ok := parentOf(pid)
		if !ok {
			return nil, false
		}
		pid = parent
	}
	return environOf(pid)
}

func environOf(pid int) (detect.Env, bool) {
	block, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ")
	if err != nil {
		return nil, false
	}
	environ := strings.Split(strings.TrimSuffix(string(block), "\x00"), "\x00")
	return (&World{Environ: environ}).lookup, true
}

// callers walks up to the first process of this PID namespace. It reports
// false where /proc is not mounted.
func callers() (iter.Seq[caller], bool) {
	if _, err := os.Lstat("/proc/self/fd/1"); err != nil {
		return nil, false
	}
	return func(yield func(caller) bool) {
		for pid, ok := parentOf(os.Getpid()); ok; pid, ok = parentOf(pid) {
			if !yield(callerOf(pid)) {
				return
			}
		}
	}, true
}

// hasName reports whether a pipe is a FIFO of a file system. One of pipe(2) is
// "pipe:[4711]" there (proc_pid_fd(5)).
func hasName(f *os.File) bool {
	name, err := os.Readlink("/proc/self/fd/" + strconv.Itoa(int(f.Fd())))
	return err == nil && strings.HasPrefix(name, "/")
}

func callerOf(pid int) caller {
	dir := "/proc/" + strconv.Itoa(pid)
	c := caller{pid: pid}
	if name, err := os.ReadFile(dir + "/comm"); err == nil {
		c.name = strings.TrimSuffix(string(name), "\n")
	}
	c.env, _ = environOf(pid)
	c.stdout, _ = os.Stat(dir + "/fd/1")
	return c
}

// parentOf reads the fourth field of /proc/<pid>/stat. The second is the
// program's name in parentheses, and may hold anything.
func parentOf(pid int) (int, bool) {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0, false
	}
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) < 2 {
		return 0, false
	}
	parent, err := strconv.Atoi(string(fields[1]))
	return parent, err == nil && parent > 0
}
