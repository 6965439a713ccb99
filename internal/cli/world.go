package cli

import (
	"os"
	"time"
)

// A World is all that envwrap has from outside. Tests make their own.
type World struct {
	Args    []string // the program and its arguments
	Environ []string // NAME=value
	Dir     func() (string, error)
	Stdin   *os.File // nil where descriptor 0 is closed
	Stdout  *os.File
	Stderr  *os.File
	Now     func() time.Time
	Build   Build
}

// Build says which envwrap this is. Empty fields are read from the stamp that
// the go command leaves in the program.
type Build struct{ Version, Commit, Date string }

// Here is the World of this process.
func Here(b Build) *World {
	return &World{
		Args:    os.Args,
		Environ: os.Environ(),
		Dir:     os.Getwd,
		Stdin:   os.Stdin,
		Stdout:  os.Stdout,
		Stderr:  os.Stderr,
		Now:     time.Now,
		Build:   b,
	}
}

// lookup is os.LookupEnv for the world's environment. An empty variable counts
// as unset.
func (w *World) lookup(name string) (string, bool) {
	for i := len(w.Environ) - 1; i >= 0; i-- {
		e := w.Environ[i]
		if len(e) > len(name) && e[len(name)] == '=' && e[:len(name)] == name {
			return e[len(name)+1:], len(e) > len(name)+1
		}
	}
	return "", false
}
