package completion_test

import (
	"os"
	"testing"

	"github.com/envwrap/envwrap/internal/cli"
	"github.com/envwrap/envwrap/internal/cli/clitest"
	"github.com/envwrap/envwrap/internal/cli/verbs"
	"github.com/envwrap/envwrap/internal/testenv"
)

func TestMain(m *testing.M) { os.Exit(testenv.Run(m)) }

// worldIn returns a world with all verbs, in a directory of its own.
func worldIn(t *testing.T, dir string, args ...string) *cli.World {
	w := clitest.WorldIn(t, dir, args...)
	w.Table = verbs.All()
	return w
}
