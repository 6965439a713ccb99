package redactcmd_test

import (
	"testing"

	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/cli/clitest"
	"github.com/envwrap/envwrap/internal/app/cli/verbs"
)

func TestMain(m *testing.M) { clitest.Main(m, verbs.All) }

func TestScript(t *testing.T) { clitest.Scripts(t, "../../../../testdata/script/redact", verbs.All) }

// worldIn returns a world with all verbs, in a directory of its own.
func worldIn(t *testing.T, dir string, args ...string) *cli.World {
	w := clitest.WorldIn(t, dir, args...)
	w.Table = verbs.All()
	return w
}
