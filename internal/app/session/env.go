// Package session runs one command according to resolved options and returns its
// record. It detects the calling agent, collects the secrets, opens the store for large output,
// repeats the command, and answers from a remembered run where that is possible. It
// uses no terminal, arguments or streams of the process, so the command line, a job's
// supervisor and a server can all use it.
package session

import (
	"io"
	"path/filepath"
	"time"

	"github.com/envwrap/envwrap/detect"
	"github.com/envwrap/envwrap/internal/app/toolanswer"
)

// An Env holds all that a run takes from its process. Environ, Dir, Now and Random are
// required.
type Env struct {
	Environ []string               // NAME=value
	Dir     func() (string, error) // the working directory
	TempDir string                 // for temporary files if TMPDIR is not set
	Now     func() time.Time
	Random  io.Reader // never fails
	// Ancestors returns the environments of the ancestor processes; nil if the system
	// does not show them.
	Ancestors detect.Ancestors
	// EnclosingStore, if not nil, returns the store of an envwrap that runs this
	// process, or "".
	EnclosingStore func() string
	// Program returns a path by which this program can be started again; nil if it
	// cannot.
	Program func() (string, error)
}

// Lookup is [Lookup] in env.Environ.
func (env *Env) Lookup(name string) (string, bool) { return Lookup(env.Environ, name) }

// Directory returns the working directory. For one that was removed, in which commands
// can still run, it returns PWD.
func (env *Env) Directory() string {
	if dir, err := env.Dir(); err == nil {
		return dir
	}
	if pwd, ok := env.Lookup("PWD"); ok && filepath.IsAbs(pwd) {
		return pwd
	}
	return string(filepath.Separator)
}

// Path returns the absolute path of a file name that a user gave.
func (env *Env) Path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(env.Directory(), name)
}

// Agent returns the id of the calling coding agent, or "": of a server of tools whose
// environment names none, the agent that its client is.
func (env *Env) Agent() string {
	if found := detect.Detect(env.Lookup, env.Ancestors); found.Agent != detect.Unknown {
		return found.Agent
	}
	caller, ok := toolanswer.CallerOf(env.Lookup)
	if _, chosen := env.Lookup("ENVWRAP_AGENT"); !ok || chosen {
		return ""
	}
	return detect.ClientOf(caller.Agent)
}

// BudgetOf returns how many characters of a tool's answer an agent shows uncut, less a
// margin; 0 is no limit.
func BudgetOf(agent string) int {
	switch agent {
	case "claude":
		return 28_000
	case "codex":
		return 9_000
	case "gemini":
		return 36_000
	case "pi", "opencode":
		return 45_000
	}
	return 0
}
