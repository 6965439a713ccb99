package artifactcmd_test

import (
	"testing"

	"github.com/envwrap/envwrap/internal/app/cli/clitest"
	"github.com/envwrap/envwrap/internal/app/verbs"
)

func TestMain(m *testing.M) { clitest.Main(m, verbs.All) }

func TestScript(t *testing.T) { clitest.Scripts(t, "../../../../testdata/script/artifact", verbs.All) }
