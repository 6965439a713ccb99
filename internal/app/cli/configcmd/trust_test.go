package configcmd

import (
	"testing"

	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/cli/clitest"
	"github.com/envwrap/envwrap/internal/app/cli/runcmd"
)

// trustWorld is a world whose only verb is run.
func trustWorld(t *testing.T, dir string) *cli.World {
	w := clitest.WorldIn(t, dir)
	w.Table = cli.Table{Root: runcmd.Verb}
	return w
}
