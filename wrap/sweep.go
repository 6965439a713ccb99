package wrap

import (
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/envwrap/envwrap/internal/proc"
	"github.com/envwrap/envwrap/wrap/internal/signals"
)

// The longest times of a sweep.
const (
	// sweepMost is how long to wait for a process that SIGKILL does not end because it
	// waits for a device. It may take longer, and nothing can be done about it.
	sweepMost = 3 * time.Second

	// sweepAll is how long to wait for killed processes that only need a processor to
	// end, and how long to kill processes that others start meanwhile.
	sweepAll = 30 * time.Second
)

// How often a sweep looks for processes: from sweepPoll, after each one that it had not
// seen before, to sweepSlow. Looking takes processor time from those that are to end.
const (
	sweepPoll = 5 * time.Millisecond
	sweepSlow = 80 * time.Millisecond
)

// killedNames is the most names of killed processes that a warning has.
const killedNames = 5

// sweep ends the processes of the run that are left after envwrap stopped it. A process
// that ignores SIGTERM has until killAt. most and all are sweepMost and sweepAll.
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
	if r.stopped.signal != nil {
		r.terminateStrays()
	}
	poll := time.NewTicker(sweepPoll)
	defer poll.Stop()
	for r.alive() && time.Now().Before(killAt) {
		select {
		case <-poll.C:
		case sig := <-r.c.Signals:
			if signals.MeaningOf(sig) == signals.Cancels {
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
