package cli

import (
	"context"

	"github.com/envwrap/envwrap/job"
)

func jobCancelVerb(*World) *verb {
	o := newJobOptions()
	return &verb{
		name:    "cancel",
		args:    "ID",
		takes:   aJob,
		summary: "end a job with all that it started, within two seconds",
		text: `The command gets SIGTERM and a moment to end by itself, then all that it started is
killed. A job that waits for its turn never starts. One that is over stays as it is.`,
		example: "envwrap job cancel 01KDF3",
		options: o.table(false),
		run: func(ctx context.Context, c *call) error {
			return o.onJob(c, func(s *job.Store, id string) error {
				rec, err := s.Cancel(ctx, id)
				if err != nil {
					return err
				}
				return c.answerJobs(o.look(c.World, &job.View{Budget: budgetAuto}), "cancel", []*job.Record{rec}, c.jobQuestion(o.store))
			})
		},
	}
}
