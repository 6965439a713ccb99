package wrap

import (
	"errors"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/windows"

	"github.com/envwrap/envwrap/envelope"
)

// Error codes of Windows (winerror.h) that package syscall does not name.
const (
	errorBadExeFormat    syscall.Errno = 193
	errorFilenameTooLong syscall.Errno = 206
)

func kindOfStartError(err error) startError {
	switch {
	case errors.Is(err, syscall.ERROR_FILE_NOT_FOUND), errors.Is(err, syscall.ERROR_PATH_NOT_FOUND):
		return startMissing
	case errors.Is(err, errorBadExeFormat):
		return startNoFormat
	case errors.Is(err, errorFilenameTooLong):
		return startTooLong
	}
	return startOther
}

func isTransient(error) bool { return false }

// sysProcAttr: a child in our console gets a group of its own there. Where we have
// no console, a program for one would open a window; it gets a console without.
func sysProcAttr(ownGroup bool) *syscall.SysProcAttr {
	attr := &syscall.SysProcAttr{}
	switch {
	case !ownGroup:
	case hasConsole():
		attr.CreationFlags = windows.CREATE_NEW_PROCESS_GROUP
	default:
		hearCtrlC(true)
		attr.CreationFlags = windows.CREATE_NO_WINDOW
	}
	return attr
}

// A family takes the place of the child's process group.
type family struct {
	job    job
	killed bool // by us
}

// gather is called once, when the child has started.
func (r *run) gather() { r.family.job = newJob(r.proc.Pid) }

func (r *run) ungather() { r.family.job.close() }

// terminate asks the child and all on its console to end. If it cannot be asked it is
// killed, since waiting would not help.
func (r *run) terminate() {
	if !r.interrupt() {
		r.kill()
	}
}

// interrupt sends Ctrl-Break to the child's group in our console, which as a new
// group does not get Ctrl-C, or Ctrl-C to all on the child's own console. It
// reports whether it was sent.
func (r *run) interrupt() bool {
	switch {
	case !r.ownGroup():
		return true // the person at the console has seen to it
	case hasConsole():
		return windows.GenerateConsoleCtrlEvent(windows.CTRL_BREAK_EVENT, uint32(r.proc.Pid)) == nil
	}
	return interruptOwnConsole(r.proc.Pid)
}

func (r *run) kill() []holder {
	r.family.killed = true
	r.family.job.terminate()
	_ = r.proc.Kill()
	return nil
}

// forward handles an event that asks us to end. In a person's console the child has got
// the same event.
func (r *run) forward(os.Signal) { r.terminate() }

// reaction: the runtime reports Ctrl-C as os.Interrupt and the closing of the
// console as SIGTERM.
func reaction(os.Signal) signalMeaning { return signalCancels }

func stopSelf() {}

// ending returns how the child ended. An exit status that it has because we killed it,
// or because it did not handle an event of ours, is replaced by a signal with the name
// that it has on other systems.
func (r *run) ending(state *os.ProcessState) end {
	switch {
	case r.family.killed:
		return end{signal: int(syscall.SIGKILL), name: "SIGKILL"}
	case r.stopped.cause != stopNone && endedByControl(uint32(state.ExitCode())):
		return end{signal: int(syscall.SIGTERM), name: "SIGTERM"}
	}
	return end{code: state.ExitCode()}
}

func usage(state *os.ProcessState) *envelope.Usage {
	return &envelope.Usage{
		UserMS: int64(state.UserTime() / time.Millisecond),
		SysMS:  int64(state.SystemTime() / time.Millisecond),
	}
}

// alive reports whether anything that the child started is left.
func (r *run) alive() bool { return len(r.family.job.members()) > 0 }

// leftovers names the processes that outlived the child.
func (r *run) leftovers() []envelope.Leftover {
	var left []envelope.Leftover
	for _, pid := range r.family.job.members() {
		left = append(left, envelope.Leftover{PID: pid, Name: nameOfProcess(pid)})
	}
	return left
}

func (r *run) wake() {}

func nameOf(sig os.Signal) string {
	if sig == os.Interrupt {
		return "SIGINT"
	}
	return "SIGTERM"
}
