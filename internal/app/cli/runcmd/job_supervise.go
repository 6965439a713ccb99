package runcmd

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"syscall"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli"
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
			return supervise(ctx, &Runner{World: c.World, Call: c, O: o}, store, c.Words[0])
		},
	}
}

// A supervised is a run whose job this process supervises.
type supervised struct {
	*Runner
	job      *job.Supervisor
	incoming <-chan os.Signal // what this process is sent
}

// supervise waits for the job's turn, runs it, and records how it ended.
func supervise(ctx context.Context, r *Runner, store, id string) error {
	signals, ready := watchSignals(r.World)
	v, err := job.Supervise(job.Options{Dir: store, Now: r.Now}, id)
	if err != nil {
		return err
	}
	defer v.Close()
	r.task, r.super = id, v
	s := &supervised{Runner: r, job: v, incoming: signals}
	fault := r.Outline()
	<-ready
	result, err := s.runInTurn(ctx, fault, store)
	if err != nil {
		result = r.Session.Refused(envelope.Outcome{
			Kind: envelope.Failure, Code: envelope.EIO, Message: err.Error(), Retryable: true,
			Hint: "Nothing was run; submit it again.", ClassifiedBy: envelope.ByEnvwrap,
		})
	}
	if r.unsettled {
		v.Leave()
		return nil
	}
	result.JobID = id
	r.record(result) // before anybody learns that it is over
	if err := v.Finish(result); err != nil {
		return err
	}
	s.deliver(result)
	return nil
}

// runInTurn returns the record of the job's run, or of why nothing was run.
func (s *supervised) runInTurn(ctx context.Context, fault error, store string) (*envelope.Result, error) {
	rec := s.job.Record()
	s.cmd.Agent, s.cmd.RequestID = rec.Agent, rec.RequestID
	if fault == nil {
		fault = s.Complete()
	}
	if fault != nil {
		return nil, fault
	}
	turn, signal, err := s.awaitTurn()
	switch {
	case err != nil:
		return nil, err
	case !turn:
		return s.canceledEarly(signal), nil
	}
	c := s.cmd
	c.Signals, c.Placement, c.Terminal = s.incoming, envelope.Placement{Keep: envelope.KeepAll}, false
	s.Session.Options.Store, s.O.store = store, store
	c.Started = s.job.Started
	if c.LiveStdout, c.LiveStderr, err = s.job.Streams(); err != nil {
		c.LiveStdout, c.LiveStderr = nil, nil // the job runs without live output
		c.Warnings = append(c.Warnings, err.Error())
	}
	c.LiveStored = true
	defer s.Session.Close()
	return s.execute(ctx)
}

// awaitTurn waits until the job may run. It returns false if the job is not to run any
// more, and the signal if one asked for that.
func (s *supervised) awaitTurn() (bool, os.Signal, error) {
	stop, done := make(chan struct{}), make(chan struct{})
	var turn bool
	var err error
	go func() {
		defer close(done)
		turn, err = s.job.Await(stop)
	}()
	var stopped os.Signal
	for {
		select {
		case <-done:
			return turn && stopped == nil, stopped, err
		case sig := <-s.incoming:
			if stopped == nil && wrap.Cancels(sig) {
				stopped = sig
				close(stop)
			}
		}
	}
}

// canceledEarly returns the record of a job that was canceled before its command
// started.
func (s *supervised) canceledEarly(by os.Signal) *envelope.Result {
	res := s.Session.Refused(envelope.Outcome{
		Kind: envelope.Canceled, Code: envelope.ECANCELED, Message: fmt.Sprintf("%s: canceled before it started", s.Call.Rest[0]),
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
func (s *supervised) deliver(result *envelope.Result) {
	if s.O.output != "" && s.sink != nil && s.sink.Stream == nil {
		s.job.Store().Inline(result, job.Inlining{Placement: s.O.format.Placement(s.encoding()), Limit: s.O.InlineLimit, Parse: s.O.Parse})
		_ = s.emit(result) // there is nobody to report to
	}
	_ = s.job.Store().Expire()
}
