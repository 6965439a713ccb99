//go:build unix

package wrap

import (
	"os"
	"runtime"
	"syscall"
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/wrap/internal/signals"
)

// ending reads how the child ended.
func (r *run) ending(state *os.ProcessState) exitState {
	status, ok := state.Sys().(syscall.WaitStatus)
	if !ok || !status.Signaled() {
		return exitState{code: state.ExitCode()}
	}
	return exitState{signal: int(status.Signal()), name: signals.Name(status.Signal())}
}

// usageOf returns the processor time and memory of the child, and of the children that it
// waited for.
func usageOf(state *os.ProcessState) *envelope.Usage {
	rusage, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return nil
	}
	unit := int64(1 << 10) // of ru_maxrss in bytes (getrusage(2))
	if runtime.GOOS == "darwin" {
		unit = 1
	}
	return &envelope.Usage{
		UserMS:      int64(state.UserTime() / time.Millisecond),
		SysMS:       int64(state.SystemTime() / time.Millisecond),
		MaxRSSBytes: int64(rusage.Maxrss) * unit,
	}
}
