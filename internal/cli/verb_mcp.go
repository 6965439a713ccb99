package cli

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"

	"github.com/envwrap/envwrap/redact"
	"github.com/envwrap/envwrap/wrap"
)

// companion is the program that has what needs a network library. It comes in
// every package beside envwrap.
const companion = "envwrap-net"

// statusMissing is the status of a program that was not found.
const statusMissing = 127

func mcpVerb(*World) *verb {
	args := []string{"mcp"}
	pass := func(name string) func([]string) error {
		return each(func(value string) error {
			args = append(args, "--"+name+"="+value)
			return nil
		})
	}
	options := []*option{
		{name: "shell", help: "add the tool shell, which takes a text for bash"},
		{name: "wait", value: "DURATION", def: "45s", help: "how long a call waits before its command goes on as a job"},
		{name: "format", short: "f", value: "FORMAT", def: "brief/v1", help: "format of the text in answers", choices: outputNames},
		{name: "listen", value: "HOST:PORT", help: "serve over HTTP on a loopback address"},
		{name: "token-file", value: "FILE", def: "the variable ENVWRAP_MCP_TOKEN", help: "file with the bearer token for --listen", takes: aFile},
		{name: "origin", value: "URL", many: true, help: "with --listen, let web pages of this origin in"},
	}
	for _, o := range options {
		o.noEnv, o.set = true, pass(o.name)
	}
	return &verb{
		name:    "mcp",
		summary: "serve the Model Context Protocol to an agent",
		text: `An agent starts it and talks to it on standard input and output. Tools: run, job,
read, explain, and shell with --shell. Answers have the text of brief/v1 and the
envelope of protocol/v1. Any command can be run: which ones are allowed is for the
agent to decide. The program envwrap-net does it, which lies beside envwrap.`,
		example: "claude mcp add envwrap -- envwrap mcp\nenvwrap mcp --shell --wait 20s\nenvwrap mcp --listen 127.0.0.1:7331 --token-file ~/.envwrap-token",
		options: options,
		run: func(_ context.Context, c *call) error {
			if len(c.args()) > 0 {
				return usagef("mcp takes no words: %q", c.args()[0])
			}
			return c.becomeCompanion(args)
		},
	}
}

// becomeCompanion makes the companion program take envwrap's place.
func (c *call) becomeCompanion(args []string) error {
	program, err := c.companion()
	if err != nil {
		c.complain(err)
		return status(statusMissing)
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
		c.complain(err)
	}
	return ended(end)
}

// companion finds the companion program: beside envwrap, links to it followed,
// else on PATH.
func (w *World) companion() (string, error) {
	name := companion
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	if dir := w.ownDir(); dir != "" && isProgram(filepath.Join(dir, name)) {
		return filepath.Join(dir, name), nil
	}
	path, _ := w.lookup("PATH")
	for _, dir := range filepath.SplitList(path) {
		if path := filepath.Join(dir, name); filepath.IsAbs(path) && isProgram(path) {
			return path, nil
		}
	}
	return "", errors.New(name + " was not found beside envwrap or on PATH; install it: go install github.com/envwrap/envwrap/cmd/envwrap-net@latest")
}

// ownDir is the directory of envwrap's own program, links followed; "" where
// that is not known.
func (w *World) ownDir() string {
	if w.Executable == nil {
		return ""
	}
	self, err := w.Executable()
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
