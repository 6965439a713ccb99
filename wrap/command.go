// Package wrap supervises one command and makes the
// neutral record of it: an [envelope.Result].
//
// It knows processes and no formats. The world comes in through [Command]:
// arguments, environment, streams, clock, signals, store, redactor.
package wrap

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/redact"
)

// A Command is what to run, under which limits, and what becomes of what it
// prints. Argv, Env and Redactor are required. The zero value of everything else is
// a useful default. One run at a time may use a Command.
type Command struct {
	Process
	Limits
	Capture
	Meaning
	Identity

	Warnings []string         // from before the run
	Now      func() time.Time // nil is time.Now

	retrying bool // it is one run of a Retry: nobody advises to retry
}

// A Process is what is run.
type Process struct {
	Argv  []string // the program and its arguments, as given
	Env   []string // the child's whole environment, NAME=value
	Dir   string   // where the child runs; "" is the current directory
	Stdin Stdin
	// Terminal says that the child talks to a terminal of ours: it then
	// stays in our process group, and the terminal's signals reach it without us.
	Terminal bool

	// Subreaper says that this process is the parent of its orphaned
	// descendants (see BecomeSubreaper) and runs nothing else: Run then ends
	// what left the child's group too, and names what outlived it.
	Subreaper bool

	// IsHelper reports whether a process that descends from the run is not of it,
	// with all that descends from that one: it is not ended with the run, nor
	// named as having outlived it. nil is none.
	IsHelper func(pid int) bool

	// Started gets the child's process id, once it runs. Nothing is watched before
	// it returns.
	Started func(pid int)

	// Signals are what envwrap was sent; nil is none.
	Signals <-chan os.Signal

	// Ready is closed once Signals gets them, and the command starts no sooner; nil
	// is at once.
	Ready <-chan struct{}
}

// Limits are how long a command may run, and how much of its output is shown and
// kept.
type Limits struct {
	Timeout     time.Duration // wall time; 0 is none
	IdleTimeout time.Duration // time without output; 0 is none
	KillAfter   time.Duration // from SIGTERM to SIGKILL; 0 is 5 s, below 0 is at once
	DrainQuiet  time.Duration // how long what the child left may be silent before reading ends; 0 is 100 ms

	MaxCapture  int64    // bytes of stdout; 0 is no limit
	OnOverflow  Overflow // what stdout above MaxCapture means
	MaxArtifact int64    // bytes a stream that the store takes; 0 is no limit
	InlineLimit int64    // bytes of the compact protocol/v1 data; 0 is none where there is a Store, else 32 KiB
	Excerpt     int      // bytes of excerpt, both streams together; 0 is 8 KiB of an error, else 2 KiB
}

// A Capture says what becomes of the output.
type Capture struct {
	Merge bool // one pipe for both streams

	Redactor *redact.Redactor
	// Store returns the artifact store; it is called at most once in a run, and only
	// if something is to be stored. The string is a warning for the envelope. The
	// store stays the caller's, who closes it when Run has returned: Run does not,
	// so that one store serves many runs.
	Store func() (*artifact.Store, string, error)
	// Read makes the command that shows an artifact.
	Read func(digest string) string
	// Placement says which outputs go to the store although they are within the
	// InlineLimit. It is asked again after each that was moved there.
	Placement envelope.Placement
	// Recording gets what Replay needs to make the record again; nil keeps nothing.
	Recording *Recording

	// LiveStdout and LiveStderr get the redacted streams as they come; nil is
	// nothing. A write error stops that stream's copy and nothing else.
	LiveStdout, LiveStderr io.Writer
	// LiveStored says that they write to the store too, which counts what they get
	// and lets them have no more than it takes itself.
	LiveStored bool
	// Stdout and Stderr hand the streams on as the child wrote them.
	Stdout, Stderr Passthrough
	// GiveUp is called, once at the most, where a run that a limit or a signal
	// has ended still waits after KillAfter, or at a second signal, for a writer
	// of its output (LiveStdout, Passthrough.To and the like): their Write must then
	// return. nil waits for them without end.
	GiveUp func()

	// Progress is called with the state of the run: at once on the first output,
	// then every ProgressEvery (one second where it is 0), by the goroutine that
	// called Run. Until it returns, no limit and no signal is watched.
	Progress      func(envelope.Progress)
	ProgressEvery time.Duration
}

