package wrap

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"syscall"

	"github.com/envwrap/envwrap/internal/platform/launch"
	"github.com/envwrap/envwrap/internal/platform/safefs"
	"github.com/envwrap/envwrap/internal/shared/hints"
	"github.com/envwrap/envwrap/wrap/internal/program"
	"github.com/envwrap/envwrap/wrap/internal/spawn"
)

// start starts the child. It has no side effect if it fails.
func (r *run) start() *startFailure {
	c := r.c
	if f := c.checkArguments(); f != nil {
		return f
	}
	file, f := c.find(c.Argv[0])
	if f != nil {
		if f.missing != "" {
			f.hint, f.suggestions = hints.Missing(f.missing, c.searchedPlace())
		}
		return f
	}
	if file.Relative {
		r.warn(fmt.Sprintf("%s was found through a relative PATH element, as %s", c.Argv[0], file.Path))
	}
	limited := c.Timeout != 0 || c.IdleTimeout != 0 || c.OnOverflow == OverflowKill
	wait, err := spawn.Reserve(limited)
	if err != nil {
		return exhausted(c.Argv[0], err)
	}
	defer wait()
	launch.Reach(program.In(c.Dir, file.Path))
	if c.BeforeStart != nil {
		c.BeforeStart()
	}
	argv, env := r.probe.prepare(c.Argv, c.childEnvironment())
	err = r.launch(file.Path, argv, env)
	if err == nil {
		return nil
	}
	return r.startFailure(file.Path, env, err)
}

// checkArguments refuses arguments that no system call can carry, and a bad directory,
// which the system would report as a missing program.
func (c *Command) checkArguments() *startFailure {
	for i, arg := range c.Argv {
		if strings.IndexByte(arg, 0) >= 0 {
			return badArgument(fmt.Sprintf("argument %d holds a NUL byte", i),
				"No argument of a program can hold a NUL byte; pass the bytes on stdin or in a file.")
		}
	}
	for _, pair := range c.Env {
		if strings.IndexByte(pair, 0) >= 0 {
			name, _, _ := strings.Cut(pair, "=")
			return badArgument(fmt.Sprintf("environment variable %q holds a NUL byte", name),
				"Take the NUL byte out of --env.")
		}
	}
	if c.Dir == "" {
		return nil
	}
	info, err := os.Stat(c.Dir)
	if err == nil && info.IsDir() {
		return nil
	}
	why := "is not a directory"
	if err != nil {
		why = safefs.Cause(err).Error()
	}
	return badArgument(fmt.Sprintf("cannot run in directory %q: %s", c.Dir, why),
		"Give --cwd a directory that exists.")
}

// launch starts path with argv, and tries again if the system asks for that.
func (r *run) launch(path string, argv, env []string) error {
	return spawn.Retry(func() error { return r.startChild(path, argv, env) })
}

// startChild starts a process in a goroutine that then waits for it: the thread
// that starts a process has to live as long as the process does, since the
// kernel takes its end for the parent's (PR_SET_PDEATHSIG).
func (r *run) startChild(path string, argv, env []string) error {
	started := make(chan error)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		proc, err := spawn.Start(path, argv, r.attributes(env))
		if err == nil {
			r.tree.Gather(proc)
			if r.c.Started != nil {
				r.c.Started(proc.Pid)
			}
		}
		started <- err
		if err != nil {
			return
		}
		state, err := proc.Wait()
		if err != nil {
			state = nil
		}
		r.exited <- state
	}()
	return <-started
}

func (r *run) attributes(env []string) *os.ProcAttr {
	return &os.ProcAttr{
		Dir:   r.c.Dir,
		Env:   env,
		Files: []*os.File{r.stdin, r.stdout.child, r.stderr.child},
		Sys:   r.systemAttributes(),
	}
}

// systemAttributes returns the child's attributes for the system. Below a client it gets no signal when this
// process ends: it may outlive a run that was canceled.
func (r *run) systemAttributes() *syscall.SysProcAttr {
	if r.c.Below {
		return nil
	}
	return spawn.Attributes(r.tree.OwnGroup)
}

// childEnvironment keeps PWD in step with the directory, as a shell's cd does.
func (c *Command) childEnvironment() []string {
	if c.Dir == "" || c.PWD {
		return c.Env
	}
	kept := make([]string, 0, len(c.Env)+1)
	for _, pair := range c.Env {
		if !strings.HasPrefix(pair, "PWD=") {
			kept = append(kept, pair)
		}
	}
	return append(kept, "PWD="+c.Dir)
}

// startFailure examines a file that was found and did not start.
func (r *run) startFailure(path string, env []string, err error) *startFailure {
	h := launch.ReadHeader(program.In(r.c.Dir, path))
	switch spawn.FailureOf(err) {
	case spawn.Missing:
		return missingInterpreter(path, h)
	case spawn.NoFormat:
		if h.Binary {
			return refused(path+": wrong binary format",
				"The program was built for another system or processor; get a build for this one.")
		}
		// execvp(3): a text file without #! is a shell script.
		if err := r.launch("/bin/sh", append([]string{"/bin/sh", path}, r.c.Argv[1:]...), env); err != nil {
			return refused("/bin/sh: "+safefs.Cause(err).Error(), "The script has no #! line and the system shell did not start.")
		}
		return nil
	case spawn.TooLong:
		return refused(r.c.Argv[0]+": argument list too long ("+argumentSize(r.c.Argv, r.c.Env)+")",
			"Pass fewer arguments: use xargs, a file of arguments (@file), or stdin.")
	case spawn.Exhausted:
		return exhausted(r.c.Argv[0], err)
	}
	return unusable(path, err)
}

// argumentSize returns the size of the arguments and the environment, in words.
func argumentSize(argv, env []string) string {
	total := 0
	for _, s := range argv {
		total += len(s) + 1
	}
	environment := 0
	for _, s := range env {
		environment += len(s) + 1
	}
	return fmt.Sprintf("%d arguments, %d bytes, and %d bytes of environment", len(argv), total, environment)
}
