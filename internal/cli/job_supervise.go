package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"syscall"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/job"
	"github.com/envwrap/envwrap/wrap"
)

// jobSuperviseVerb is what submit starts: it takes a job over and runs its
// command. Nobody reads what it prints.
func jobSuperviseVerb(*World) *verb {
	o := defaultRunOptions()
	var store string
	return &verb{
		name:    "supervise",
		args:    "ID -- COMMAND [ARG...]",
		summary: "run a job (for envwrap's own use)",
		options: append(
			backgroundOptions(o),
			&option{name: "jobs", value: "DIR", noEnv: true, help: "the store that has the job", set: into(&store, text)},
		),
		run: func(ctx context.Context, c *call) error {
			if len(c.words) != 1 || !filepath.IsAbs(store) {
				return usagef("only envwrap itself calls it")
			}
			r := &runner{World: c.World, call: c, o: o}
			return r.supervise(ctx, store, c.words[0])
		},
	}
}

// supervise waits for the job's turn, runs it, and tells how it ended.
func (r *runner) supervise(ctx context.Context, store, id string) error {
	signals, ready := watchSignals()
	v, err := job.Supervise(job.Options{Dir: store, Now: r.Now}, id)
	if err != nil {
		return err
	}
	defer v.Close()
	r.task = id
	fault := r.outline()
	<-ready
	result, err := r.superviseRun(ctx, v, fault, signals, store)
	if err != nil {
		result = wrap.Refused(r.cmd, envelope.Outcome{
			Kind: envelope.Failure, Code: envelope.EIO, Message: err.Error(), Retryable: true,
			Hint: "Nothing was run; submit it again.", ClassifiedBy: envelope.ByEnvwrap,
		})
	}
	result.JobID = id
	if err := v.Finish(result); err != nil {
		return err
	}
	r.deliver(v, result)
	return nil
}

// superviseRun is the job's run, or what there is to say where nothing is run.
func (r *runner) superviseRun(ctx context.Context, v *job.Supervisor, fault error, signals <-chan os.Signal, store string) (*envelope.Result, error) {
	rec := v.Record()
	r.cmd.Agent, r.cmd.RequestID = rec.Agent, rec.RequestID
	if fault == nil {
		fault = r.complete()
	}
	if fault != nil {
		return nil, fault
	}
	turn, signal, err := r.awaitTurn(v, signals)
	switch {
	case err != nil:
		return nil, err
	case !turn:
		return r.canceledEarly(signal), nil
	}
	c := r.cmd
	c.Signals, c.Keep, c.Fits, c.Terminal = signals, envelope.KeepAll, nil, false
	r.Session.Options.Store = store
	c.Started = v.Started
	if c.LiveStdout, c.LiveStderr, err = v.Streams(); err != nil {
		c.LiveStdout, c.LiveStderr = nil, nil // the run is worth more than a look at it
		c.Warnings = append(c.Warnings, err.Error())
	}
	defer r.Session.Close()
	return r.Session.Run(ctx)
}

// awaitTurn waits until the job may run. False means that it is not to run any
// more; the signal says so where one did.
func (r *runner) awaitTurn(v *job.Supervisor, signals <-chan os.Signal) (bool, os.Signal, error) {
	stop, done := make(chan struct{}), make(chan struct{})
	var turn bool
	var err error
	go func() {
		defer close(done)
		turn, err = v.Await(stop)
	}()
	var stopped os.Signal
	for {
		select {
		case <-done:
			return turn && stopped == nil, stopped, err
		case sig := <-signals:
			if stopped == nil && wrap.Cancels(sig) {
				stopped = sig
				close(stop)
			}
		}
	}
}

// canceledEarly is the record of a job that was canceled before its command
// started.
func (r *runner) canceledEarly(by os.Signal) *envelope.Result {
	res := wrap.Refused(r.cmd, envelope.Outcome{
		Kind: envelope.Canceled, Code: envelope.ECANCELED, Message: fmt.Sprintf("%s: canceled before it started", r.call.rest[0]),
		Hint: "Nothing was run.", ClassifiedBy: envelope.ByEnvwrap,
	})
	res.ExitStatus = 128 + int(syscall.SIGTERM) // which is how job cancel asks
	if n, ok := by.(syscall.Signal); ok {
		res.ExitStatus = 128 + int(n)
	}
	return res
}

// deliver writes the envelope where the submit wanted it, and forgets jobs that
// are past their time.
func (r *runner) deliver(v *job.Supervisor, result *envelope.Result) {
	if r.o.output != "" && r.sink != nil && r.sink.stream == nil {
		encoding := r.encoding()
		v.Store().Inline(result, job.Inlining{
			Keep: r.o.format.Keep(encoding), Limit: r.o.inlineLimit, Parse: r.o.parse,
			Fits: func(res *envelope.Result) bool { return envelope.Fits(r.o.format, res, encoding) },
		})
		_ = r.emit(result) // nobody is there to be told
	}
	_ = v.Store().Expire()
}