// A Meaning says what the exit status and the output mean.
type Meaning struct {
	Parse   envelope.Parse
	OkExit  []int           // statuses that mean success, in addition to 0
	ExitMap map[int]Mapping // what else a status means
}

// An Identity is what the record carries through.
type Identity struct {
	Name      string // namespace/verb; "" is made from the program
	RequestID string
	TraceID   string
	TraceMade bool // TraceID was made up for this run
	Workspace string
	Agent     string
}

// Overflow says what happens when stdout is larger than MaxCapture.
type Overflow int

const (
	OverflowError    Overflow = iota // EOUTPUT_TOO_LARGE; the child runs to its end
	OverflowTruncate                 // an excerpt inline, the rest in the store
	OverflowKill                     // the child is stopped
)

// A Mapping is what --exit-map says of one exit status: a code of the
// catalog, or an outcome. Exactly one of the two is set.
type Mapping struct {
	Code envelope.Code
	Kind envelope.Kind
}

// Stdin says what the child reads.
type Stdin struct {
	Mode StdinMode
	File *os.File // for StdinFile, and what StdinAuto and StdinInherit hand on; nil is closed
}

// StdinMode chooses the child's standard input.
type StdinMode int

const (
	StdinAuto    StdinMode = iota // terminal, file and pipe are inherited; else null
	StdinInherit                  // whatever it is
	StdinNull                     // the null device
	StdinFile                     // a file that was named
)

// What holds where a Command says nothing.
const (
	defaultKillAfter   = 5 * time.Second
	defaultInlineLimit = 32 << 10 // without a store
)

// killAfter returns the time from SIGTERM to SIGKILL.
func (c *Command) killAfter() time.Duration {
	if c.KillAfter == 0 {
		return defaultKillAfter
	}
	return max(c.KillAfter, 0)
}

// inlineLimit returns how many bytes of the record's data may stay in it.
func (c *Command) inlineLimit() int64 {
	if c.InlineLimit == 0 && c.Store == nil {
		return defaultInlineLimit
	}
	return c.InlineLimit
}

// toolName is the base name of a program, without .exe.
func toolName(program string) string {
	name := filepath.Base(filepath.ToSlash(program))
	if ext := filepath.Ext(name); strings.EqualFold(ext, ".exe") {
		name = strings.TrimSuffix(name, ext)
	}
	return name
}

// commandName is the envelope's command: the user's, or the program's.
func commandName(given, tool string) string {
	if given != "" {
		return given
	}
	return envelope.CommandName(tool)
}

// A Recording is what there is to keep of a run so that it can be replayed: facts,
// and both streams as they were after redaction. What they mean is judged
// anew by [Replay]. Run fills the Recording of its Command.
type Recording struct {
	// Whole says that the command ran to an end of its own and that both
	// streams are here to the last byte. Nothing else can be replayed.
	Whole bool `json:"-"`

	Program  string              `json:"program"` // what was started
	ExitCode int                 `json:"exit_code"`
	Signal   int                 `json:"signal,omitempty"` // 0 where it exited
	Name     string              `json:"signal_name,omitempty"`
	Started  time.Time           `json:"started"`
	Ended    time.Time           `json:"ended"`
	Usage    *envelope.Usage     `json:"usage,omitempty"`
	Left     []envelope.Leftover `json:"left,omitempty"`
	Warnings []string            `json:"warnings,omitempty"` // masked
	Stdout   RecordedStream      `json:"stdout"`
	Stderr   RecordedStream      `json:"stderr"`
}

// A RecordedStream is one redacted stream: in memory, or in the store.
type RecordedStream struct {
	Bytes    []byte        `json:"-"`
	Artifact string        `json:"artifact,omitempty"` // sha256:<64 hex>; Bytes is nil then
	Size     int64         `json:"size"`
	Masked   redact.Counts `json:"masked,omitempty"` // what was masked in it
}
