package proctree

import (
	"os"

	"golang.org/x/sys/windows"

	"github.com/envwrap/envwrap/wrap/internal/console"
	"github.com/envwrap/envwrap/wrap/internal/program"
)

// A Tree is the set of one run's processes, which are in a job object. It is not safe for
// concurrent use.
type Tree struct {
	Config
	child  *os.Process
	job    console.Job
	killed bool // by us
}

// Gather is called once, when the child has started.
func (t *Tree) Gather(child *os.Process) {
	t.child, t.job = child, console.NewJob(child.Pid)
}

// Release closes the job.
func (t *Tree) Release() { t.job.Close() }

// Terminate asks the child and all on its console to end. If it cannot be asked it is
// killed, since waiting would not help.
func (t *Tree) Terminate() {
	if !t.interrupt() {
		t.Kill()
	}
}

// interrupt sends Ctrl-Break to the child's group in our console, which as a new
// group does not get Ctrl-C, or Ctrl-C to all on the child's own console. It
// reports whether it was sent.
func (t *Tree) interrupt() bool {
	switch {
	case !t.OwnGroup:
		return true // the person at the console has seen to it
	case console.Present():
		return windows.GenerateConsoleCtrlEvent(windows.CTRL_BREAK_EVENT, uint32(t.child.Pid)) == nil
	}
	return console.Interrupt(t.child.Pid)
}

// statusKilled is the exit status of processes that were killed; [Tree.Killed] says
// that it is not their own.
const statusKilled = 124

// Killed reports whether Kill was called.
func (t *Tree) Killed() bool { return t.killed }

// Kill ends the child and all of its job. It names none of them.
func (t *Tree) Kill() []Process {
	t.killed = true
	t.job.Terminate(statusKilled)
	_ = t.child.Kill()
	return nil
}

// Forward handles an event that asks us to end. In a person's console the child has got
// the same event.
func (t *Tree) Forward(os.Signal) { t.Terminate() }

// Alive reports whether anything that the child started is left.
func (t *Tree) Alive() bool { return len(t.job.Members()) > 0 }

// outlived reports whether the job has a process.
func (t *Tree) outlived() bool { return t.Alive() }

// leftovers returns the processes of the job.
func (t *Tree) leftovers() []Process {
	var left []Process
	for _, pid := range t.job.Members() {
		name := console.ProgramOf(pid)
		if name != "" {
			name = program.Name(name)
		}
		left = append(left, Process{PID: pid, Name: name})
	}
	return left
}

// Wake does nothing: no process is stopped here.
func (t *Tree) Wake() {}

// TerminateStrays has nothing to do: Forward reaches the whole job object.
func (t *Tree) TerminateStrays() {}
