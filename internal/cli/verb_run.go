package cli

import (
	"context"
	"os"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/session"
	"github.com/envwrap/envwrap/job"
	"github.com/envwrap/envwrap/wrap"
)

func runVerb(w *World) *verb {
	o := defaultRunOptions()
	return &verb{
		name:    "run",
		args:    "-- COMMAND [ARG...]",
		takes:   aCommand,
		summary: "run a command and print one envelope (the default verb)",
		text: "Everything behind the first -- is the command, byte for byte. The envelope goes\n" +
			"to stdout, and nothing else does; with -o FILE the command's own output goes there.\n" +
			"Each option has a variable: ENVWRAP_TIMEOUT stands for --timeout.",
		example: "envwrap -- git status\n" +
			"envwrap run --timeout 5m -f helper/v1 -- npm test\n" +
			"envwrap -o result.json --exit-map 23=partial -- rsync -a src/ dst/",
		options: o.table(),
		run: func(ctx context.Context, c *call) error {
			w := *c.World
			w.Stdout, w.Stderr = unbreakable(w.Stdout), unbreakable(w.Stderr)
			return (&runner{World: &w, call: c, o: o}).run(ctx)
		},
	}
}

// A runner is one run on its way from the command line to an envelope.
type runner struct {
	*World
	call *call
	o    *runOptions
	cmd  *wrap.Command // that of the session
	sink *sink

	Session *session.Session // nil before outline

	task string     // id of the run where it is a job; "" is a new one
	jobs *job.Store // where the run becomes a job (--wait); nil where it stays in the foreground

	category string // what delegator/v3.6 calls the answer; "" is that of a run

	bytes bool // stdout gets the command's own bytes, and no envelope (--emit)

	signals <-chan os.Signal // what envwrap is sent; nil where nobody looks
	readers *readership      // of what envwrap writes
}

// run reads the options, runs the command and writes the envelope. Where one
// of the three cannot be done, the envelope says so all the same.
func (r *runner) run(ctx context.Context) error {
	if r.stepsAside() {
		return r.stepAside()
	}
	signals, ready := watchSignals()
	r.signals, r.readers = signals, newReadership()
	if err := r.prepare(); err != nil {
		return r.refuse(err)
	}
	if r.jobs != nil {
		<-ready
		if result := r.rememberedBefore(); result != nil {
			defer r.jobs.Close()
			return r.finish(result)
		}
		if done, err := r.runAsJob(ctx, signals); done {
			return err
		}
		if err := r.complete(); err != nil {
			return r.refuse(err)
		}
	}
	defer r.closeStdin()
	defer r.Session.Close()
	r.warnOff()
	r.cmd.Signals, r.cmd.Abandon = signals, r.readers.abandon
	<-ready
	events := r.attach()
	erase := r.drawLine()
	result, err := r.Session.Run(ctx)
	end := r.heed()
	erase()
	events.close()
	end()
	if err != nil {
		return r.fail(err)
	}
	return r.finish(result)
}

// prepare reads the options and makes the command of them. What every envelope
// needs is made also where an error is returned.
func (r *runner) prepare() error {
	fault := r.read()
	if err := r.outline(); fault == nil {
		fault = err
	}
	if fault != nil {
		return fault
	}
	if r.waits() {
		return nil
	}
	return r.complete()
}

// read sets all options that can be set and returns the first fault: the rest
// of a faulty line still says in which dialect, and where, it is told.
func (r *runner) read() error {
	fault := r.call.fault
	s, err := r.variables(), error(nil)
	if !r.stepsAside() {
		s, err = r.settings()
		s.tell(r.complain)
	}
	if fault == nil {
		fault = err
	}
	for _, o := range r.call.verb.options {
		if err := o.resolve(s); fault == nil {
			fault = err
		}
	}
	if err := r.o.settleLayout(r.call.option("pretty"), r.call.option("compact")); fault == nil {
		fault = err
	}
	r.o.settleWhole()
	r.o.overflowGiven = r.call.option("on-overflow").isSet
	if fault == nil {
		fault = r.o.events.settle(r.o, r.call.option("stream"), r.call.option("stream-lines"))
	}
	if fault == nil {
		fault = r.call.checkCaching(r.o.cache.TTL)
	}
	r.settleRefresh()
	if fault == nil {
		fault = r.call.checkCommand()
	}
	return fault
}

// closeStdin closes the file of --stdin; ours is not for us to close.
func (r *runner) closeStdin() {
	if r.cmd.Stdin.Mode == wrap.StdinFile {
		_ = r.cmd.Stdin.File.Close()
	}
}

// rememberedBefore is the answer to a run that would become a job; nil where it has
// to be made.
func (r *runner) rememberedBefore() *envelope.Result {
	if r.o.cache.TTL == 0 {
		return nil
	}
	early := *r
	early.Session = r.Session.Copy()
	early.cmd = early.Session.Command
	if early.complete() != nil {
		return nil
	}
	defer early.closeStdin()
	defer early.Session.Close()
	return early.Session.Remembered()
}
