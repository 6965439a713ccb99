package wrap

import (
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/windows"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/wrap/internal/console"
	"github.com/envwrap/envwrap/wrap/internal/program"
)

// A family takes the place of the child's process group.
type family struct {
	job    console.Job
	killed bool // by us
}

// gather is called once, when the child has started.
func (r *run) gather() { r.family.job = console.NewJob(r.proc.Pid) }

func (r *run) ungather() { r.family.job.Close() }

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
	case console.Present():
		return windows.GenerateConsoleCtrlEvent(windows.CTRL_BREAK_EVENT, uint32(r.proc.Pid)) == nil
	}
	return console.Interrupt(r.proc.Pid)
}

func (r *run) kill() []holder {
	r.family.killed = true
	r.family.job.Terminate(statusTimeout)
	_ = r.proc.Kill()
	return nil
}

// forward handles an event that asks us to end. In a person's console the child has got
// the same event.
func (r *run) forward(os.Signal) { r.terminate() }

// ending returns how the child ended. An exit status that it has because we killed it,
// or because it did not handle an event of ours, is replaced by a signal with the name
// that it has on other systems.
func (r *run) ending(state *os.ProcessState) end {
	switch {
	case r.family.killed:
		return end{signal: int(syscall.SIGKILL), name: "SIGKILL"}
	case r.stopped.cause != stopNone && console.EndedByControl(uint32(state.ExitCode())):
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
func (r *run) alive() bool { return len(r.family.job.Members()) > 0 }

// leftovers names the processes that outlived the child.
func (r *run) leftovers() []envelope.Leftover {
	var left []envelope.Leftover
	for _, pid := range r.family.job.Members() {
		name := console.ProgramOf(pid)
		if name != "" {
			name = program.Name(name)
		}
		left = append(left, envelope.Leftover{PID: pid, Name: name})
	}
	return left
}

func (r *run) wake() {}

// terminateStrays has nothing to do: forward reaches the whole job object.
func (r *run) terminateStrays() {}
