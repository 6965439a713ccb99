package wrap

import (
	"context"
	"fmt"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/envwrap/envwrap/internal/proc"
)

// reapEvery is how often orphans that ended are collected.
const reapEvery = time.Second

// watch reads the child's output and waits for its end, keeping the limits.
func (r *run) watch(ctx context.Context) {
	r.startPumps()
	w := watcher{run: r, clock: newClock(r)}
	defer w.stopTimers()
	r.maskArgv()
	if state := w.wait(ctx); state != nil {
		r.end = r.ending(state)
		r.usage = usage(state)
	} else {
		r.end = end{lost: true}
	}
	r.sweep(w.killAt, sweepMost, sweepAll)
	r.drain(w.killAt)
	r.left = r.leftovers()
	r.late()
}

func (r *run) startPumps() {
	var pumps sync.WaitGroup
	for _, s := range []*stream{r.stdout, r.stderr} {
		if s.read != nil {
			pumps.Go(s.pump)
		}
	}
	go func() {
		pumps.Wait()
		close(r.pumped)
	}()
}

// A watcher waits for one child.
type watcher struct {
	run    *run
	clock  *clock
	ticker *time.Ticker
	killer *time.Timer
	killAt time.Time // when SIGKILL follows; zero before anybody asked to stop
}

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
	reporter := w.run.newReporter()
	defer reporter.stop()
	first, progress := reporter.channels()
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
			w.run.kill()
		case <-first:
			first = nil
			reporter.report()
		case <-progress:
			reporter.report()
		case <-orphans:
			w.run.reap()
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

// stop asks the child to end, and sets when SIGKILL follows.
func (w *watcher) stop(s stop) {
	w.note(s)
	w.run.terminate()
}

// note records the first reason for a stop, and sets when SIGKILL follows.
func (w *watcher) note(s stop) {
	if w.run.stopped.cause == stopNone {
		w.run.stopped = s
	}
	if w.killer == nil {
		w.killAt = time.Now().Add(w.run.c.killAfter())
		w.killer = time.NewTimer(w.run.c.killAfter())
	}
}

// onSignal: the first INT, TERM or HUP lets the child end by itself, the
// second kills it.
func (w *watcher) onSignal(sig os.Signal) {
	switch reaction(sig) {
	case signalCancels:
		if w.run.stopped.cause == stopCanceled {
			w.run.kill()
			return
		}
		w.note(stop{cause: stopCanceled, signal: sig})
		w.run.forward(sig)
		w.run.wake()
	case signalStops:
		w.run.forward(sig)
		stopSelf()
	case signalContinues:
		w.clock.continued()
		w.run.forward(sig)
	default:
		w.run.forward(sig)
	}
}

func (w *watcher) onTick() {
	if expired := w.clock.expired(); expired != stopNone {
		w.ticker.Stop()
		w.run.waitedForStdin = w.run.waitsForStdin()
		w.stop(stop{cause: expired})
	}
}

// sweepMost is how long a process is waited for that SIGKILL does not end: one that
// waits for a device may take longer, and nothing can be done about it. sweepAll is how
// long is waited for killed processes that only need a processor to end, and how long
// processes are killed that others start meanwhile.
const (
	sweepMost = 3 * time.Second
	sweepAll  = 30 * time.Second
)

// How often the sweep looks: from sweepPoll, after each process that it had not seen
// before, to sweepSlow. To look takes the processor from those that are to end.
const (
	sweepPoll = 5 * time.Millisecond
	sweepSlow = 80 * time.Millisecond
)

// killedNames is the most names of killed processes that a warning has.
const killedNames = 5

// sweep ends what is left of the run after envwrap stopped it: a process that
// ignores SIGTERM has until killAt. most and all are sweepMost and sweepAll.
func (r *run) sweep(killAt time.Time, most, all time.Duration) {
	if r.stopped.cause == stopNone {
		return
	}
	if runtime.GOOS == "linux" && !proc.Visible() {
		r.warn("/proc does not show this process: only the command's process group was ended, and what left it was not looked for")
	}
	if !r.alive() {
		return
	}
	poll := time.NewTicker(sweepPoll)
	defer poll.Stop()
	for r.alive() && time.Now().Before(killAt) {
		select {
		case <-poll.C:
		case sig := <-r.c.Signals:
			if reaction(sig) == signalCancels {
				killAt = time.Time{}
			}
		}
	}
	killed, pause := map[int]string{}, sweepPoll
	now := time.Now() // of the last kill: each end of the loop follows one
	for giveUp, end := now.Add(most), now.Add(all); now.Before(giveUp) && now.Before(end) && r.alive(); <-poll.C {
		before := len(killed)
		strays := r.kill()
		for _, p := range strays {
			killed[p.pid] = p.name
		}
		pause = min(2*pause, sweepSlow)
		if len(killed) > before {
			pause = sweepPoll
		}
		poll.Reset(pause)
		if now = time.Now(); len(killed) > before || r.dying(strays) {
			giveUp = now.Add(most)
		}
	}
	r.warnKilled(killed)
}

// warnKilled adds a warning with the processes that had to be killed after the command
// itself had ended.
func (r *run) warnKilled(killed map[int]string) {
	if len(killed) == 0 {
		return
	}
	names := slices.Compact(slices.Sorted(maps.Values(killed)))
	more := ""
	if len(names) > killedNames {
		names, more = names[:killedNames], ", ..."
	}
	r.warn(fmt.Sprintf("killed after the command had ended: %d of its processes (%s%s)", len(killed), strings.Join(names, ", "), more))
}
