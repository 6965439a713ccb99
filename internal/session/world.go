// Package session makes one run out of resolved options and a command line: who
// calls, what is secret, where large output is stored, when the command is run
// again, and whether a remembered run answers in its place. It has no terminal,
// no arguments and no streams of its own: the command line, a job's supervisor and
// a server use it alike.
package session

import (
	"io"
	"path/filepath"
	"time"

	"github.com/envwrap/envwrap/detect"
)

// A World is what a run has from outside. Environ, Dir, Now and Random are
// required.
type World struct {
	Environ []string               // NAME=value
	Dir     func() (string, error) // the working directory
	TempDir string                 // for temporary files where TMPDIR is not set
	Now     func() time.Time
	Random  io.Reader // never fails
	// Ancestors returns the environments of the processes above; nil where the
	// system does not show them.
	Ancestors detect.Ancestors
	// EnclosingStore returns the store of an envwrap that runs this process, or "";
	// nil is none.
	EnclosingStore func() string
	// Program returns a path by which this program can be started again; nil where
	// it cannot.
	Program func() (string, error)
}

// Lookup is [Lookup] in the world's environment.
func (w *World) Lookup(name string) (string, bool) { return Lookup(w.Environ, name) }

// Directory returns the working directory. One that was removed has no name any
// more; what the shell called it will do, since commands can run in it.
func (w *World) Directory() string {
	if dir, err := w.Dir(); err == nil {
		return dir
	}
	if pwd, ok := w.Lookup("PWD"); ok && filepath.IsAbs(pwd) {
		return pwd
	}
	return string(filepath.Separator)
}

// Path makes a file name that a user gave absolute.
func (w *World) Path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(w.Directory(), name)
}

// Agent returns the id of the coding agent that calls, or "".
func (w *World) Agent() string {
	if found := detect.Detect(w.Lookup, w.Ancestors); found.Agent != detect.Unknown {
		return found.Agent
	}
	return ""
}

// BudgetOf returns how many characters of one tool answer an agent does not cut
// again, less a margin; 0 is no limit.
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
