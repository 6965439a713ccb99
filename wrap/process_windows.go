package wrap

import (
	"errors"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/windows"

	"github.com/envwrap/envwrap/envelope"
)

// Kinds of errors from starting a process.
type startError int

const (
	startOther startError = iota
	startMissing
	startNoFormat
	startTooLong
	startExhausted
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

func sysProcAttr(ownGroup bool) *syscall.SysProcAttr {
	attr := &syscall.SysProcAttr{}
	if ownGroup {
		attr.CreationFlags = syscall.CREATE_NEW_PROCESS_GROUP
	}
	return attr
}

// A family is what stands for the child's process group.
type family struct{ job job }

// gather is called once, when the child has started.
func (r *run) gather() { r.family.job = newJob(r.proc.Pid) }

func (r *run) ungather() { r.family.job.close() }

// terminate asks the child to end as Ctrl-Break does. A program without a
// console, or one that does not listen, ends when it is killed.
func (r *run) terminate() { r.interrupt() }

// interrupt sends Ctrl-Break to the child's group: a new group does not get
// Ctrl-C (GenerateConsoleCtrlEvent).
func (r *run) interrupt() {
	if r.ownGroup() {
		_ = windows.GenerateConsoleCtrlEvent(windows.CTRL_BREAK_EVENT, uint32(r.proc.Pid))
	}
}

func (r *run) kill() []holder {
	r.family.job.terminate()
	_ = r.proc.Kill()
	return nil
}

// forward hands on what asked us to end. In a console of a person's the child
// has got the same event.
func (r *run) forward(os.Signal) { r.interrupt() }

// reaction: the runtime reports Ctrl-C as os.Interrupt and the closing of the
// console as SIGTERM.
func reaction(os.Signal) signalMeaning { return signalCancels }

func stopSelf() {}

func signalNumber(sig os.Signal) int {
	if n, ok := sig.(syscall.Signal); ok {
		return int(n)
	}
	return 0
}

func ending(state *os.ProcessState) end { return end{code: state.ExitCode()} }

func usage(state *os.ProcessState) *envelope.Usage {
	return &envelope.Usage{
		UserMS: int64(state.UserTime() / time.Millisecond),
		SysMS:  int64(state.SystemTime() / time.Millisecond),
	}
}

// BecomeSubreaper is for Linux only.
func BecomeSubreaper() bool { return false }

func (r *run) reap() bool { return false }

// alive reports whether anything that the child started is left.
func (r *run) alive() bool { return len(r.family.job.members()) > 0 }

// leftovers names what the child left behind.
func (r *run) leftovers() []envelope.Leftover {
	var left []envelope.Leftover
	for _, pid := range r.family.job.members() {
		left = append(left, envelope.Leftover{PID: pid, Name: nameOfProcess(pid)})
	}
	return left
}

func holders([]*os.File) []holder { return nil }

func (r *run) wake() {}

func nameOf(sig os.Signal) string {
	if sig == os.Interrupt {
		return "SIGINT"
	}
	return "SIGTERM"
}
