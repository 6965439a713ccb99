package clitest

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/test/testenv"
)

// scriptsVariable names the variable that has the script of one process of
// [ScriptsAtOnce].
const scriptsVariable = "ENVWRAP_TEST_SCRIPT"

// Main runs the tests of a package as [testenv.Run] does, with a program envwrap first
// in PATH, which is the test binary itself.
func Main(m *testing.M, table func() cli.Table) {
	if self, err := os.Executable(); err == nil && filepath.Base(self) == program() {
		os.Exit(cli.Main(cli.Here(cli.Build{}, table())))
	}
	if err := testenv.LeaveStore(); err != nil {
		fmt.Fprintln(os.Stderr, "FAIL: leave ENVWRAP_STORE:", err)
		os.Exit(1)
	}
	os.Exit(testenv.Run(installed{m}))
}

// program returns the name of envwrap's file.
func program() string {
	if runtime.GOOS == "windows" {
		return "envwrap.exe"
	}
	return "envwrap"
}

type installed struct{ m *testing.M }

// Run runs the tests.
func (i installed) Run() int {
	if err := install(); err != nil {
		fmt.Fprintln(os.Stderr, "FAIL: install the test binary as envwrap:", err)
		return 1
	}
	return i.m.Run()
}

// install puts a link to this program, or a copy of it, into a new directory below
// TMPDIR, which [testenv.Run] removes. A process for one script has its parent's.
func install() error {
	if os.Getenv(scriptsVariable) != "" {
		return nil
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "bin")
	if err != nil {
		return err
	}
	file := filepath.Join(dir, program())
	if os.Link(self, file) != nil { // it is on another file system
		text, err := os.ReadFile(self)
		if err != nil {
			return err
		}
		if err := os.WriteFile(file, text, 0o700); err != nil {
			return err
		}
	}
	return os.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
}
