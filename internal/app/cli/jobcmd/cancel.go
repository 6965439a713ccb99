package jobcmd

import (
	"context"
	"errors"

	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/cli/runcmd"
	"github.com/envwrap/envwrap/job"
)

func jobCancelVerb(*cli.World) *cli.Verb {
	o := runcmd.NewJobOptions()
	var r refusal
	return &cli.Verb{
		Name:    "cancel",
		Args:    "ID",
		Takes:   cli.AJob,
		Summary: "stop a job and all that it started, within two seconds",
		Text: `The command gets SIGTERM and a moment to end by itself, then all that it started is
killed. A queued job never starts. A finished one does not change. A job on a runner
is ended by another call through the runner.`,
		Example: "envwrap job cancel 01KDF3",
		Options: append(o.Table(false), r.options()...),
		Run: func(ctx context.Context, c *cli.Call) error {
			return r.onJob(o, c, func(s *job.Store, id string) error {
				rec, err := s.Cancel(ctx, id)
				if errors.Is(err, job.ErrElsewhere) {
					rec, err = known(runcmd.AskRunner(ctx, c.World, s, rec, runcmd.FarCancel))
				}
				if err != nil {
					return err
				}
				return answerJobs(c.World, o.Look(c.World, &job.View{Budget: runcmd.BudgetAuto}), "cancel", []*job.Record{rec}, runcmd.JobQuestion(c.World, o.Store))
			})
		},
	}
}
