package redactcmd_test

import (
	"testing"

	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/cli/clitest"
	"github.com/envwrap/envwrap/internal/app/verbs"
)

func TestMain(m *testing.M) { clitest.Main(m, verbs.All) }

func TestScript(t *testing.T) { clitest.Scripts(t, "../../../../testdata/script/redact", verbs.All) }

// envIn returns an Env with all verbs, in a directory of its own.
func envIn(t *testing.T, dir string, args ...string) *cli.Env {
	env := clitest.EnvIn(t, dir, args...)
	env.Table = verbs.All()
	return env
}
