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
type Installed struct {
	M         M
	Companion bool // envwrap-net is beside it
}

// Run runs the tests.
func (i Installed) Run() int {
	dir := os.Getenv("ENVWRAP_TEST_BIN")
	if dir == "" {
		var err error
		if dir, err = os.MkdirTemp("", "bin"); err != nil {
			return failed(err)
		}
		defer os.RemoveAll(dir)
		if err := i.install(dir); err != nil {
			return failed(err)
		}
	}
	if err := os.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH")); err != nil {
		return failed(err)
	}
	return i.M.Run()
}

// install builds the programs in dir.
func (i Installed) install(dir string) error {
	err := install(dir, "github.com/envwrap/envwrap")
	if err == nil && i.Companion {
		err = install(dir, "github.com/envwrap/envwrap/cmd/envwrap-net")
	}
	return err
}

// install builds a program in dir. The go command keeps the programs that it runs, so
// that only the first package links it.
func install(dir, program string) error {
	build := exec.Command("go", "run", "-exec=cp", "-buildvcs=false")
	if Race { // like the packages of test binaries, which are then compiled once
		build.Args = append(build.Args, "-race")
	} else {
		build.Args = append(build.Args, "-tags=urfave_cli_no_docs,urfave_cli_no_suggest")
		build.Env = append(os.Environ(), "CGO_ENABLED=0")
	}
	build.Args = append(build.Args, program, dir)
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("build %s: %w\n%s", program, err, out)
	}
	return nil
}
