package farend

import (
	"os"
	"testing"

	"github.com/envwrap/envwrap/internal/test/testenv"
)

func TestMain(m *testing.M) { os.Exit(testenv.Run(m)) }
