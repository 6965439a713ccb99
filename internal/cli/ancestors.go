package cli

import (
	"iter"
	"os"
	"strings"

	"github.com/envwrap/envwrap/detect"
	"github.com/envwrap/envwrap/internal/proc"
)

// ancestors reads the environments of the processes above us: what each was
// started with. It stops where one may not be read.
func ancestors(level int) (detect.Env, bool) {
	pid := os.Getpid()
	for range level {
		parent, ok := proc.Parent(pid)
		if !ok {
			return nil, false
		}
		pid = parent
	}
	return environOf(pid)
}

func environOf(pid int) (detect.Env, bool) {
	environ, ok := proc.Environ(pid)
	if !ok {
		return nil, false
	}
	return (&World{Environ: environ}).lookup, true
}

// callers walks up to the first process of this PID namespace. It reports
// false where processes cannot be seen.
func callers() (iter.Seq[caller], bool) {
	if _, err := os.Lstat(proc.Descriptor(os.Getpid(), 1)); err != nil {
		return nil, false
	}
	return func(yield func(caller) bool) {
		for pid, ok := proc.Parent(os.Getpid()); ok; pid, ok = proc.Parent(pid) {
			if !yield(callerOf(pid)) {
				return
			}
		}
	}, true
}

func callerOf(pid int) caller {
	stat, _ := proc.ReadStat(pid)
	c := caller{pid: pid, name: stat.Name, reads: func(pipe string) bool { return mayHave(pid, pipe) }}
	c.has = func(name string) bool {
		has := false
		proc.Links(pid, func(n string) bool { has = n == name; return !has })
		return has
	}
	c.env, _ = environOf(pid)
	c.stdout, _ = os.Stat(proc.Descriptor(pid, 1))
	return c
}

// mayHave reports whether a process has an end of a pipe, or may have one: of a
// socket nobody can tell, since its other end has another name.
func mayHave(pid int, pipe string) bool {
	has := false
	complete := proc.Links(pid, func(name string) bool {
		has = name == pipe
		return !has
	})
	return has || !complete || !strings.HasPrefix(pipe, "pipe:")
}
