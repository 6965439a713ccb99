package wrap

import (
	"os"
	"slices"
	"syscall"
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/redact"
	"github.com/envwrap/envwrap/wrap/internal/nesting"
	"github.com/envwrap/envwrap/wrap/internal/proctree"
	"github.com/envwrap/envwrap/wrap/internal/signals"
	"github.com/envwrap/envwrap/wrap/internal/tap"
)

// A run is one execution of a Command.
type run struct {
	c     *Command
	mask  masker
	store *lazyStore

	stdin     *os.File
	ownsStdin bool
	streams
	printed chan struct{} // gets one when the child printed something

	exited chan *os.ProcessState // gets how it ended; nil where the system does not say

	tree           proctree.Tree // the child and what it starts
	probe          *probe        // asks a shell about the stages of its pipeline; nil without such a shell
	tap            *tap.Tap      // reads what the pipelines of kept pass on; nil without
	kept           []*keptOutput // of the text's pipelines
	keptMasked     redact.Counts // of what the record names of that
	replayed       *Recording    // which this run comes from; nil if the command runs
	failure        *startFailure // why there is no process
	end            exitState     // how the process ended
	usage          *envelope.Usage
	stopped        stop // why we stopped it
	letGo          bool // the run is over although the child may still run
	gaveUp         bool // nobody waits for those who read the output any more
	echoed         bool // the terminal on stdin echoed when the run began
	waitedForStdin bool // it was reading stdin when its time was over

	below  *nesting.Register // envelopes that envwraps below the child reported
	nested Nesting           // of the envelope on stdout

	started, ended time.Time
	held           []proctree.Process // processes that kept the output open when reading it ended
	left           []envelope.Leftover
	warnings       []string
}

// An exitState says how a process ended: with a status, or by a signal.
type exitState struct {
	code   int
	signal int    // 0 where it exited
	name   string // of the signal
	lost   bool   // the system did not say (another process reaped the child)
}

// newRun prepares a run. At a terminal the child stays in our process group, else
// reading the terminal would stop it (SIGTTIN).
func newRun(c *Command) *run {
	return &run{
		c:        c,
		tree:     proctree.Tree{Config: proctree.Config{OwnGroup: !c.Terminal && !c.Below, Subreaper: c.Subreaper, IsHelper: c.IsHelper}},
		mask:     masker{redactor: c.Redactor},
		store:    &lazyStore{open: c.Store},
		streams:  streams{pumped: make(chan struct{})},
		printed:  make(chan struct{}, 1),
		exited:   make(chan *os.ProcessState, 1),
		warnings: slices.Clone(c.Warnings),
	}
}

func (r *run) now() time.Time {
	if r.c.Now != nil {
		return r.c.Now()
	}
	return time.Now()
}

func (r *run) warn(text string) {
	if !slices.Contains(r.warnings, text) {
		r.warnings = append(r.warnings, text)
	}
}

// over reports whether the stream is larger than the capture limit.
func (r *run) over(c *capture) bool { return r.c.MaxCapture > 0 && c.bytes > r.c.MaxCapture }

// A recorder makes the neutral record of a run that has ended.
type recorder struct {
	*run
	res      *envelope.Result
	parseErr error    // stdout is not the JSON that was asked for
	storeErr error    // why a stream that had to be stored was not
	lost     []string // parts of the output that are neither in the store nor in the record
	within   []slot   // the streams of a nested run that its envelope has
}

// A slot is a place in the record that can hold a stream inline.
type slot struct {
	capture *capture
	stream  *envelope.Stream
	payload bool // the adopted envelope's payload replaces the stream
	nested  bool // the stream belongs to a nested run
}

// Exit statuses of a wrapper (POSIX, XCU 2.8.2; coreutils timeout(1)).
const (
	statusTimeout       = 124
	statusSelf          = 125 // envwrap itself failed
	statusNotExecutable = 126
	statusNotFound      = 127
	statusSignal        = 128 // plus the signal's number
)

// A startFailure is the reason for which the child never ran.
type startFailure struct {
	status      int
	code        envelope.Code
	kind        envelope.Kind
	message     string // one line, the program first
	hint        string
	interpreter string
	retryable   bool
	missing     string   // the name that was looked for on PATH
	suggestions []string // programs that may have been meant
}

// A stop is the reason for which envwrap ended the child itself; the zero value means that it did not.
// The first reason stays.
type stop struct {
	cause  cause
	signal os.Signal // for stopCanceled: the signal that envwrap got; nil for a done context
	late   bool      // for stopOverflow: the child had ended before it was stopped
}

type cause int

const (
	stopNone cause = iota
	stopTimeout
	stopIdle
	stopCanceled
	stopOverflow
)

// name returns the signal that envwrap was sent, or "" if its context was done.
func (s stop) name() string {
	if s.signal == nil {
		return ""
	}
	return signals.Name(s.signal)
}

// number returns the signal's number; a done context counts as SIGTERM.
func (s stop) number() int {
	if s.signal == nil {
		return int(syscall.SIGTERM)
	}
	return signals.Number(s.signal)
}
