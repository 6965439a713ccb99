package runcmd

import (
	"context"
	"os"
	"strings"
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/remoteconfig"
	"github.com/envwrap/envwrap/wrap"
)

// readAnywhere returns the command that shows an artifact on machines that have to fetch
// it first, by all of its digits.
func (r *Runner) readAnywhere(digest string) string {
	return strings.Replace(r.ReadCommand(r.O.Store)(digest), envelope.ShortDigest(digest), digest, 1)
}

// A run waits runAnswer for a remote's first answer, and runPatience where it has answered
// and stops to.
const (
	runAnswer   = 900 * time.Millisecond
	runPatience = 15 * time.Second
)

// pushing returns the companion of a run, which has less patience than a person.
func (r *Runner) pushing() *remoteconfig.Companion {
	c := r.CompanionFor(&r.O.remote)
	c.Settings.Patience, c.Settings.Answer = runPatience, runAnswer
	if dirs := r.StoreDirs(r.O.Store); len(dirs) > 0 {
		c.Absence = &remoteconfig.Absence{Dir: dirs[0], Now: r.Now}
	}
	c.Context = func() (context.Context, func()) { return r.untilSignal(context.Background()) }
	return c
}

// untilSignal returns a context that a signal which asks envwrap to end ends. The
// signal is left for what follows: a command that is about to start ends at once. The
// caller calls release.
func (r *Runner) untilSignal(ctx context.Context) (_ context.Context, release func()) {
	signals := r.cmd.Signals
	if signals == nil {
		signals = r.signals
	}
	ctx, cancel := context.WithCancelCause(ctx)
	go func() {
		for {
			select {
			case <-ctx.Done():
				return
			case <-r.gate.closing():
				cancel(errSignal)
				return
			case sig := <-signals:
				if wrap.Cancels(sig) {
					select {
					case r.signals <- sig: // before anything goes on
					default:
						raise(sig)
					}
					cancel(errSignal)
					return
				}
			}
		}
	}()
	return ctx, func() { cancel(nil) }
}

// raise sends a signal to this process once more.
func raise(sig os.Signal) {
	if p, err := os.FindProcess(os.Getpid()); err == nil {
		_ = p.Signal(sig)
	}
}
