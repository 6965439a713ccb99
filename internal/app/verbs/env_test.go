package verbs

import (
	"testing"

	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/cli/clitest"
)

// fullEnv is an Env with all verbs.
func fullEnv(t *testing.T, dir string, args ...string) *cli.Env {
	env := clitest.EnvIn(t, dir, args...)
	env.Table = All()
	return env
}
