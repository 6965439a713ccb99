package runcmd

import (
	"os"
	"os/signal"
	"slices"

	"github.com/envwrap/envwrap/internal/app/cli"
)

// watchSignals takes over the signals that a run hands on, from now to the end
// of the process, unless the world has others. Those that ask a process to end are
// taken when ready is closed, the others soon after: each costs the runtime two switches of threads,
// which pass while the command is prepared and starts. A signal that was ignored
// when envwrap began (nohup) stays ignored.
func watchSignals(w *cli.World) (signals chan os.Signal, ready <-chan struct{}) {
	if w.Signals != nil {
		return w.Signals()
	}
	c, done := make(chan os.Signal, 16), make(chan struct{})
	go func() {
		notify(c, endingSignals())
		close(done)
		notify(c, otherSignals())
	}()
	return c, done
}

// notify is signal.Notify, which takes no signal for all of them.
func notify(c chan<- os.Signal, wanted []os.Signal) {
	if wanted = slices.DeleteFunc(wanted, signal.Ignored); len(wanted) > 0 {
		signal.Notify(c, wanted...)
	}
}
