package jobcmd

import (
	"context"
	"errors"
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/cli/runcmd"
	"github.com/envwrap/envwrap/job"
)

// defaultMinAge is the time after its end at which job cleanup removes a job.
const defaultMinAge = 24 * time.Hour

func jobCleanupVerb(*cli.Env) *cli.Verb {
	o := runcmd.NewJobOptions()
	p := job.Policy{Old: defaultMinAge}
	return &cli.Verb{
		Name: "cleanup",

		Summary: "record lost jobs, and remove old ones",
		Text: `Unfinished jobs stay. The output of a removed job stays until the store's collector
removes it (envwrap artifact gc).`,
		Example: "envwrap job cleanup --dry-run\nenvwrap job cleanup --older 1h",
		Options: append(
			o.Table(false),
			&cli.Option{Name: "older", Value: "DURATION", Def: "24h", NoEnv: true, Help: "remove jobs that ended at least this long ago; 0 removes all finished ones", Set: cli.Into(&p.Old, cli.Duration)},
			&cli.Option{Name: "dry-run", NoEnv: true, Help: "only print what cleanup would change", Set: cli.Into(&p.DryRun, cli.Boolean)},
		),
		Run: func(_ context.Context, c *cli.Call) error {
			return withJobs(o, c, func(stores runcmd.JobStores) error { return cleanup(o, c, stores, p) })
		},
	}
}

func cleanup(o *runcmd.JobOptions, c *cli.Call, stores runcmd.JobStores, p job.Policy) error {
	all := envelope.JobCleanup{DryRun: p.DryRun, OldAfter: p.Old}
	var failed error
	for _, s := range stores {
		done, err := s.Cleanup(p)
		failed = errors.Join(failed, err)
		if done == nil {
			continue
		}
		all.Stuck = append(all.Stuck, done.Stuck...)
		all.Cleaned += done.Settled
		all.OldFound += len(done.Old)
		all.OldDeleted += done.Removed
		all.Oldest = max(all.Oldest, done.Oldest)
	}
	v := runcmd.JobQuestion(c.Env, o.Store)
	v.Warnings = omittedJobs(c.Env, failed)
	v.Cleanup = &all
	if err := answerJobs(c.Env, o.LayoutFor(c.Env, &job.View{Budget: runcmd.BudgetAuto}), "cleanup", nil, v); err != nil || failed == nil {
		return err
	}
	return cli.Status(cli.StatusFound)
}
