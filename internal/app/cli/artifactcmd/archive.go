package artifactcmd

import (
	"context"

	"github.com/envwrap/envwrap/internal/app/cli"
)

// onArchive returns a verb's Run, which calls do with all stores.
func onArchive(do func(c *cli.Call, a *cli.Archive) error) func(context.Context, *cli.Call) error {
	return func(_ context.Context, c *cli.Call) error {
		a, err := c.OpenArchive()
		if err != nil {
			return err
		}
		defer a.Close()
		return cli.AsUsage(do(c, a))
	}
}

// eachArtifact returns a verb's Run, which calls do for each id, as [cli.Call.Each] does.
func eachArtifact(do func(c *cli.Call, a *cli.Archive, id string) error) func(context.Context, *cli.Call) error {
	return onArchive(func(c *cli.Call, a *cli.Archive) error {
		return c.Each(func(id string) error { return do(c, a, id) })
	})
}
