package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/job"
)

func jobTailVerb(*World) *verb {
	o := newJobOptions()
	lines := 20
	var follow bool
	options := o.table(true)
	for _, opt := range options {
		if opt.name == "format" {
			opt.short = "" // -f is to follow, as with tail(1)
		}
	}
	return &verb{
		name:    "tail",
		args:    "ID",
		takes:   aJob,
		summary: "print what a job has printed, or follow it",
		text: `With -f each line is a progress event, one JSON line each, and the envelope of the
run ends the stream; the status is then the job's own.`,
		example: "envwrap job tail -n 40 01KDF3\nenvwrap job tail -f 01KDF3",
		options: append(
			options,
			&option{name: "follow", short: "f", noEnv: true, help: "print events until the job is over (protocol/v1)", set: into(&follow, boolean)},
			&option{name: "lines", short: "n", value: "N", def: "20", noEnv: true, help: "begin with the last N lines", set: into(&lines, count)},
		),
		run: func(ctx context.Context, c *call) error {
			if follow && o.format != nil && o.format.Name() != "protocol/v1" {
				return &usageError{text: "--follow has no meaning in " + o.format.Name(), hint: "Progress events are part of protocol/v1; leave --format out."}
			}
			return o.onJob(c, func(s *job.Store, id string) error {
				if follow {
					return o.follow(ctx, c, s, id, lines)
				}
				return o.printTail(c, s, id, lines)
			})
		},
	}
}

// tailMost is the most bytes of a stream that job tail shows, and tailRoom those of
// the whole answer, which stays inline.
const (
	tailMost = 16 << 10
	tailRoom = 30 << 10
)

func (o *jobOptions) printTail(c *call, s *job.Store, id string, lines int) error {
	v := c.jobQuestion(o.store)
	for most := int64(tailMost); ; most /= 2 {
		stdout, stderr, rec, err := s.Tail(id, lines, most)
		if err != nil {
			return err
		}
		v.stdout, v.stderr = cleanStream(stdout), cleanStream(stderr)
		if err := v.stand(s, rec, true); err != nil {
			return err
		}
		res, err := jobResult("tail", []*job.Record{rec}, v)
		if err != nil {
			return err
		}
		if envelope.InlineSize(res) <= tailRoom || most <= lineMost {
			return c.printJob(o.look(c.World, &rec.View), res)
		}
	}
}

// follow prints events until the job is over, then its envelope.
func (o *jobOptions) follow(ctx context.Context, c *call, s *job.Store, id string, lines int) error {
	o.format = envelope.Dialects()[0]
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
	events := &streamer{sink: &sink{stream: c.Stdout}, base: base, now: c.Now}
	if rec.State.Over() {
		events.now = func() time.Time { return rec.Ended }
	}
	out, errs := &lineEvents{to: events, stage: "stdout"}, &lineEvents{to: events, stage: "stderr"}
	events.lines = []*lineEvents{out, errs}
	still := func() {}
	if !rec.State.Over() {
		still = c.heartbeat(events, s, rec)
	}
	rec, err = s.Follow(ctx, id, lines, func(of job.Stream, p []byte) error {
		to := out
		if of == job.Stderr {
			to = errs
		}
		_, _ = to.Write(p)
		if fault := events.fault(); fault != nil {
			return fmt.Errorf("%w: %w", errPrint, cause(fault))
		}
		return nil
	})
	still()
	if errors.Is(err, errPrint) {
		c.complain(err)
		return status(statusFailed) // any other could be the job's own
	}
	if err != nil {
		return err
	}
	events.close()
	o.compact, o.pretty = true, false
	return o.printEnd(c, s, rec, nil)
}

// heartbeat makes an event now and then, so that who reads knows how the job
// stands while nothing is printed, until the function that it returns is called.
func (w *World) heartbeat(events *streamer, s *job.Store, rec *job.Record) (stop func()) {
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(longestInterval / 2)
		defer tick.Stop()
		for {
			events.report(envelope.Progress{Stage: string(rec.State), Elapsed: w.Now().Sub(events.base.Started)})
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
