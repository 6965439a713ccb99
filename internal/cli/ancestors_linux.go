package cli

import (
	"bytes"
	"errors"
	"io/fs"
	"iter"
	"os"
	"slices"
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

// linkName is what a file is called where descriptors are listed
// (proc_pid_fd(5)): "pipe:[4711]" for one of pipe(2), the path of a FIFO in a
// file system; "" where that cannot be seen.
func linkName(f *os.File) string {
	name, _ := os.Readlink("/proc/self/fd/" + strconv.Itoa(int(f.Fd())))
	return name
}

// mayHave reports whether a process has an end of a pipe, or may have one: of a
// socket nobody can tell, since its other end has another name.
func mayHave(pid int, pipe string) bool {
	dir := "/proc/" + strconv.Itoa(pid) + "/fd/"
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) == 0 || !strings.HasPrefix(pipe, "pipe:") {
		return true
	}
	return slices.ContainsFunc(entries, func(e os.DirEntry) bool {
		name, err := os.Readlink(dir + e.Name())
		return name == pipe || errors.Is(err, fs.ErrPermission)
	})
}

func callerOf(pid int) caller {
	dir := "/proc/" + strconv.Itoa(pid)
	c := caller{pid: pid, reads: func(pipe string) bool { return mayHave(pid, pipe) }}
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
