package wrap

import (
	"context"
	"os"
	"time"

	"github.com/envwrap/envwrap/wrap/internal/signals"
)

// reapEvery is how often orphans that ended are collected.
const reapEvery = time.Second

// watch reads the child's output and waits for its end, keeping the limits.
func (r *run) watch(ctx context.Context) {
	r.pump()
	defer r.keepAfter()()
	w := watcher{run: r, clock: newClock(r), reporter: r.newReporter()}
	defer w.stopTimers()
	defer w.reporter.stop()
	r.mask.commandLine(r.c.Argv)
	if r.c.Meanwhile != nil {
		r.c.Meanwhile()
	}
	state := w.wait(ctx)
	settled := time.Now().Add(leftoverGrace)
	if r.letGo = w.letGo; r.canceledBelow() {
		settled = time.Now()
	}
	if state != nil {
		r.end = r.ending(state)
		r.usage = usageOf(state)
	} else {
		r.end = exitState{lost: true}
	}
	r.sweep(w.killAt)
	r.drain(w.killAt)
	w.reporter.reportLate()
	r.nameLeftovers(r.tree.Leftovers(settled))
	r.takeLateSignals()
}

// A watcher waits for one child.
type watcher struct {
	run      *run
	clock    *clock
	reporter *reporter // nil if nobody asked for progress
	ticker   *time.Ticker
	killer   *time.Timer
	killAt   time.Time // when SIGKILL follows; zero before anybody asked to stop
	letGo    bool      // the run is over although the child may still run
}

// letGoAfter is how long a run below a client goes on after SIGTERM, so that the answer has
// what the child prints then. Clients kill a command .2 s after SIGTERM, or later.
const letGoAfter = 90 * time.Millisecond

// wait returns when the child has ended.
func (w *watcher) wait(ctx context.Context) *os.ProcessState {
	var ticks, kills <-chan time.Time
	if w.clock.every > 0 {
		w.ticker = time.NewTicker(w.clock.every)
		ticks = w.ticker.C
	}
	var orphans <-chan time.Time
	if w.run.c.Subreaper {
		reaper := time.NewTicker(reapEvery)
		defer reaper.Stop()
		orphans = reaper.C
	}
	done := ctx.Done()
	overflow := w.run.stdout.capture.overflowed
	first, progress := w.reporter.channels()
	for {
		if w.killer != nil {
			kills = w.killer.C
		}
		select {
		case state := <-w.run.exited:
			return state
		case sig := <-w.run.c.Signals:
			w.onSignal(sig)
		case <-ticks:
			w.onTick()
		case <-overflow:
			overflow = nil
			w.stop(stop{cause: stopOverflow})
		case <-done:
			done = nil
			w.stop(stop{cause: stopCanceled})
		case <-kills:
			if w.run.canceledBelow() {
				w.letGo = true
				return nil
			}
			w.run.tree.Kill()
		case <-first:
			first = nil
			w.reporter.reportFirst()
		case <-progress:
			w.reporter.report()
		case <-orphans:
			w.run.tree.Reap()
		}
	}
}

func (w *watcher) stopTimers() {
	if w.ticker != nil {
		w.ticker.Stop()
	}
	if w.killer != nil {
		w.killer.Stop()
	}
}

// canceledBelow reports whether the run is below a client, which has asked for its end.
func (r *run) canceledBelow() bool { return r.c.Below && r.stopped.cause == stopCanceled }

// tookSignal reports whether the run is below a client whose signal also came to the child, and the
// child ended by exit nevertheless: its status then is the client's to see.
func (r *run) tookSignal() bool {
	return r.canceledBelow() && !r.letGo && !r.end.lost && r.end.signal == 0
}

// stop asks the child to end, and sets when SIGKILL follows.
func (w *watcher) stop(s stop) {
	w.note(s)
	w.run.tree.Terminate()
}

// note records the first reason for a stop, and sets when SIGKILL follows.
func (w *watcher) note(s stop) {
	if w.run.stopped.cause == stopNone {
		w.run.stopped = s
	}
	if w.killer == nil {
		after := w.run.c.killAfter()
		if w.run.c.Below && s.cause == stopCanceled {
			after = letGoAfter
		}
		w.killAt = time.Now().Add(after)
		w.killer = time.NewTimer(after)
	}
}

// onSignal: the first INT, TERM or HUP lets the child end by itself, the
// second kills it.
func (w *watcher) onSignal(sig os.Signal) {
	switch signals.MeaningOf(sig) {
	case signals.Cancels:
		if w.run.c.Below && sig == os.Interrupt {
			return
		}
		if w.run.stopped.cause == stopCanceled && !w.run.c.Below {
			w.run.tree.Kill()
			return
		}
		w.note(stop{cause: stopCanceled, signal: sig})
		w.forward(sig)
		w.run.tree.Wake()
	case signals.Stops:
		w.forward(sig)
		signals.StopSelf()
	case signals.Continues:
		w.clock.continued()
		w.forward(sig)
	default:
		w.forward(sig)
	}
}

// forward sends a signal on to the child, unless that has got it from whom we have it.
func (w *watcher) forward(sig os.Signal) {
	if !w.run.c.Below {
		w.run.tree.Forward(sig)
	}
}

func (w *watcher) onTick() {
	if expired := w.clock.expired(); expired != stopNone {
		w.ticker.Stop()
		w.run.waitedForStdin = w.run.tree.WaitsForStdin()
		w.stop(stop{cause: expired})
	}
}

// storePatience is how long a run waits for a store before it shows output that the store
// does not have.
const storePatience = time.Second

// keepAfter has the output of a run that takes longer than LiveAfter written to the store
// as it comes, where a kill of this process leaves it, and then calls Lasting. It returns a
// function that ends that.
func (r *run) keepAfter() (end func()) {
	if r.c.LiveAfter <= 0 {
		return func() {}
	}
	done := make(chan struct{})
	timer := time.AfterFunc(r.c.LiveAfter, func() {
		defer close(done)
		if r.c.Kept != nil && r.store.opensWithin(storePatience) {
			for _, o := range r.kept { // first: no stream shows anything before its own part is made
				o.keepFromNow()
			}
			for _, s := range r.both() {
				s.keepFromNow()
			}
		}
		if r.c.Lasting != nil {
			r.c.Lasting()
		}
	})
	return func() {
		if !timer.Stop() {
			<-done
		}
	}
}
