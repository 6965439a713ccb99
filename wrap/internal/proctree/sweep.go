package proctree

import (
	"os"
	"time"

	"github.com/envwrap/envwrap/wrap/internal/signals"
)

// The longest times of a sweep.
const (
	// SweepMost is how long to wait for a process that SIGKILL does not end because it
	// waits for a device. It may take longer, and nothing can be done about it.
	SweepMost = 3 * time.Second

	// SweepAll is how long to wait for killed processes that only need a processor to
	// end, and how long to kill processes that others start meanwhile.
	SweepAll = 30 * time.Second
)

// How often a sweep looks for processes: from sweepPoll, after each one that it had not
// seen before, to sweepSlow. Looking takes processor time from those that are to end.
const (
	sweepPoll = 5 * time.Millisecond
	sweepSlow = 80 * time.Millisecond
)

// Sweep ends the processes that are left after the child was stopped, and returns the
// names of those that it killed, by their ids. A process that ignores SIGTERM has until
// killAt, or until a signal that cancels comes. most and all are SweepMost and SweepAll.
func (t *Tree) Sweep(killAt time.Time, sigs <-chan os.Signal, most, all time.Duration) map[int]string {
	poll := time.NewTicker(sweepPoll)
	defer poll.Stop()
	for t.Alive() && time.Now().Before(killAt) {
		select {
		case <-poll.C:
		case sig := <-sigs:
			if signals.MeaningOf(sig) == signals.Cancels {
				killAt = time.Time{}
			}
		}
	}
	killed, pause := map[int]string{}, sweepPoll
	now := time.Now() // of the last kill: each end of the loop follows one
	for giveUp, end := now.Add(most), now.Add(all); now.Before(giveUp) && now.Before(end) && t.Alive(); <-poll.C {
		before := len(killed)
		strays := t.Kill()
		for _, p := range strays {
			killed[p.PID] = p.Name
		}
		pause = min(2*pause, sweepSlow)
		if len(killed) > before {
			pause = sweepPoll
		}
		poll.Reset(pause)
		if now = time.Now(); len(killed) > before || t.dying(strays) {
			giveUp = now.Add(most)
		}
	}
	return killed
}

// leftoverPoll is how often Leftovers looks whether all of them have ended.
const leftoverPoll = 5 * time.Millisecond

// Leftovers returns processes that outlived the child, 20 at the most. It waits until a
// time for them to end by themselves, since many have only not come to their end yet, such
// as the last stage of a pipeline that nobody waits for. If there are none it does not
// wait.
func (t *Tree) Leftovers(until time.Time) []Process {
	if len(t.leftovers()) == 0 {
		return nil
	}
	poll := time.NewTicker(leftoverPoll)
	defer poll.Stop()
	for time.Now().Before(until) {
		<-poll.C
		if !t.outlived() {
			return nil
		}
	}
	return t.leftovers()
}
