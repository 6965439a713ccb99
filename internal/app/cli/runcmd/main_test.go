package runcmd_test

import (
	"testing"

	"github.com/envwrap/envwrap/internal/app/cli/clitest"
	"github.com/envwrap/envwrap/internal/app/verbs"
)

func TestMain(m *testing.M) { clitest.Main(m, verbs.All) }

func TestScript(t *testing.T) { clitest.ScriptsAtOnce(t, "../../../../testdata/script/run", verbs.All) }
