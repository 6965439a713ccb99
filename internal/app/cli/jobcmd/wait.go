package jobcmd

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/cli/farend"
	"github.com/envwrap/envwrap/internal/app/cli/runcmd"
	"github.com/envwrap/envwrap/job"
)

func jobWaitVerb(*cli.Env) *cli.Verb {
	o := runcmd.NewJobOptions()
	var limit time.Duration
	var limited, first bool
	return &cli.Verb{
		Name:    "wait",
		Args:    "ID...",
		Takes:   cli.AJob,
		Prints:  true,
		Summary: "wait for jobs, print their envelopes, and end with their status",
		Text: `Prints the run's envelope, in the dialect of the submit unless -f names another; of
a group those of all members, one a line, in the order of the members.
If --timeout passes first, it prints the state of the job and ends with 75. Of
several jobs all envelopes are printed, in the order of the line, and the status is
the first that is not 0; with --any only that of the job that is over first. Any
number of callers may wait for one job.`,
		Example: "envwrap job wait last\nenvwrap job wait --timeout 50s -f delegator T-local-01KDF3\nenvwrap job wait --any build test",
		Options: append(
			o.Table(true), runcmd.WaitOption(&limit, &limited),
			&cli.Option{Name: "any", NoEnv: true, Help: "wait only for the job that is over first", Set: cli.Into(&first, cli.Boolean)},
		),
		Run: func(ctx context.Context, c *cli.Call) error {
			if limited {
				var cancel context.CancelFunc
				ctx, cancel = context.WithTimeout(ctx, limit)
				defer cancel()
			}
			ids := c.Operands()
			if first && len(ids) > 1 {
				return waitForAny(ctx, o, c, ids)
			}
			var status error
			for _, id := range ids {
				err := onJobNamed(o, c, id, func(s *job.Store, id string) error {
					rec, err := awaitJob(ctx, c, s, id)
					return printOutcome(ctx, o, c, s, rec, err)
				})
				if _, ended := errors.AsType[cli.Status](err); err != nil && !ended {
					return err
				}
				status = cmp.Or(status, err)
			}
			return status
		},
	}
}

// waitForAny waits until one of several jobs is over and prints its envelope; if the time
// is over before, it prints the state of the first.
func waitForAny(ctx context.Context, o *runcmd.JobOptions, c *cli.Call, words []string) error {
	return withJobs(o, c, func(stores runcmd.JobStores) error {
		type wait struct {
			s   *job.Store
			id  string
			rec *job.Record
			err error
		}
		var waits []wait
		for _, word := range words {
			s, id, err := stores.Find(word)
			if err != nil {
				return err
			}
			waits = append(waits, wait{s: s, id: id})
		}
		waiting, cancel := context.WithCancel(ctx)
		defer cancel()
		over := make(chan wait, len(waits))
		for _, w := range waits {
			go func() {
				w.rec, w.err = w.s.Wait(waiting, w.id)
				w.rec, w.err = runcmd.AwaitEngine(waiting, c.Env, w.s, w.rec, w.err)
				over <- w
			}()
		}
		w := <-over
		if ctx.Err() != nil && errors.Is(w.err, job.ErrRunning) {
			w = waits[0]
			w.rec, w.err = w.s.Get(w.id)
		}
		c.InStore = w.s.Dir()
		return printOutcome(ctx, o, c, w.s, w.rec, w.err)
	})
}

func jobResultsVerb(*cli.Env) *cli.Verb {
	o := runcmd.NewJobOptions()
	var r refusal
	return &cli.Verb{
		Name:    "results",
		Args:    "ID",
		Takes:   cli.AJob,
		Prints:  true,
		Summary: "print the envelope of a finished job",
		Text: `Prints the run's envelope, as job wait does, but never waits: if the job has not
ended, it prints the state of the job and ends with 75.`,
		Example: "envwrap job results 01KDF3\nenvwrap job results --include-output -f delegator 01KDF3",
		Options: append(
			append(o.Table(true), r.options()...),
			&cli.Option{Name: "include-events", NoEnv: true, Help: "inline the last 50 lines of JSON that the command printed (delegator)", Set: cli.Into(&o.IncludeEvents, cli.Boolean)},
		),
		Run: func(ctx context.Context, c *cli.Call) error {
			return r.onJob(o, c, func(s *job.Store, id string) error {
				rec, err := s.Get(id)
				if err == nil && s.Elsewhere(rec) {
					err = job.ErrElsewhere
				}
				return printOutcome(ctx, o, c, s, rec, err)
			})
		},
	}
}

