package jobcmd

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/excerpt"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/cli/farend"
	"github.com/envwrap/envwrap/internal/app/cli/runcmd"
	"github.com/envwrap/envwrap/job"
)

func jobStatusVerb(*cli.Env) *cli.Verb {
	o := runcmd.NewJobOptions()
	var verbose bool
	limit := runcmd.DefaultRecent
	return &cli.Verb{
		Name:    "status",
		Args:    "[ID]",
		Takes:   cli.AJob,
		Summary: "print the state of a job, or of all",
		Text: `Never waits. Without ID it prints the unfinished jobs and the last finished ones;
job ls -n 0 lists all. It asks a runner only about the job ID, and only if the
runner alone knows its end.`,
		Example: "envwrap job status\nenvwrap job status --verbose 01KDF3",
		Options: append(
			o.Table(false),
			&cli.Option{Name: "verbose", Short: "v", NoEnv: true, Help: "also show the last lines of running jobs", Set: cli.Into(&verbose, cli.Boolean)},
			&cli.Option{Name: "limit", Short: "n", Value: "N", Def: "5", NoEnv: true, Help: "show at most N finished jobs; 0 shows all", Set: cli.Into(&limit, cli.Count)},
		),
		Run: func(ctx context.Context, c *cli.Call) error {
			if len(c.Operands()) > 0 {
				return onJob(o, c, func(s *job.Store, id string) error {
					rec, err := s.Get(id)
					if err == nil && s.Elsewhere(rec) {
						rec, err = requireKnown(runcmd.AskRunner(ctx, c.Env, s, rec, farend.AskState))
					}
					if err != nil {
						return err
					}
					return printOne(o, c, s, rec, verbose)
				})
			}
			if limit == 0 {
				limit = -1
			}
			return withJobs(o, c, func(stores runcmd.JobStores) error { return printAll(o, c, stores, limit, verbose) })
		},
	}
}

// requireKnown returns the answer of a runner about a job, or an error if the runner does
// not know the end.
func requireKnown(rec *job.Record, lost *envelope.Result, err error) (*job.Record, error) {
	if err == nil && lost != nil {
		err = &farend.UnknownError{Outcome: lost.Outcome}
	}
	return rec, err
}

// printOne prints the state of one job.
func printOne(o *runcmd.JobOptions, c *cli.Call, s *job.Store, rec *job.Record, verbose bool) error {
	v := runcmd.JobQuestion(c.Env, o.Store)
	if err := addProgress(&v, s, rec, verbose); err != nil {
		return err
	}
	return answerJobs(c.Env, o.LayoutFor(c.Env, &rec.View), "status", []*job.Record{rec}, v)
}

// addProgress adds the queue position and the last output of a job that has not ended.
func addProgress(v *runcmd.JobView, s *job.Store, rec *job.Record, verbose bool) (err error) {
	if rec.State.Over() {
		return nil
	}
	v.Glimpse = func(id string) runcmd.Glimpse { return lastOutput(runcmd.JobStores{s}, id, verbose) }
	if v.Places, err = queuePositions((runcmd.JobStores{s})); err == nil && v.Places[rec.ID] > 0 {
		v.Usual, err = runcmd.Usual(s, v.Now)
	}
	return err
}

// printAll prints the states of all jobs.
func printAll(o *runcmd.JobOptions, c *cli.Call, stores runcmd.JobStores, limit int, verbose bool) error {
	list, err := stores.List(limit, job.ByEnd)
	v := runcmd.JobQuestion(c.Env, o.Store)
	v.Warnings, v.Elsewhere = omittedJobs(c.Env, err), stores.Elsewhere
	v.All, v.Omitted, v.Usual = true, list.Omitted, runcmd.UsualDuration(list.Records, v.Now)
	if v.Places, err = queuePositions(stores); err != nil {
		return err
	}
	v.Glimpse = func(id string) runcmd.Glimpse { return lastOutput(stores, id, verbose) }
	return answerJobs(c.Env, o.LayoutFor(c.Env, &job.View{Budget: runcmd.BudgetAuto}), "status", list.Records, v)
}

