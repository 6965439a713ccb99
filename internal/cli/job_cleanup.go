package cli

import (
	"context"
	"errors"
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/job"
)

// defaultOld is when job cleanup forgets a job that is over.
const defaultOld = 24 * time.Hour

func jobCleanupVerb(*World) *verb {
	o := newJobOptions()
	p := job.Policy{Old: defaultOld}
	return &verb{
		name: "cleanup",

		summary: "settle jobs whose supervisor is dead, and forget old ones",
		text: `Jobs that are not over stay. The output of a job that is forgotten is left to the
collector of the store (envwrap artifact gc).`,
		example: "envwrap job cleanup --dry-run\nenvwrap job cleanup --older 1h",
		options: append(
			o.table(false),
			&option{name: "older", value: "DURATION", def: "24h", noEnv: true, help: "forget jobs that have been over for this long; 0 is all", set: into(&p.Old, duration)},
			&option{name: "dry-run", noEnv: true, help: "only say what would be done", set: into(&p.DryRun, boolean)},
		),
		run: func(_ context.Context, c *call) error {
			if err := c.noWords(); err != nil {
				return err
			}
			return o.onShelf(c, func(shelf jobShelf) error { return o.cleanup(c, shelf, p) })
		},
	}
}

func (o *jobOptions) cleanup(c *call, shelf jobShelf, p job.Policy) error {
	all := envelope.JobCleanup{DryRun: p.DryRun, OldAfter: p.Old}
	var failed error
	for _, s := range shelf {
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
	v := c.jobQuestion(o.store)
	v.warnings = c.unreadable(failed)
	v.cleanup = &all
	if err := c.answerJobs(o.look(c.World, &job.View{Budget: budgetAuto}), "cleanup", nil, v); err != nil || failed == nil {
		return err
	}
	return status(statusFound)
}
