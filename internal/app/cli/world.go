package cli

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/detect"
	"github.com/envwrap/envwrap/internal/app/session"
	"github.com/envwrap/envwrap/wrap"
)

// A World is everything that envwrap takes from its process. Tests make their own.
type World struct {
	Args    []string // the program and its arguments
	Environ []string // NAME=value
	Dir     func() (string, error)
	TempDir string   // for temporary files where TMPDIR is not set
	Stdin   *os.File // nil if descriptor 0 is closed
	Stdout  *os.File
	Stderr  *os.File
	Now     func() time.Time
	Random  io.Reader // of ids; never fails
	Build   Build
	Table   Table // the verbs
	// Signals takes over the signals that a run hands on, and closes ready once it takes
	// those that ask a process to end; nil takes those of this process.
	Signals func() (signals chan os.Signal, ready <-chan struct{})
	// Exit ends this process at once; only a signal before a command was started needs
	// it.
	Exit func(status int)
	// Executable returns the path of this program; nil if it has none.
	Executable func() (string, error)
	// Ancestors returns the environments of the ancestor processes; nil if the system
	// does not show them.
	Ancestors detect.Ancestors
	// Callers returns the ancestor processes, the parent first, and false if the system
	// does not show them.
	Callers func() (iter.Seq[caller], bool)

	// Vouched has the content that the files named by a trusted project's file had when
	// they were hashed, by path; nil is a file that did not exist.
	Vouched map[string][]byte

	// AgentReads is whether the calling agent reads Stdout itself; nil if not known
	// yet.
	AgentReads *bool

	// fetcher brings artifacts that are missing here; nil where nobody does.
	fetcher artifact.Fetcher
	// fetchMost is the most bytes that the store may have with them; 0 is no limit.
	fetchMost int64
}

// Build is the version of the program. Empty fields are taken from the build
// information of the go command.
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

		Exit:       os.Exit,
		Executable: os.Executable,

		Ancestors: ancestors,
		Callers:   callers,
	}
}

// Session returns the part of the World that a run needs.
func (w *World) Session() *session.World {
	return &session.World{
		Environ: w.Environ, Dir: w.Dir, TempDir: w.TempDir, Now: w.Now, Random: w.Random,
		Ancestors: w.Ancestors, EnclosingStore: w.enclosingStore, Program: w.Program,
	}
}

// Directory is [session.World.Directory].
func (w *World) Directory() string { return w.Session().Directory() }

// Path returns the absolute path of a file name that a user gave.
func (w *World) Path(name string) string { return w.Session().Path(name) }

// Lookup is [session.Lookup] in the world's environment.
func (w *World) Lookup(name string) (string, bool) { return session.Lookup(w.Environ, name) }

// Disabled reports whether ENVWRAP=0 asks to run the command without envwrap.
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

// Program returns a path by which this program can be started again. On Linux it works
// even if the file was replaced or removed.
func (w *World) Program() (string, error) {
	if w.Executable == nil {
		return "", errors.New("find this program: the system does not say where it is")
	}
	path, err := w.Executable()
	if err != nil { // where /proc is not mounted: as a shell found it
		if path, err = w.calledAs(); err != nil {
			return "", fmt.Errorf("find this program without /proc: %w", err)
		}
		return path, nil
	}
	if _, err := os.Stat(path); err != nil {
		path = "/proc/self/exe"
	}
	return path, nil
}

// calledAs returns the file that the name names by which this program was called.
func (w *World) calledAs() (string, error) {
	name := "envwrap"
	if len(w.Args) > 0 {
		name = w.Args[0]
	}
	path, err := exec.LookPath(name)
	if err == nil && filepath.Base(path) != "envwrap" {
		err = fmt.Errorf("%q is not called envwrap", path)
	}
	if err != nil {
		return "", err
	}
	return w.Path(path), nil
}

// enclosingStore returns the store that the nearest of the envwraps above got from its
// environment, or "". It removed the variable from ours, but its envelope names what we
// store, and readers look for that in its store.
func (w *World) enclosingStore() string {
	run := enclosingRun(w.Lookup)
	if run == 0 || w.Callers == nil {
		return ""
	}
	callers, ok := w.Callers()
	if !ok {
		return ""
	}
	for c := range callers {
		if c.pid != run || c.env == nil {
			continue
		}
		if dir, _ := c.env("ENVWRAP_STORE"); filepath.IsAbs(dir) {
			return dir
		}
		run = enclosingRun(c.env)
	}
	return ""
}

// ReportNested tells an envwrap that runs this process, if there is one, that doc is an
// envelope of envwrap's and that this process is about to end with status.
func (w *World) ReportNested(doc []byte, status int) {
	if context, ok := w.Lookup("ENVWRAP_CTX"); ok {
		wrap.ReportNested(context, doc, status)
	}
}

// CallingAgent returns the id of the calling agent, or "".
func (w *World) CallingAgent() string { return w.Session().Agent() }