func jobLsVerb(*cli.Env) *cli.Verb {
	o := runcmd.NewJobOptions()
	limit := defaultListed
	return &cli.Verb{
		Name:    "ls",
		Args:    "[GROUP]",
		Takes:   cli.AJob,
		Summary: "list jobs, and where they run",
		Text: `Lists all unfinished jobs, and the last finished ones, the newest first; or only
GROUP, with the counts of its members by their state and the numbers of the first
that failed. job list is the same.`,
		Example: "envwrap job ls\nenvwrap job ls -n 20 -f delegator\nenvwrap job ls 01KDF3",
		Options: append(
			o.Table(false),
			&cli.Option{Name: "limit", Short: "n", Value: "N", Def: strconv.Itoa(defaultListed), NoEnv: true, Help: "list at most N finished jobs; 0 lists all", Set: cli.Into(&limit, cli.Count)},
		),
		Run: func(ctx context.Context, c *cli.Call) error {
			if len(c.Operands()) > 0 {
				return onJob(o, c, func(s *job.Store, id string) error { return listOne(ctx, o, c, s, id) })
			}
			if limit == 0 {
				limit = -1
			}
			return withJobs(o, c, func(stores runcmd.JobStores) error { return printList(o, c, stores, limit) })
		},
	}
}

// defaultListed is how many jobs that are over a list has.
const defaultListed = 20

func printList(o *runcmd.JobOptions, c *cli.Call, stores runcmd.JobStores, limit int) error {
	list, err := stores.List(limit, job.BySubmit)
	v := runcmd.JobQuestion(c.Env, o.Store)
	v.Warnings, v.Elsewhere = omittedJobs(c.Env, err), stores.Elsewhere
	rows, err := c.Runners()
	if err != nil {
		return err
	}
	v.All, v.Omitted, v.Usual, v.Runners = true, list.Omitted, runcmd.UsualDuration(list.Records, v.Now), runners(list.First, v.Workspace, rows)
	if len(stores) > 0 {
		v.Store = stores[0].Dir()
	}
	if v.Places, err = queuePositions(stores); err != nil {
		return err
	}
	slices.SortFunc(list.Records, func(a, b *job.Record) int { return cmp.Compare(b.ID, a.ID) })
	return answerJobs(c.Env, o.LayoutFor(c.Env, &job.View{Budget: runcmd.BudgetAuto}), "ls", list.Records, v)
}

// listOne prints a list with one job, which is mostly a group.
func listOne(ctx context.Context, o *runcmd.JobOptions, c *cli.Call, s *job.Store, id string) error {
	rec, err := s.Get(id)
	if err == nil && s.Elsewhere(rec) {
		rec, err = requireKnown(runcmd.AskRunner(ctx, c.Env, s, rec, farend.AskState))
	}
	if err != nil {
		return err
	}
	v := runcmd.JobQuestion(c.Env, o.Store)
	v.Elsewhere = s.Elsewhere
	if rec.Array != nil {
		v.Group = rec.ID
	}
	if err := addProgress(&v, s, rec, false); err != nil {
		return err
	}
	return answerJobs(c.Env, o.LayoutFor(c.Env, &job.View{Budget: runcmd.BudgetAuto}), "ls", []*job.Record{rec}, v)
}

// cleanStream returns a piece of output as a stream, cleaned where it is text.
func cleanStream(p []byte) *envelope.Stream {
	if utf8.Valid(p) {
		p = []byte(excerpt.Clean(string(p)))
	}
	return runcmd.TextStream(p)
}

// lastBytes returns at most the last n bytes of p.
func lastBytes(p []byte, n int) []byte { return p[max(0, len(p)-n):] }
