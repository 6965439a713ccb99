package artifactcmd

import (
	"context"

	"github.com/envwrap/envwrap/internal/cli"
)

// eachArtifact makes a verb's action from what it does with one artifact's
// id. It continues after a failure and returns the first one.
func eachArtifact(store *string, do func(ctx context.Context, c *cli.Call, a *cli.Archive, id string) error) func(context.Context, *cli.Call) error {
	return func(ctx context.Context, c *cli.Call) error {
		a, err := c.OpenArchive(*store)
		if err != nil {
			return err
		}
		defer a.Close()
		var first error
		for _, id := range c.Operands() {
			err := do(ctx, c, a, id)
			if err != nil && first != nil {
				c.Complain(err)
			} else if err != nil {
				first = err
			}
		}
		return cli.AsUsage(first)
	}
}
