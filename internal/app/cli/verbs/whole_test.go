package verbs

import (
	"testing"

	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/cli/clitest"
)

// wholeWorld is a world with all verbs.
func wholeWorld(t *testing.T, dir string, args ...string) *cli.World {
	w := clitest.WorldIn(t, dir, args...)
	w.Table = All()
	return w
}
