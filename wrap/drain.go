package wrap

import (
	"cmp"
	"fmt"
	"os"
	"strings"
	"syscall"
	"time"

	"github.com/envwrap/envwrap/wrap/internal/proctree"
	"github.com/envwrap/envwrap/wrap/internal/signals"
)

// How long envwrap reads on if other processes keep the pipes open after the child has
// ended: until a tenth of a second without output, two seconds at most.
const (
	drainSlice = 10 * time.Millisecond
	drainQuiet = 100 * time.Millisecond
	drainMost  = 2 * time.Second
)

// drain waits for the end of both streams. It keeps all output, and does not wait for a
// process that holds a pipe and prints nothing. Time in which envwrap's own reader is
// slow does not count, so that nothing is cut because of it, unless the run was stopped:
// then patience is when that time ends.
func (r *run) drain(patience time.Time) {
	slices := time.NewTicker(drainSlice)
	defer slices.Stop()
	s := quietTimer{enough: cmp.Or(r.c.DrainQuiet, drainQuiet), seen: r.activity()}
	var held []proctree.Process
	for cut := false; ; {
		select {
		case <-r.pumped:
			if r.stdout.cut || r.stderr.cut {
				r.held = held
				r.leaveOutput()
			}
			return
		case sig := <-r.c.Signals:
			patience = r.hurry(sig, patience)
			continue
		case <-slices.C:
		}
		switch {
		case r.passing():
			if r.stopped.cause != stopNone && time.Now().After(patience) {
				r.giveUpReaders()
			}
		case !cut && (r.letGo || r.canceledBelow() && time.Now().After(patience)), !cut && s.lasts(r.activity(), forking()):
			cut, held = true, r.cutOff()
		}
	}
}

// leaveOutput gives the pipes that other processes keep open to the heir, or warns that
// nobody reads them any more.
func (r *run) leaveOutput() {
	if r.c.Heir == nil {
		r.warn(heldText(r.c.Argv[0], r.held))
		return
	}
	for _, s := range r.both() {
		if s.cut && s.read != nil {
			r.c.Heir(s.capture.name, s.read)
		}
	}
}

// A quietTimer measures, in slices of time, how long no output has come.
type quietTimer struct {
	quiet, total, enough time.Duration
	seen                 int64
}

// lasts counts one slice and reports whether it is enough. A slice is not quiet if
// something came, or if this process was forking.
func (s *quietTimer) lasts(activity int64, forking bool) bool {
	s.total += drainSlice
	s.quiet += drainSlice
	if activity != s.seen || forking {
		s.seen, s.quiet = activity, 0
	}
	return s.quiet >= s.enough || s.total >= max(drainMost, s.enough)
}

// forking reports whether another run of this process has forked a child that has not
// executed its program yet (Linux): it has a copy of our pipes until then.
func forking() bool {
	if !syscall.ForkLock.TryRLock() {
		return true
	}
	syscall.ForkLock.RUnlock()
	return false
}

// hurry takes a signal that comes after the child has ended, and returns until when to
// wait for envwrap's own reader.
func (r *run) hurry(sig os.Signal, patience time.Time) time.Time {
	switch {
	case !Cancels(sig), r.c.Below && sig == os.Interrupt:
		return patience
	case r.stopped.cause == stopNone:
		r.stopped = stop{cause: stopCanceled, signal: sig}
		return time.Now().Add(r.c.killAfter())
	}
	return time.Time{}
}

// takeLateSignals takes a signal that came while the child was ending: at a terminal the kernel
// sends it to both.
func (r *run) takeLateSignals() {
	for {
		select {
		case sig := <-r.c.Signals:
			r.hurry(sig, time.Time{})
		default:
			return
		}
	}
}

// giveUpReaders stops waiting for those who read the child's output.
func (r *run) giveUpReaders() {
	if r.c.GiveUp != nil && !r.gaveUp {
		r.gaveUp = true
		r.c.GiveUp()
	}
}

func heldText(name string, held []proctree.Process) string {
	text := fmt.Sprintf("%s ended while another process kept its output open; what came later is not here", name)
	if len(held) == 0 {
		return text
	}
	names := make([]string, len(held))
	for i, h := range held {
		names[i] = fmt.Sprintf("%d (%s)", h.PID, h.Name)
	}
	return text + "; held by " + strings.Join(names, ", ")
}

// Cancels reports whether a signal asks a program to end: SIGINT, SIGTERM and SIGHUP
// do.
func Cancels(sig os.Signal) bool { return signals.MeaningOf(sig) == signals.Cancels }
