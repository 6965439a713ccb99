package runcmd

import (
	"os"
	"os/signal"
	"slices"
	"sync/atomic"
	"time"

	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/wrap"
)

// watchSignals takes over signals of this process from now to its end, unless env
// has its own. Those that ask a process to end are taken when ready is closed, the others soon after: each costs the runtime two switches of threads,
// which pass while the command is prepared and starts. A signal that was ignored
// when envwrap began (nohup) stays ignored.
//
// As long as the gate is open, a signal that asks envwrap to end closes it, and end is
// called, which answers for the run and ends the process; no signal is looked at before
// hold is closed, unless that is nil. A nil gate never is open.
func watchSignals(env *cli.Env, gate *startGate, hold <-chan struct{}, end func(os.Signal), others []os.Signal) (signals chan os.Signal, ready <-chan struct{}) {
	if env.Signals != nil {
		return env.Signals()
	}
	incoming, taken := make(chan os.Signal, 16), make(chan struct{})
	signals = make(chan os.Signal, cap(incoming))
	go func() {
		notify(incoming, endingSignals())
		close(taken)
		notify(incoming, others)
		if hold != nil {
			<-hold
		}
		look := time.NewTicker(pendingEvery)
		for {
			select {
			case sig := <-incoming:
				if wrap.Cancels(sig) && gate.close() {
					end(sig)
				}
				select {
				case signals <- sig:
				default: // as package signal does
				}
			case <-look.C:
				if gate.passed() {
					look.Stop()
				} else {
					takePending()
				}
			}
		}
	}()
	return signals, taken
}

// pendingEvery is how often a run that has not passed its gate looks for signals that no
// thread takes.
const pendingEvery = 100 * time.Millisecond

// notify is signal.Notify, which takes no signal for all of them.
func notify(c chan<- os.Signal, wanted []os.Signal) {
	if wanted = slices.DeleteFunc(wanted, signal.Ignored); len(wanted) > 0 {
		signal.Notify(c, wanted...)
	}
}

// A startGate is passed by a run once: before it starts its command, or writes the answer
// of one that it does not start. A signal that comes before closes the gate, and envwrap
// ends without either, whatever the run is doing. It is safe for concurrent use.
type startGate struct {
	state  atomic.Int32
	ready  <-chan struct{} // closed when the signals that ask envwrap to end are taken
	undoes atomic.Bool     // the run takes something back if it finds the gate closed
	closed chan struct{}   // closed when the gate is
	parked chan struct{}   // closed when the run has found the gate closed, and is done
}

// States of a gate.
const (
	gateOpen int32 = iota
	gatePassed
	gateClosed
)

// tryPass passes the gate and reports true, also when called again; it reports false if
// the gate was closed.
func (g *startGate) tryPass() bool {
	return g == nil || g.state.CompareAndSwap(gateOpen, gatePassed) || g.state.Load() == gatePassed
}

// passed reports whether the gate was passed. A nil gate always was.
func (g *startGate) passed() bool { return g == nil || g.state.Load() == gatePassed }

// pass passes the gate. If it was closed pass does not return: the process is about to
// end.
func (g *startGate) pass() {
	if !g.tryPass() {
		g.park()
	}
}

// stay returns if the gate was not closed, and like pass does not if it was.
func (g *startGate) stay() {
	if g != nil && g.state.Load() == gateClosed {
		g.park()
	}
}

// park waits for the end of the process.
func (g *startGate) park() {
	close(g.parked)
	select {}
}

// passToStart passes the gate as soon as signals can close it no more, and reach the
// run instead.
func (g *startGate) passToStart() {
	if g != nil {
		<-g.ready
		g.pass()
	}
}

// mayUndo announces that the run begins something which it takes back, before it calls
// pass, if the gate is closed: the process then waits a moment for that.
func (g *startGate) mayUndo() {
	if g != nil {
		g.undoes.Store(true)
	}
}

// close closes the gate, and reports whether it was open.
func (g *startGate) close() bool {
	if g == nil || !g.state.CompareAndSwap(gateOpen, gateClosed) {
		return false
	}
	close(g.closed)
	return true
}

// closing is closed when the gate is; nil for no gate.
func (g *startGate) closing() <-chan struct{} {
	if g == nil {
		return nil
	}
	return g.closed
}
