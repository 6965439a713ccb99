package cli

import (
	"crypto/rand"
	"io"
	"iter"
	"os"
	"path/filepath"
	"time"

	"github.com/envwrap/envwrap/detect"
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

// directory is where we are. A directory that was removed under us has no name
// any more; what the shell called it will do, since commands can run in it.
func (w *World) directory() string {
	if dir, err := w.Dir(); err == nil {
		return dir
	}
	if pwd, ok := w.lookup("PWD"); ok && filepath.IsAbs(pwd) {
		return pwd
	}
	return string(filepath.Separator)
}

// path makes a file name that a user gave absolute.
func (w *World) path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(w.directory(), name)
}

// lookup is os.LookupEnv for the world's environment: of two variables of a name
// the first one counts, as with getenv(3). An empty one counts as unset.
func (w *World) lookup(name string) (string, bool) { return lookup(w.Environ, name) }

func lookup(environ []string, name string) (string, bool) {
	for _, e := range environ {
		if len(e) > len(name) && e[len(name)] == '=' && e[:len(name)] == name {
			return e[len(name)+1:], len(e) > len(name)+1
		}
	}
	return "", false
}
