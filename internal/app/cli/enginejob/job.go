package enginejob

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/engine"
	"github.com/envwrap/envwrap/job"
)

// How a job of an engine is watched. The end of a run is what its far side has left in the
// job's directory; the engine's word decides only if nothing is there.
const (
	lookMost     = time.Second // between two looks for files, which begin with lookLeast
	lookLeast    = 50 * time.Millisecond
	askMost      = 15 * time.Second // between two questions, which begin with askLeast
	askLeast     = time.Second
	apartAskMost = 2 * time.Second // for an engine that shares no files
	// grace is how long after the engine's word that a job is over its files may come:
	// NFS shows a new file late.
	grace = 10 * time.Second
	// unknownMost is how long after its submit an engine may not know a job.
	unknownMost = time.Minute
	// silentMost is how long a job may wait before its caller is told why.
	silentMost = 10 * time.Second
	// droppedMost is how long after it was canceled the end of a command may come that its
	// engine lists no more.
	droppedMost = time.Hour
	// StopMost is how long each step of a cancellation has.
	StopMost = 1500 * time.Millisecond

	AnswerMost = 10 * time.Second       // for an answer to a question, and between two pieces of a log
	SubmitMost = 20 * time.Second       // for an answer to a submit
	cancelMost = 4 * time.Second        // for all of a cancellation
	forgetMost = 600 * time.Millisecond // of which for what the engine is to remove
	killAfter  = 300 * time.Millisecond // from SIGTERM to SIGKILL of a command that has not answered
	outputMost = 2 * time.Second        // from the end of a command to that of its output, which a process that it has left may hold
)

// A Job is a job of a runner's engine.
type Job struct {
	*cli.Env
	Inherit []string // the environment of the engine's commands
	Store   *job.Store
	Record  *job.Record // as it is known now
	Row     *cli.RunnerRow
	Mask    envelope.Mask

	program func(name string) string // finds a program of the engine; nil looks on PATH

	unit      string          // what last ran its command
	fault     error           // why the engine could not be asked, the last time
	strange   bool            // what it said last is no state that is known
	hurried   bool            // its caller has no time to wait for what can fail
	queued    bool            // the engine's last word is that it has not started
	dropped   bool            // it was canceled, and may go on: see mayGoOn
	waits     map[string]bool // words of the engine that were shown while the job waits
	stopAsked time.Time       // when the engine was last asked why it ended the command

	lines    []string          // of the group's file; nil before the first is needed
	missed   map[int]time.Time // when the log of a member of the group could first not be read
	brought  bool              // members of the group have ended whose logs were not read yet
	lost     string            // why what it printed is lost; "" if it is not
	cut      bool              // it printed more than was kept
	unread   string            // why what it printed does not say whether it was started; "" if it does
	follow   bool              // somebody follows what it prints
	shown    io.Writer         // masks the part of a marked log that its followers see; nil before the first part
	shownTo  int64             // how much of it was shown
	endShown func()            // ends shown
	copying  chan struct{}     // closed once all that it printed was copied; nil if it is not copied

	gone time.Time // since when the engine says that it is over, without a trace of the end
}

// Words returns what the placeholders of the engine's commands stand for.
func (e *Job) Words() *engine.Job {
	dir, far := e.Store.Path(e.Record.ID), e.Record.Far.Engine
	script := filepath.Join(dir, "script")
	if len(e.Row.Command) > 0 { // it runs the submit elsewhere
		script = engine.StdinScript
	}
	what := &engine.Job{
		ID: far.ID, Name: far.Name, Dir: e.Record.Dir, Script: script,
		Out: filepath.Join(dir, engine.Log), Err: filepath.Join(dir, engine.Log), Unit: e.unit, Array: arrayWord(e.Record.Array),
	}
	if a := e.Record.Array; a != nil {
		what.Members, what.Parallel = a.Members, a.Parallel
	}
	if e.Row.Engine != nil && e.Row.Engine.Apart() { // where the engine puts them
		what.Out, what.Err = far.Name+".log", far.Name+".err"
	}
	return what
}

// arrayWord returns the members of a group as sbatch(1) names them; "" for any other job.
func arrayWord(a *job.Array) string {
	if a == nil {
		return ""
	}
	word := cmp.Or(a.Only, fmt.Sprintf("%d-%d", a.First, a.First+a.Members-1))
	if a.Parallel < a.Members {
		word += fmt.Sprintf("%%%d", a.Parallel)
	}
	return word
}
