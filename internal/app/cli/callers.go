package cli

import (
	"io/fs"
	"iter"
	"os"
	"strconv"
	"strings"

	"github.com/envwrap/envwrap/detect"
	"github.com/envwrap/envwrap/internal/app/session"
	"github.com/envwrap/envwrap/internal/platform/proc"
)

// A caller is a process above us, as far as it can be seen.
type caller struct {
	pid    int
	name   string      // of its program
	env    detect.Env  // what it was started with; nil where that may not be read
	stdout fs.FileInfo // nil where it has none, or it may not be seen
	// reads reports whether it may have the reading end of a pipe, which is
	// named as proc.Link does; nil where that is not known.
	reads func(pipe string) bool
	// has reports whether it is seen to have a file open, which is named so too.
	has func(name string) bool
}

// isAgent reports whether a process is the agent, and not one that it started.
func (c caller) isAgent(agent detect.Result) bool { return !runsCommands(c.name) && !c.calledBy(agent) }

// calledBy reports whether a process was started by the agent.
func (c caller) calledBy(agent detect.Result) bool {
	if c.env == nil {
		return false
	}
	found := detect.Detect(c.env, nil)
	return found.Found && found.Agent == agent.Agent
}

// runsCommands reports whether a program runs commands on behalf of its caller, as
// shells and make do.
func runsCommands(name string) bool {
	switch name {
	case "sh", "bash", "dash", "ash", "busybox", "ksh", "mksh", "zsh", "fish", "make", "gmake", "xargs":
		return true
	}
	return false
}

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
	return func(name string) (string, bool) { return session.Lookup(environ, name) }, true
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
	c.has = func(name string) bool { has, _ := hasOpen(pid, name); return has }
	c.env, _ = environOf(pid)
	c.stdout, _ = os.Stat(proc.Descriptor(pid, 1))
	return c
}

// mayHave reports whether a process has an end of a pipe, or may have one: of a
// socket this is not known, since its other end has another name.
func mayHave(pid int, pipe string) bool {
	has, complete := hasOpen(pid, pipe)
	return has || !complete || !strings.HasPrefix(pipe, "pipe:")
}

// hasOpen reports whether a process is seen to have a file open, and whether all that it
// has open was seen until then.
func hasOpen(pid int, file string) (has, complete bool) {
	complete = proc.Links(pid, func(name string) bool { has = name == file; return !has })
	return has, complete
}

// enclosingRun returns the process that ENVWRAP_CTX names, an envwrap that runs us, or 0.
// The variable may have outlived that run, so whoever asks looks for it among
// the processes above.
func enclosingRun(env detect.Env) int {
	context, _ := env("ENVWRAP_CTX")
	_, pid, _ := strings.Cut(context, ":")
	n, err := strconv.Atoi(pid)
	if err != nil || n <= 0 {
		return 0
	}
	return n
}
