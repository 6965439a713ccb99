package wrap

import (
	"os"
	"syscall"
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/wrap/internal/console"
)

// ending returns how the child ended. An exit status that it has because we killed it,
// or because it did not handle an event of ours, is replaced by a signal with the name
// that it has on other systems.
func (r *run) ending(state *os.ProcessState) exitState {
	switch {
	case r.tree.Killed():
		return exitState{signal: int(syscall.SIGKILL), name: "SIGKILL"}
	case r.stopped.cause != stopNone && console.EndedByControl(uint32(state.ExitCode())):
		return exitState{signal: int(syscall.SIGTERM), name: "SIGTERM"}
	}
	return exitState{code: state.ExitCode()}
}

func usageOf(state *os.ProcessState) *envelope.Usage {
	return &envelope.Usage{
		UserMS: int64(state.UserTime() / time.Millisecond),
		SysMS:  int64(state.SystemTime() / time.Millisecond),
	}
}
