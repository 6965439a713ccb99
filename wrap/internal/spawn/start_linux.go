package spawn

import (
	"os"
	"runtime"
	"syscall"

	"github.com/envwrap/envwrap/internal/platform/launch"
)

// Start is os.StartProcess without a pidfd. To find out whether the kernel has
// those, package os starts and reaps a process, which takes 0.1 ms of every run. Signals
// by process id are as safe, since os.Process sends none after it has reaped the
// process. attr.Env must be given.
func Start(path string, argv []string, attr *os.ProcAttr) (*os.Process, error) {
	files := make([]uintptr, len(attr.Files))
	for i, f := range attr.Files {
		files[i] = f.Fd()
	}
	var pid int
	err := launch.Uncollected(func() (err error) {
		pid, _, err = syscall.StartProcess(path, argv, &syscall.ProcAttr{
			Dir:   attr.Dir,
			Env:   attr.Env,
			Files: files,
			Sys:   attr.Sys,
		})
		return err
	})
	runtime.KeepAlive(attr) // its files stay open until the child has them
	if err != nil {
		return nil, &os.PathError{Op: "fork/exec", Path: path, Err: err}
	}
	return &os.Process{Pid: pid}, nil
}

// Attributes says that the process leads a group of its own, or is of ours. The kernel
// sends it SIGTERM if this process ends before it, as by SIGKILL (PR_SET_PDEATHSIG,
// prctl(2)).
func Attributes(ownGroup bool) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: ownGroup, Pdeathsig: syscall.SIGTERM}
}
