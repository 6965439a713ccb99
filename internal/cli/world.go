package cli

import (
	"crypto/rand"
	"io"
	"iter"
	"os"
	"time"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/detect"
	"github.com/envwrap/envwrap/internal/session"
)

// A World is all that envwrap has from outside. Tests make their own.
type World struct {
	Args    []string // the program and its arguments
	Environ []string // NAME=value
	Dir     func() (string, error)
	TempDir string   // for temporary files where TMPDIR is not set
	Stdin   *os.File // nil where descriptor 0 is closed
	Stdout  *os.File
	Stderr  *os.File
	Now     func() time.Time
	Random  io.Reader // never fails
	Build   Build
	// Executable is the path of this program; nil where it has none.
	Executable func() (string, error)
	// Ancestors shows the environments of the processes above; nil where the
	// system does not.
	Ancestors detect.Ancestors
	// Callers goes through the processes above, the parent first, and reports
	// false where the system does not show them.
	Callers func() (iter.Seq[caller], bool)

	// vouched are the files that a trusted project's file names, by their path,
	// as they were when they were hashed; nil is a file that was not there.
	vouched map[string][]byte

	reader stdoutReader // who reads Stdout

	// fetcher brings artifacts that are missing here; nil where nobody does.
	fetcher artifact.Fetcher
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
		TempDir: os.TempDir(),
		Stdin:   os.Stdin,
		Stdout:  os.Stdout,
		Stderr:  os.Stderr,
		Now:     time.Now,
		Random:  rand.Reader,
		Build:   b,

		Executable: os.Executable,

		Ancestors: ancestors,
		Callers:   callers,
	}
}

// session is the part of the world that a run needs.
func (w *World) session() *session.World {
	return &session.World{
		Environ: w.Environ, Dir: w.Dir, TempDir: w.TempDir, Now: w.Now, Random: w.Random,
		Ancestors: w.Ancestors, OuterStore: w.outerStore, Program: w.program,
	}
}

func (w *World) directory() string { return w.session().Directory() }

// path makes a file name that a user gave absolute.
func (w *World) path(name string) string { return w.session().Path(name) }

// lookup is [session.Lookup] in the world's environment.
func (w *World) lookup(name string) (string, bool) { return session.Lookup(w.Environ, name) }
