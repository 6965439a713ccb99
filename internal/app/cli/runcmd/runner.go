package runcmd

import (
	"fmt"
	"os"
	"strings"
	"sync/atomic"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/runlog"
	"github.com/envwrap/envwrap/internal/app/session"
	"github.com/envwrap/envwrap/internal/platform/output"
	"github.com/envwrap/envwrap/internal/shared/errtext"
	"github.com/envwrap/envwrap/internal/shared/term"
	"github.com/envwrap/envwrap/job"
	"github.com/envwrap/envwrap/redact"
	"github.com/envwrap/envwrap/wrap"
)

// A Runner is one run from its command line to its envelope.
type Runner struct {
	*cli.Env
	Call *cli.Call
	O    *RunOptions
	cmd  *wrap.Command // that of the session
	sink *output.Sink

	Session *session.Session // nil before MakeSession

	task      string          // id of the run where it is a job; "" is a new one
	super     *job.Supervisor // of the job that the run belongs to; nil if it is no job
	recorded  bool            // that job is only a record of the foreground run (--on)
	far       string          // the id of the job at the far end that runs the command (--on)
	unsettled bool            // what became of the run on a runner is not known yet
	cut       string          // the last words of the connection to it, masked

	jobs     *job.Store // where the run becomes a job (--wait); nil where it stays in the foreground
	ranAsJob bool       // it did, and the job's supervisor has recorded it

	category string // the category of the answer in delegator/v3.6; "" for a run

	limits runlog.Limits // of the record of runs

	printed []byte // the last envelope that was written, or was to be

	bytes bool // stdout gets the command's own bytes, and no envelope (--emit)

	signals chan os.Signal  // what envwrap is sent once the run has passed the gate; nil where nobody looks
	gate    *startGate      // nil where signals reach the run from its beginning
	early   *earlyEnd       // answers in place of a run that did not pass the gate
	late    <-chan *Runner  // the same with its output, which takes too long to open; nil for none
	readers *output.Readers // of what envwrap writes

	briefing *briefing       // shows output before the answer; nil shows none
	shown    *envelope.Shown // what the reader has seen before the answer
	heirs    []heir          // pipes that other processes keep open
}

// An heir is a pipe that other processes hold open when the run is over.
type heir struct {
	pipe   *os.File
	stream string
}

// say prints a text on stderr, as [cli.Env.Complain] does. It masks the text, which is
// often in no record, or not in one yet. An error of stderr is ignored.
func (r *Runner) say(text string) {
	text = wrap.Mask(r.cmd.Redactor).Text(strings.TrimSpace(text))
	_, _ = fmt.Fprintf(r.readers.Writer(r.Stderr), "envwrap: %s\n", errtext.Bound(term.Text(text)))
}

// An earlyEnd answers for a run that a signal ends before its command was started. The
// goroutine of the run may be stuck anywhere, so an earlyEnd shares nothing with it but
// what neither changes: the environment, the command line, and what the run has published.
type earlyEnd struct {
	// answer answers for the run, by a runner of the same line, and returns the exit
	// status.
	answer func(r *Runner, sig os.Signal) int
	writes chan struct{}   // closed by answer when it begins to write, for which its time is limited; nil is not
	hold   <-chan struct{} // closed when answer may be called; nil is from the beginning

	env      cli.Env
	call     *cli.Call
	task     string
	category string // of the answer in delegator/v3.6
	gate     *startGate
	learned  atomic.Pointer[learned]
}

// learned holds the settings that a run has read so far and its answer depends on.
type learned struct {
	settings    *cli.Settings // nil is not known yet
	sessionMade bool          // the rest is known, too
	secrets     []redact.Value
	rules       []redact.Rule
	request     string // its id
}

// learn publishes more of what the run has read, for an early end.
func (r *Runner) learn(add func(*learned)) {
	if r.early == nil {
		return
	}
	var l learned
	if before := r.early.learned.Load(); before != nil {
		l = *before
	}
	add(&l)
	r.early.learned.Store(&l)
}

// writesToFile reports whether the envelope goes to neither stdout nor stderr.
func (r *Runner) writesToFile() bool {
	return r.O.output != "" && r.O.output != "-" && r.sink.Stream != r.Stdout && r.sink.Stream != r.Stderr
}

// engineRow returns the runner of --on if it has an engine, else nil.
func (r *Runner) engineRow() (*cli.RunnerRow, error) {
	if r.O.on == "" {
		return nil, nil
	}
	row, err := r.Env.Runner(r.O.on)
	if err != nil || row.Engine == nil {
		return nil, err
	}
	if row.Engine, err = row.Engine.With(r.O.resources); err != nil {
		return nil, &cli.UsageError{Text: err.Error(), Hint: "`envwrap runner ls` shows what a runner submits."}
	}
	return row, nil
}