// printOutcome prints the envelope of a finished job, or the state of an unfinished one,
// and returns the matching status. If stdout does not take the envelope the status is
// 125, as for a run, since any other status could be the job's own.
func printOutcome(ctx context.Context, o *runcmd.JobOptions, c *cli.Call, s *job.Store, rec *job.Record, err error) error {
	c.Stdout = runcmd.Unbreakable(c.Stdout)
	var lost *envelope.Result
	if errors.Is(err, job.ErrElsewhere) {
		q := farend.AskEnd
		if endVerb(c) == "results" {
			q = farend.AskState
		}
		rec, lost, err = runcmd.AskRunner(ctx, c.Env, s, rec, q)
	}
	if lost != nil && ctx.Err() != nil { // time over for a runner that has not answered yet
		lost, err = nil, job.ErrRunning
	}
	if err == nil && lost != nil {
		err = printRun(o, c, rec, lost, nil)
	} else {
		err = printResult(o, c, s, rec, err)
	}
	if errors.Is(err, runcmd.ErrPrint) {
		c.Complain(err)
		return cli.Status(cli.StatusFailed)
	}
	return err
}

// printResult does the work of printOutcome; its error wraps ErrPrint if stdout does not take the
// envelope.
func printResult(o *runcmd.JobOptions, c *cli.Call, s *job.Store, rec *job.Record, err error) error {
	if err != nil && !errors.Is(err, job.ErrRunning) {
		return err
	}
	if !rec.State.Over() {
		if err := printUnfinished(o, c, s, rec); err != nil {
			return err
		}
		return cli.Status(runcmd.StatusTemporary)
	}
	if rec.Array != nil {
		return printGroup(o, c, s, rec)
	}
	res, err := s.Result(rec.ID)
	if err != nil {
		return err
	}
	return printRun(o, c, rec, res, s)
}

// printRun prints the envelope of a job's run and returns its status. s has the run's
// output; it is nil if no store has it.
func printRun(o *runcmd.JobOptions, c *cli.Call, rec *job.Record, res *envelope.Result, s *job.Store) error {
	c.Answers = rec.ID
	layout := o.LayoutFor(c.Env, &rec.View)
	if s != nil {
		layout.InlineOutput(s, res)
	}
	v := runcmd.JobQuestion(c.Env, o.Store)
	v.Run, layout.Ends = res, layout.Exit.Status(res, layout.Rules)
	if err := answerJobs(c.Env, layout, endVerb(c), []*job.Record{rec}, v); err != nil {
		return err
	}
	return cli.Ended(layout.Ends)
}

// soFarLimit is the most bytes that are shown of a stream of an unfinished job: as many
// as delegator/v3.6 shows of any.
const soFarLimit = 32 << 10

// printUnfinished prints the state of an unfinished job in answer to wait or results.
func printUnfinished(o *runcmd.JobOptions, c *cli.Call, s *job.Store, rec *job.Record) error {
	v := runcmd.JobQuestion(c.Env, o.Store)
	if err := addProgress(&v, s, rec, false); err != nil {
		return err
	}
	if endVerb(c) == "wait" {
		stdout, stderr, _, err := s.Tail(rec.ID, soFarLimit, soFarLimit)
		if err != nil {
			return err
		}
		v.SoFar = [2]*envelope.Stream{runcmd.TextStream(stdout), runcmd.TextStream(stderr)}
		if out, errs, err := s.Printed(rec.ID); err == nil {
			v.SoFar[0].Bytes, v.SoFar[1].Bytes = max(out.Bytes, v.SoFar[0].Bytes), max(errs.Bytes, v.SoFar[1].Bytes)
		}
	}
	layout := o.LayoutFor(c.Env, &rec.View)
	layout.Ends = runcmd.StatusTemporary
	return answerJobs(c.Env, layout, endVerb(c), []*job.Record{rec}, v)
}

// endVerb returns the verb whose answer is the run of a job: tail ends as wait does.
func endVerb(c *cli.Call) string {
	if c.Verb.Name == "results" {
		return "results"
	}
	return "wait"
}
