package jobcmd

import (
	"context"

	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/cli/runcmd"
	"github.com/envwrap/envwrap/job"
)

// jobMarkVerb returns the verb that a run with --on calls at the far end before its start.
func jobMarkVerb(*cli.World) *cli.Verb {
	var store string
	return &cli.Verb{
		Name:    "mark",
		Args:    "ULID",
		Summary: "leave a mark in the store (for envwrap's own use)",
		Options: []*cli.Option{cli.ArchiveOption(&store)},
		Run: func(_ context.Context, c *cli.Call) error {
			s, err := runcmd.OpenJobs(c.World, store)
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
