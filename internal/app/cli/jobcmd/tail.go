package jobcmd

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/cli/runcmd"
	"github.com/envwrap/envwrap/internal/platform/output"
	"github.com/envwrap/envwrap/internal/platform/safefs"
	"github.com/envwrap/envwrap/job"
)

func jobTailVerb(*cli.Env) *cli.Verb {
	o := runcmd.NewJobOptions()
	lines := 20
	var follow, events bool
	options := o.Table(true)
	for _, opt := range options {
		if opt.Name == "format" {
			opt.Short = "" // -f is to follow, as with tail(1)
		}
	}
	return &cli.Verb{
		Name:    "tail",
		Args:    "ID",
		Takes:   cli.AJob,
		Prints:  true,
		Summary: "print the end of a job's output, or follow it",
		Text: `Prints what the job has printed, as text: the last lines of standard output, then
those of standard error. With -f both go on as they come until the job is over; the
status is then the job's own. With --json the answer is an envelope, and with -f a
progress event for each line, one JSON line each, then the envelope of the run.
job logs is the same.`,
		Example: "envwrap job tail -n 40 01KDF3\nenvwrap job tail -f last\nenvwrap job tail -f --json 01KDF3",
		Options: append(
			options,
			&cli.Option{Name: "json", NoEnv: true, Help: "print an envelope, with -f events (protocol/v1)", Set: cli.Into(&events, cli.Boolean)},
			&cli.Option{Name: "follow", Short: "f", NoEnv: true, Help: "print on until the job is over", Set: cli.Into(&follow, cli.Boolean)},
			&cli.Option{Name: "lines", Short: "n", Value: "N", Def: "20", NoEnv: true, Help: "begin with the last N lines", Set: cli.Into(&lines, cli.Count)},
		),
		Run: func(ctx context.Context, c *cli.Call) error {
			switch {
			case !events:
				return printText(ctx, o, c, lines, follow)
			case follow && o.Format != nil && !o.Format.Events():
				return &cli.UsageError{Text: "--follow has no meaning in " + o.Format.Name(), Hint: "Progress events are part of protocol/v1; leave --format out."}
			}
			return onJob(o, c, func(s *job.Store, id string) error {
				if follow {
					return followJob(ctx, o, c, s, id, lines)
				}
				return printTail(ctx, o, c, s, id, lines)
			})
		},
	}
}

// tailLimit is the most bytes of a stream that job tail shows.
const tailLimit = 16 << 10

func printTail(ctx context.Context, o *runcmd.JobOptions, c *cli.Call, s *job.Store, id string, lines int) error {
	v := runcmd.JobQuestion(c.Env, o.Store)
	v.Elsewhere = s.Elsewhere
	stdout, stderr, rec, err := runcmd.TailJob(ctx, c.Env, s, id, lines, tailLimit)
	if err != nil {
		return err
	}
	for most := tailLimit; ; most /= 2 {
		v.Stdout, v.Stderr = cleanStream(lastBytes(stdout, most)), cleanStream(lastBytes(stderr, most))
		if err := addProgress(&v, s, rec, true); err != nil {
			return err
		}
		res := runcmd.JobResult("tail", []*job.Record{rec}, v)
		if envelope.InlineSize(res) <= runcmd.TailRoom || most <= runcmd.LineMost {
			return runcmd.PrintJob(c.Env, o.LayoutFor(c.Env, &rec.View), res)
		}
	}
}

// followJob prints events until the job is over, then its envelope.
func followJob(ctx context.Context, o *runcmd.JobOptions, c *cli.Call, s *job.Store, id string, lines int) error {
	o.Format = envelope.Dialects()[0]
	rec, err := s.Get(id)
	if err != nil {
		return err
	}
	base := &envelope.Result{
		Command: "jobs/tail", Tool: rec.Tool, JobID: rec.ID, TraceID: rec.TraceID, Workspace: rec.Workspace,
		Agent: rec.Agent, Started: rec.Started,
	}
	if base.Started.IsZero() {
		base.Started = rec.Submitted
	}
	events := &runcmd.Streamer{Sink: &output.Sink{Stream: c.Stdout}, Base: base, Now: c.Now}
	if rec.State.Over() {
		events.Now = func() time.Time { return rec.Ended }
	}
	out, errs := &runcmd.LineEvents{To: events, Stage: "stdout"}, &runcmd.LineEvents{To: events, Stage: "stderr"}
	events.Lines = []*runcmd.LineEvents{out, errs}
	stopHeartbeat := func() {}
	if !rec.State.Over() {
		stopHeartbeat = heartbeat(c.Env, events, s, rec)
	}
	following, settled := runcmd.SettleLater(ctx, c.Env, s, id)
	rec, err = s.Follow(following, id, lines, func(of job.Stream, p []byte) error {
		to := out
		if of == job.Stderr {
			to = errs
		}
		_, _ = to.Write(p)
		if fault := events.Fault(); fault != nil {
			return fmt.Errorf("%w: %w", runcmd.ErrPrint, safefs.Cause(fault))
		}
		return nil
	})
	settled()
	stopHeartbeat()
	if errors.Is(err, runcmd.ErrPrint) {
		c.Complain(err)
		return cli.Status(cli.StatusFailed) // every other status may be the job's own
	}
	if err != nil && !errors.Is(err, job.ErrElsewhere) {
		return err
	}
	events.Close()
	o.Compact, o.Pretty = true, false
	return printOutcome(ctx, o, c, s, rec, err)
}

// heartbeat writes an event at intervals while the job prints nothing, so that readers
// learn its state. The caller calls stop to end this.
func heartbeat(env *cli.Env, events *runcmd.Streamer, s *job.Store, rec *job.Record) (stop func()) {
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(runcmd.LongestInterval / 2)
		defer tick.Stop()
		for {
			events.Report(envelope.Progress{Stage: string(rec.State), Elapsed: env.Now().Sub(events.Base.Started)})
			select {
			case <-done:
				return
			case <-tick.C:
			}
			if now, err := s.Get(rec.ID); err == nil && !now.State.Over() {
				rec = now
			}
		}
	}()
	return func() {
		close(done)
		<-ended
	}
}
