package cli

import (
	"io"
	"iter"
	"math/rand/v2"
	"os"
	"sync"
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
	Random  io.Reader // of ids; never fails
	Build   Build
	Table   Table // the verbs
	// Executable is the path of this program; nil where it has none.
	Executable func() (string, error)
	// Ancestors shows the environments of the processes above; nil where the
	// system does not.
	Ancestors detect.Ancestors
	// Callers goes through the processes above, the parent first, and reports
	// false where the system does not show them.
	Callers func() (iter.Seq[caller], bool)

	// Vouched are the files that a trusted project's file names, by their path,
	// as they were when they were hashed; nil is a file that was not there.
	Vouched map[string][]byte

	// AgentReads is whether the agent that calls reads Stdout itself; nil is to find
	// out.
	AgentReads *bool

	// fetcher brings artifacts that are missing here; nil where nobody does.
	fetcher artifact.Fetcher
	// fetchMost is the most bytes that the store may have with them; 0 is no limit.
	fetchMost int64
}

// Build says which envwrap this is. Empty fields are read from the stamp that
// the go command leaves in the program.
type Build struct{ Version, Commit, Date string }

// Here returns the World of this process.
func Here(b Build, verbs Table) *World {
	return &World{
		Args:    os.Args,
		Environ: os.Environ(),
		Dir:     sync.OnceValues(os.Getwd), // envwrap stays where it is
		TempDir: os.TempDir(),
		Stdin:   os.Stdin,
		Stdout:  os.Stdout,
		Stderr:  os.Stderr,
		Now:     time.Now,
		Random:  idSource{},
		Build:   b,
		Table:   verbs,

		Executable: os.Executable,

		Ancestors: ancestors,
		Callers:   callers,
	}
}

// Session returns the part of the world that a run needs.
func (w *World) Session() *session.World {
	return &session.World{
		Environ: w.Environ, Dir: w.Dir, TempDir: w.TempDir, Now: w.Now, Random: w.Random,
		Ancestors: w.Ancestors, EnclosingStore: w.enclosingStore, Program: w.Program,
	}
}

// Directory is [session.World.Directory].
func (w *World) Directory() string { return w.Session().Directory() }

// Path makes a file name that a user gave absolute.
func (w *World) Path(name string) string { return w.Session().Path(name) }

// Lookup is [session.Lookup] in the world's environment.
func (w *World) Lookup(name string) (string, bool) { return session.Lookup(w.Environ, name) }

// Disabled reports whether ENVWRAP=0 asks for the bare command.
func (w *World) Disabled() bool {
	v, ok := w.Lookup("ENVWRAP")
	return ok && (v == "0" || v == "false")
}

// An idSource reads random bytes from math/rand/v2, which is seeded by the system:
// ids have to differ, and none is a secret. The first read of crypto/rand in a process
// costs it six page faults.
type idSource struct{}

func (idSource) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = byte(rand.Uint32())
	}
	return len(b), nil
}
