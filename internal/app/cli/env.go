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

// An Env is everything that envwrap takes from its process: arguments, environment,
// streams, clock, ids. Tests make their own.
type Env struct {
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

	// printed counts the bytes of a verb's answer.
	printed int64
}

// Build is the version of the program. Empty fields are taken from the build
// information of the go command.
type Build struct{ Version, Commit, Date string }

// Here returns the Env of this process.
func Here(b Build, verbs Table) *Env {
	return &Env{
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

// Session returns the part of env that a run needs.
func (env *Env) Session() *session.Env {
	return &session.Env{
		Environ: env.Environ, Dir: env.Dir, TempDir: env.TempDir, Now: env.Now, Random: env.Random,
		Ancestors: env.Ancestors, EnclosingStore: env.enclosingStore, Program: env.Program,
	}
}

// Directory is [session.Env.Directory].
func (env *Env) Directory() string { return env.Session().Directory() }

// Path returns the absolute path of a file name that a user gave.
func (env *Env) Path(name string) string { return env.Session().Path(name) }

// Lookup is [session.Lookup] in env.Environ.
func (env *Env) Lookup(name string) (string, bool) { return session.Lookup(env.Environ, name) }

// Disabled reports whether ENVWRAP=0 asks to run the command without envwrap.
func (env *Env) Disabled() bool {
	v, ok := env.Lookup("ENVWRAP")
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
func (env *Env) Program() (string, error) {
	if env.Executable == nil {
		return "", errors.New("find this program: the system does not say where it is")
	}
	path, err := env.Executable()
	if err != nil { // where /proc is not mounted: as a shell found it
		if path, err = env.calledAs(); err != nil {
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
func (env *Env) calledAs() (string, error) {
	name := "envwrap"
	if len(env.Args) > 0 {
		name = env.Args[0]
	}
	path, err := exec.LookPath(name)
	if err == nil && filepath.Base(path) != "envwrap" {
		err = fmt.Errorf("%q is not called envwrap", path)
	}
	if err != nil {
		return "", err
	}
	return env.Path(path), nil
}

// enclosingStore returns the store that the nearest of the envwraps above got from its
// environment, or "". It removed the variable from ours, but its envelope names what we
// store, and readers look for that in its store.
func (env *Env) enclosingStore() string {
	run := enclosingRun(env.Lookup)
	if run == 0 || env.Callers == nil {
		return ""
	}
	callers, ok := env.Callers()
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
func (env *Env) ReportNested(doc []byte, status int) {
	context, _ := env.Lookup("ENVWRAP_CTX")
	wrap.ReportNested(context, doc, status)
}

// CallingAgent returns the id of the calling agent, or "".
func (env *Env) CallingAgent() string { return env.Session().Agent() }
