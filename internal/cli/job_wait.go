package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/term"
	"github.com/envwrap/envwrap/job"
)

// statusTemporary is the status of a question whose answer is not there yet
// (EX_TEMPFAIL of sysexits.h).
const statusTemporary = 75

func jobWaitVerb(*World) *verb {
	o := newJobOptions()
	var limit time.Duration
	var limited bool
	return &verb{
		name:    "wait",
		args:    "ID",
		takes:   aJob,
		summary: "wait for a job, print its envelope, and end with its status",
		text: `The envelope is that of the run, in the dialect of the submit unless -f says
another. Where --timeout passes first, the answer says how the job stands, and the
status is 75. Any number of callers may wait for one job.`,
		example: "envwrap job wait 01KDF3\nenvwrap job wait --timeout 50s -f delegator T-local-01KDF3",
		options: append(o.table(true), waitOption(&limit, &limited)),
		run: func(ctx context.Context, c *call) error {
			return o.onJob(c, func(s *job.Store, id string) error {
				if limited {
					var cancel context.CancelFunc
					ctx, cancel = context.WithTimeout(ctx, limit)
					defer cancel()
				}
				rec, err := s.Wait(ctx, id)
				return o.printEnd(c, s, rec, err)
			})
		},
	}
}

func jobResultsVerb(*World) *verb {
	o := newJobOptions()
	return &verb{
		name:    "results",
		args:    "ID",
		takes:   aJob,
		summary: "print the envelope of a job that is over",
		text: `It is job wait that does not wait: where the job is not over the answer says how
it stands, and the status is 75.`,
		example: "envwrap job results 01KDF3\nenvwrap job results --include-output -f delegator 01KDF3",
		options: append(
			o.table(true),
			&option{name: "include-events", noEnv: true, help: "inline the last 50 lines of JSON that the command printed (delegator)", set: into(&o.includeEvents, boolean)},
		),
		run: func(_ context.Context, c *call) error {
			return o.onJob(c, func(s *job.Store, id string) error {
				rec, err := s.Get(id)
				return o.printEnd(c, s, rec, err)
			})
		},
	}
}

// printEnd prints the envelope of a job that is over, or how it stands, and ends
// with the status that this means: 125 where stdout does not take the envelope,
// as a run does, since any other status could be the job's own.
func (o *jobOptions) printEnd(c *call, s *job.Store, rec *job.Record, err error) error {
	c.Stdout = unbreakable(c.Stdout)
	err = o.endAs(c, s, rec, err)
	if errors.Is(err, errPrint) {
		c.complain(err)
		return status(statusFailed)
	}
	return err
}

// endAs is printEnd, whatever becomes of stdout.
func (o *jobOptions) endAs(c *call, s *job.Store, rec *job.Record, err error) error {
	if err != nil && !errors.Is(err, job.ErrRunning) {
		return err
	}
	if !rec.State.Over() {
		if err := o.printUnfinished(c, s, rec); err != nil {
			return err
		}
		return status(statusTemporary)
	}
	res, err := s.Result(rec.ID)
	if err != nil {
		return err
	}
	look := o.look(c.World, &rec.View)
	look.settle(s, res)
	v := c.jobQuestion(o.store)
	v.run = res
	if err := c.answerJobs(look, c.endVerb(), []*job.Record{rec}, v); err != nil {
		return err
	}
	return ended(look.exit.status(res, look.rules))
}

// soFarMost is the most bytes of a stream that are shown of a job that is not over:
// as many as delegator/v3.6 shows of any.
const soFarMost = 32 << 10

// printUnfinished prints how a job stands whose end was asked for.
func (o *jobOptions) printUnfinished(c *call, s *job.Store, rec *job.Record) error {
	v := c.jobQuestion(o.store)
	if err := v.stand(s, rec, false); err != nil {
		return err
	}
	if c.endVerb() == "wait" {
		stdout, stderr, _, err := s.Tail(rec.ID, soFarMost, soFarMost)
		if err != nil {
			return err
		}
		v.soFar = [2]*envelope.Stream{textStream(stdout), textStream(stderr)}
		if out, errs, err := s.Printed(rec.ID); err == nil {
			v.soFar[0].Bytes, v.soFar[1].Bytes = max(out.Bytes, v.soFar[0].Bytes), max(errs.Bytes, v.soFar[1].Bytes)
		}
	}
	return c.answerJobs(o.look(c.World, &rec.View), c.endVerb(), []*job.Record{rec}, v)
}

// endVerb is the verb whose answer is the run of a job: tail ends as wait does.
func (c *call) endVerb() string {
	if c.verb.name == "results" {
		return "results"
	}
	return "wait"
}

// settle makes the result of a job what a run in the foreground would have shown.
func (v *jobLook) settle(s *job.Store, res *envelope.Result) {
	s.Inline(res, job.Inlining{
		Keep: v.dialect.Keep(v.encoding), Limit: v.limit, Parse: v.parse,
		Fits: func(r *envelope.Result) bool { return envelope.Fits(v.dialect, r, v.encoding) },
	})
}

// printJob prints one envelope.
func (w *World) printJob(v jobLook, res *envelope.Result) error {
	doc, err := envelope.Encode(v.dialect, res, v.encoding)
	if doc == nil {
		return err
	}
	if _, err := (patient{w.Stdout}).Write(term.Painted(w.Stdout, w.lookup, doc)); err != nil {
		return fmt.Errorf("%w: %w", errPrint, cause(err))
	}
	return nil
}
