package configcmd

import (
	"testing"

	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/cli/clitest"
	"github.com/envwrap/envwrap/internal/app/cli/runcmd"
)

// trustEnv is an Env whose only verb is run.
func trustEnv(t *testing.T, dir string) *cli.Env {
	env := clitest.EnvIn(t, dir)
	env.Table = cli.Table{Root: runcmd.RunVerb}
	return env
}
