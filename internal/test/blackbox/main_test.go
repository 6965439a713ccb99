// Package blackbox tests the program as its users see it: by its arguments,
// its streams, its files and its exit status. The tests run in the root of the
// module, whose documents and examples they read.
package blackbox

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/envwrap/envwrap/internal/test/testenv"
)

// TestMain runs the tests with the program in PATH.
func TestMain(m *testing.M) { os.Exit(testenv.Run(testenv.Installed{M: inRoot{m}, Companion: true})) }

// inRoot runs tests in the root of the module.
type inRoot struct{ m *testing.M }

func (r inRoot) Run() int {
	if err := os.Chdir(filepath.Join("..", "..", "..")); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return r.m.Run()
}
