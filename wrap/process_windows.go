package wrap

import (
	"errors"
	"os"
	"syscall"
	"time"

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

// terminate ends the child at once: Windows has no signal that asks.
func (r *run) terminate() { _ = r.proc.Kill() }

func (r *run) kill() { _ = r.proc.Kill() }

func (r *run) forward(os.Signal) {}

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

func (r *run) alive() bool { return false }

func (r *run) leftovers() []envelope.Leftover { return nil }

func holders([]*os.File) []holder { return nil }

func (r *run) wake() {}

func nameOf(sig os.Signal) string {
	if sig == os.Interrupt {
		return "SIGINT"
	}
	return "SIGTERM"
}
