package cli

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"

	"github.com/envwrap/envwrap/redact"
	"github.com/envwrap/envwrap/wrap"
)

// companion is the program that has what needs a network library or is slow to
// start. It comes in every package beside envwrap.
const companion = "envwrap-net"

// StatusMissing is the exit status of a program that was not found.
const StatusMissing = 127

// BecomeCompanion replaces this process by the companion program.
func (c *Call) BecomeCompanion(args []string) error {
	program, err := c.Companion()
	if err != nil {
		c.Complain(err)
		return Status(StatusMissing)
	}
	end, err := wrap.Exec(&wrap.Command{
		Process: wrap.Process{
			Argv:  append([]string{program}, args...),
			Env:   c.Environ,
			Stdin: wrap.Stdin{Mode: wrap.StdinInherit, File: c.Stdin},
		},
		Capture: wrap.Capture{Redactor: redact.New(redact.Options{})},
	}, c.Stdout, c.Stderr)
	if err != nil {
		c.Complain(err)
	}
	return Ended(end)
}

// HasCompanion reports whether the companion program is found.
func (env *Env) HasCompanion() bool {
	_, err := env.Companion()
	return err == nil
}

// Companion returns the path of the companion program: in the directory of envwrap,
// with links resolved, else on PATH.
func (env *Env) Companion() (string, error) {
	name := companion
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	if dir := env.ownDir(); dir != "" && isProgram(filepath.Join(dir, name)) {
		return filepath.Join(dir, name), nil
	}
	path, _ := env.Lookup("PATH")
	for _, dir := range filepath.SplitList(path) {
		if path := filepath.Join(dir, name); filepath.IsAbs(path) && isProgram(path) {
			return path, nil
		}
	}
	return "", errors.New(name + " was not found beside envwrap or on PATH; every package of envwrap has it; install it: go install github.com/envwrap/envwrap/cmd/envwrap-net@latest")
}

// ownDir returns the directory of envwrap's own program, links followed; "" where
// that is not known.
func (env *Env) ownDir() string {
	if env.Executable == nil {
		return ""
	}
	self, err := env.Executable()
	if err != nil {
		return ""
	}
	if target, err := filepath.EvalSymlinks(self); err == nil {
		self = target
	}
	return filepath.Dir(self)
}

// isProgram reports whether path is a file that can be executed.
func isProgram(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && (info.Mode()&0o111 != 0 || runtime.GOOS == "windows")
}
