package jobcmd

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/cli/farend"
	"github.com/envwrap/envwrap/internal/app/cli/runcmd"
	"github.com/envwrap/envwrap/job"
)

func jobCancelVerb(*cli.Env) *cli.Verb {
	o := runcmd.NewJobOptions()
	var r refusal
	return &cli.Verb{
		Name:    "cancel",
		Args:    "ID",
		Takes:   cli.AJob,
		Summary: "stop a job and all that it started, within two seconds; a group within five",
		Text: `The command gets SIGTERM and a moment to end by itself, then all that it started is
killed. A queued job never starts. A finished one does not change. For a job on a
runner, envwrap calls the runner again.`,
		Example: "envwrap job cancel 01KDF3",
		Options: append(o.Table(false), r.options()...),
		Run: func(ctx context.Context, c *cli.Call) error {
			return r.onJob(o, c, func(s *job.Store, id string) error {
				rec, err := s.Cancel(ctx, id)
				if errors.Is(err, job.ErrElsewhere) {
					rec, err = requireKnown(runcmd.AskRunner(ctx, c.Env, s, rec, farend.AskCancel))
				}
				if err == nil {
					err = cancelMembers(ctx, c, s, rec)
				}
				if err != nil {
					return err
				}
				return answerJobs(c.Env, o.LayoutFor(c.Env, &job.View{Budget: runcmd.BudgetAuto}), "cancel", []*job.Record{rec}, runcmd.JobQuestion(c.Env, o.Store))
			})
		},
	}
}

// A refusal holds the options --or-refuse and --if-mark: a missing job is refused, so
// that it does not start later.
type refusal struct {
	on   bool
	mark string // which the store has to have; "" is any store
}

func (r *refusal) options() []*cli.Option {
	return []*cli.Option{
		{
			Name: "or-refuse", NoEnv: true, Set: cli.Into(&r.on, cli.Boolean),
			Help: "if there is no such job, refuse one that is submitted under this id later (two weeks); the answer is ECANCELED, and EPOLICY once one came",
		},
		{
			Name: "if-mark", Value: "ULID", NoEnv: true, Set: cli.Into(&r.mark, cli.Text),
			Help: "with --or-refuse: cancel only in a store with the mark ULID, else ENOTFOUND",
		},
	}
}

// onJob does the same as the function onJob, and refuses a job that is missing.
func (r *refusal) onJob(o *runcmd.JobOptions, c *cli.Call, do func(s *job.Store, id string) error) error {
	words := c.Operands()
	if r.on { // the job belongs to this store
		words = nil
	}
	return withJobsOf(o, c, words, func(stores runcmd.JobStores) error {
		s, id, err := stores.Find(c.Operands()[0])
		if errors.Is(err, job.ErrNotFound) && r.on {
			s, id, err = r.refuse(o, c, stores)
		}
		if err != nil {
			return err
		}
		c.InStore = s.Dir()
		return do(s, id)
	})
}

// refuse refuses a job from now on, and returns an error that says so; if the job was
// submitted meanwhile, it returns that job.
func (r *refusal) refuse(o *runcmd.JobOptions, c *cli.Call, stores runcmd.JobStores) (s *job.Store, id string, err error) {
	id = c.Operands()[0]
	if r.mark != "" {
		i := slices.IndexFunc(stores, func(s *job.Store) bool { return s.HasMark(r.mark) })
		if i < 0 {
			return nil, "", aboutJob(id, fmt.Errorf("cannot be refused: %w", job.ErrNoMark))
		}
		s = stores[i]
	} else {
		own, err := runcmd.OpenJobs(c.Env, o.Store)
		if err != nil {
			return nil, "", err
		}
		defer own.Close()
		s = own
	}
	known, err := s.Refuse(id, r.mark)
	switch {
	case errors.Is(err, job.ErrTaken):
		return stores.Find(id)
	case err != nil:
		return nil, "", err
	case !known.Came.IsZero():
		return nil, "", aboutJob(id, job.ErrRefused)
	}
	return nil, "", aboutJob(id, runcmd.ErrNeverCame)
}

// jobMarkVerb returns the verb that a run with --on calls at the far end before its start.
func jobMarkVerb(*cli.Env) *cli.Verb {
	var store string
	return &cli.Verb{
		Name:    "mark",
		Args:    "ULID",
		Summary: "leave a mark in the store (for envwrap's own use)",
		Options: []*cli.Option{cli.ArchiveOption(&store)},
		Run: func(_ context.Context, c *cli.Call) error {
			s, err := runcmd.OpenJobs(c.Env, store)
			if err != nil {
				return err
			}
			defer s.Close()
			if err := s.Mark(c.Operands()[0]); err != nil {
				return err
			}
			return c.Print(job.MarkLeft + c.Operands()[0] + "\n")
		},
	}
}
