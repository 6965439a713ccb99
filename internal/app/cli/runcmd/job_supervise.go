package runcmd

import (
	"context"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/job"
)

// JobSuperviseVerb returns the verb that submit starts: it takes over a job and runs
// its command. Nobody reads what it prints.
func JobSuperviseVerb(*cli.Env) *cli.Verb {
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
			return supervise(ctx, &Runner{Env: c.Env, Call: c, O: o}, store, c.Words[0])
		},
	}
}

// supervise waits for the job's turn, runs it, and records how it ended.
func supervise(ctx context.Context, r *Runner, store, id string) error {
	r.task = id
	s := &supervised{Runner: r}
	supervises := make(chan struct{})
	r.takeSignals(&earlyEnd{answer: s.endEarly, hold: supervises}, otherSignals()...)
	r.limits = r.Call.Applied.Record
	r.learn(func(l *learned) { l.settings = r.Call.Applied })
	r.gate.mayUndo()
	<-r.gate.ready // whoever learns this process's number from the job can signal it
	v, err := job.Supervise(job.Options{Dir: store, Now: r.Now}, id)
	if err != nil {
		return err
	}
	defer v.Close()
	s.job, r.super = v, v
	close(supervises)
	fault := r.MakeSession()
	result, err := s.runInTurn(ctx, fault, store)
	if err != nil {
		result = r.Session.Refused(envelope.Outcome{
			Kind: envelope.Failure, Code: envelope.EIO, Message: err.Error(), Retryable: true,
			Hint: job.NeverStarted, ClassifiedBy: envelope.ByEnvwrap,
		})
	}
	r.gate.pass()
	if r.unsettled {
		v.Leave(r.cut)
		return nil
	}
	return s.conclude(r, result)
}

// endEarly concludes a job that a signal canceled before its command was started. A job whose
// end cannot be recorded is lost, as whoever asks is told: nobody reads this process's status.
func (s *supervised) endEarly(r *Runner, sig os.Signal) int {
	rec := s.job.Record()
	r.cmd.Agent, r.cmd.RequestID = rec.Agent, rec.RequestID
	_ = s.conclude(r, r.Session.Canceled(sig))
	return cli.StatusOK
}

// conclude records how the job ended, and has r deliver its envelope.
func (s *supervised) conclude(r *Runner, result *envelope.Result) error {
	result.JobID = r.task
	finish := s.job.FinishGroup
	if s.job.Record().Array == nil {
		r.record(result) // before anybody learns that it is over
		finish = s.job.Finish
	}
	if err := finish(result); err != nil {
		return err
	}
	s.deliver(r, result)
	return nil
}

// runInTurn returns the record of the job's run, or of why nothing was run.
func (s *supervised) runInTurn(ctx context.Context, fault error, store string) (*envelope.Result, error) {
	rec := s.job.Record()
	s.cmd.Agent, s.cmd.RequestID = rec.Agent, rec.RequestID
	if fault == nil {
		fault = s.PrepareSession()
	}
	if fault != nil {
		return nil, fault
	}
	turn, err := s.job.Await(s.gate.closing())
	s.gate.stay()
	switch {
	case err != nil:
		return nil, err
	case !turn:
		return s.canceled(), nil
	}
	if rec.Array != nil {
		return s.runGroup(ctx)
	}
	c := s.cmd
	c.Signals, c.BeforeStart = s.signals, s.gate.passToStart
	c.Placement, c.Terminal = envelope.Placement{Keep: envelope.KeepAll}, false
	s.Session.Options.Store, s.O.Store = store, store
	c.Started = s.job.Started
	if c.LiveStdout, c.LiveStderr, err = s.job.Streams(); err != nil {
		c.LiveStdout, c.LiveStderr = nil, nil // the job runs without live output
		c.Warnings = append(c.Warnings, err.Error())
	}
	c.LiveStored = true
	s.recordBegin()
	defer s.Session.Close()
	return s.execute(ctx)
}

// canceled returns the record of a job that was canceled before this process supervised it.
func (s *supervised) canceled() *envelope.Result {
	return s.Session.Canceled(syscall.SIGTERM) // which is how job cancel asks
}

// deliver has r write the envelope where the submit wanted it, and forgets jobs that are
// past their time.
func (s *supervised) deliver(r *Runner, result *envelope.Result) {
	if r.late != nil {
		select {
		case r = <-r.late:
		case <-time.After(lateOutput):
		}
	}
	if r.O.output != "" && r.sink != nil && r.sink.Stream == nil {
		s.job.Store().Inline(result, job.Inlining{Placement: r.O.Format.Placement(r.encodeOptions()), Limit: r.O.InlineLimit, Parse: r.O.Parse})
		_ = r.emit(result) // there is nobody to report to
	}
	_ = s.job.Store().Expire()
}
