package runcmd

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"syscall"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/cli"
	"github.com/envwrap/envwrap/job"
	"github.com/envwrap/envwrap/wrap"
)

// JobSuperviseVerb returns the verb that submit starts: it takes over a job and runs
// its command. Nobody reads what it prints.
func JobSuperviseVerb(*cli.World) *cli.Verb {
	o := DefaultRunOptions()
	var store string
	return &cli.Verb{
		Name:    "supervise",
		Args:    "ID -- COMMAND [ARG...]",
		Summary: "run a job (for envwrap's own use)",
		Options: append(
			backgroundOptions(o),
			&cli.Option{Name: "jobs", Value: "DIR", NoEnv: true, Help: "the store that has the job", Set: cli.Into(&store, cli.Text)},
		),
		Run: func(ctx context.Context, c *cli.Call) error {
			if len(c.Words) != 1 || !filepath.IsAbs(store) {
				return cli.Usagef("only envwrap itself calls it")
			}
			r := &Runner{World: c.World, Call: c, O: o}
			return r.supervise(ctx, store, c.Words[0])
		},
	}
}

// supervise waits for the job's turn, runs it, and records how it ended.
func (r *Runner) supervise(ctx context.Context, store, id string) error {
	signals, ready := watchSignals(r.World)
	v, err := job.Supervise(job.Options{Dir: store, Now: r.Now}, id)
	if err != nil {
		return err
	}
	defer v.Close()
	r.task = id
	fault := r.Outline()
	<-ready
	result, err := r.superviseRun(ctx, v, fault, signals, store)
	if err != nil {
		result = r.Session.Refused(envelope.Outcome{
			Kind: envelope.Failure, Code: envelope.EIO, Message: err.Error(), Retryable: true,
			Hint: "Nothing was run; submit it again.", ClassifiedBy: envelope.ByEnvwrap,
		})
	}
	result.JobID = id
	r.record(result) // before anybody learns that it is over
	if err := v.Finish(result); err != nil {
		return err
	}
	r.deliver(v, result)
	return nil
}

// superviseRun returns the record of the job's run, or of why nothing was run.
func (r *Runner) superviseRun(ctx context.Context, v *job.Supervisor, fault error, signals <-chan os.Signal, store string) (*envelope.Result, error) {
	rec := v.Record()
	r.cmd.Agent, r.cmd.RequestID = rec.Agent, rec.RequestID
	if fault == nil {
		fault = r.Complete()
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
	c.Signals, c.Placement, c.Terminal = signals, envelope.Placement{Keep: envelope.KeepAll}, false
	r.Session.Options.Store, r.O.store = store, store
	c.Started = v.Started
	if c.LiveStdout, c.LiveStderr, err = v.Streams(); err != nil {
		c.LiveStdout, c.LiveStderr = nil, nil // the job runs without live output
		c.Warnings = append(c.Warnings, err.Error())
	}
	c.LiveStored = true
	defer r.Session.Close()
	return r.execute(ctx)
}

// awaitTurn waits until the job may run. It returns false if the job is not to run any
// more, and the signal if one asked for that.
func (r *Runner) awaitTurn(v *job.Supervisor, signals <-chan os.Signal) (bool, os.Signal, error) {
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

// canceledEarly returns the record of a job that was canceled before its command
// started.
func (r *Runner) canceledEarly(by os.Signal) *envelope.Result {
	res := r.Session.Refused(envelope.Outcome{
		Kind: envelope.Canceled, Code: envelope.ECANCELED, Message: fmt.Sprintf("%s: canceled before it started", r.Call.Rest[0]),
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
func (r *Runner) deliver(v *job.Supervisor, result *envelope.Result) {
	if r.O.output != "" && r.sink != nil && r.sink.Stream == nil {
		v.Store().Inline(result, job.Inlining{Placement: r.O.format.Placement(r.encoding()), Limit: r.O.InlineLimit, Parse: r.O.Parse})
		_ = r.emit(result) // there is nobody to report to
	}
	_ = v.Store().Expire()
}
