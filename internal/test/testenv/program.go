package testenv

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// Installed runs tests with envwrap first in PATH, built as for a release, which starts
// in half the time of a test binary. If nothing can be built, ENVWRAP_TEST_BIN names
// the directory that has envwrap.
type Installed struct{ M M }

// Run runs the tests.
func (i Installed) Run() int {
	dir := os.Getenv("ENVWRAP_TEST_BIN")
	if dir == "" {
		var err error
		if dir, err = os.MkdirTemp("", "bin"); err != nil {
			return failed(err)
		}
		defer os.RemoveAll(dir)
		if err := install(dir); err != nil {
			return failed(err)
		}
	}
	if err := os.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH")); err != nil {
		return failed(err)
	}
	return i.M.Run()
}

// install builds envwrap in dir. The go command keeps the programs that it runs, so
// that only the first package links it.
func install(dir string) error {
	build := exec.Command("go", "run", "-exec=cp", "-buildvcs=false")
	if race { // like the packages of test binaries, which are then compiled once
		build.Args = append(build.Args, "-race")
	} else {
		build.Args = append(build.Args, "-tags=urfave_cli_no_docs,urfave_cli_no_suggest")
		build.Env = append(os.Environ(), "CGO_ENABLED=0")
	}
	build.Args = append(build.Args, "github.com/envwrap/envwrap", dir)
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("build envwrap: %w\n%s", err, out)
	}
	return nil
}
