// Package wrap runs and supervises one command and returns a record of it that belongs
// to no format, an [envelope.Result]: how it ended, what that means, and what it printed,
// with secrets masked.
//
// The package knows processes and no formats. All that it depends on is in a [Command]:
// arguments, environment, streams, clock, signals, store, redactor.
package wrap

import (
	"io"
	"os"
	"time"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/redact"
)

// A Command describes a command to run: the process, its limits, and the treatment of
// its output. Argv, Env and Redactor are required; the zero value of every other field
// is a useful default. A Command must not be used by two runs at the same time.
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

// A Process is the process to run: its arguments, environment and stdin, and who
// watches it.
type Process struct {
	Argv  []string // the program and its arguments, as given
	Env   []string // the child's whole environment, NAME=value
	Dir   string   // where the child runs; "" is the current directory
	PWD   bool     // PWD in Env stays as it is; else it becomes Dir, unless that is ""
	Stdin Stdin
	// Terminal means that the child uses this process's terminal. It stays in this
	// process group, so that the terminal's signals reach it directly.
	Terminal bool

	// Below means that this process stands in the place of a shell, and that signals are
	// sent to its process group as they would be to that shell's. The child stays in the
	// group, and no signal is sent to it a second time. SIGTERM and SIGHUP end the run
	// within a tenth of a second, whatever the child does then, and SIGINT is the child's
	// to act on.
	Below bool
	// Heir, if not nil, takes over the pipe of a stream that other processes keep open when
	// the run is over: what they print later is no part of the record. It must not keep the
	// file itself, but a copy. stream is "stdout" or "stderr".
	Heir func(stream string, pipe *os.File)

	// Subreaper means that this process called [BecomeSubreaper] successfully and runs
	// nothing else: Run then also ends descendants that left the child's process group,
	// and names those that outlived it.
	Subreaper bool

	// IsHelper reports whether a descendant of the child, and with it all its own
	// descendants, does not belong to the run, so that Run neither ends it nor names it
	// as having outlived the child. nil means that all belong to it.
	IsHelper func(pid int) bool

	// Context is the value of ENVWRAP_CTX in Env, <run>:<pid of this process>, by which
	// an envwrap below the child can say that it printed an envelope; "" if it is unset.
	Context string

	// Started is called with the child's process id once it runs, and must return soon:
	// no limit and no signal is watched until then.
	Started func(pid int)

	// Signals delivers the signals that this process receives; nil delivers none.
	Signals <-chan os.Signal

	// BeforeStart, if not nil, is called in each run when the program was found and
	// nothing is left to do but to start it, which happens when BeforeStart returns. It
	// may wait.
	BeforeStart func()

	// Meanwhile, if not nil, is called when the command runs: there is time then for what is
	// not needed before its end. No limit and no signal is watched until it returns.
	Meanwhile func()
}

// Limits bound the time of a command, and how much of its output is shown and stored.
type Limits struct {
	Timeout     time.Duration // wall time; 0 for no limit
	IdleTimeout time.Duration // time without output; 0 for no limit
	KillAfter   time.Duration // from SIGTERM to SIGKILL; 0 is 5 s, below 0 is at once
	DrainQuiet  time.Duration // how long processes that outlived the child may be silent before reading ends; 0 is 100 ms

	MaxCapture  int64    // bytes of stdout; 0 is no limit
	OnOverflow  Overflow // how Run treats a stdout larger than MaxCapture
	MaxArtifact int64    // bytes stored of each stream; 0 is no limit
	InlineLimit int64    // largest inline output, as bytes of the compact protocol/v1 data; 0 means no inline output with a Store, else 32 KiB
	Excerpt     int      // bytes of excerpt, both streams together; 0 is 8 KiB for an error, else what fits into the inline limit and the budget, 8 KiB at least
}

// A Capture says how Run masks, stores, shows and passes on a command's output.
type Capture struct {
	Redactor *redact.Redactor
	// Store opens the artifact store. It is called at most once in a run, and only if
	// something is to be stored. If it is nil, output above the InlineLimit cannot be
	// stored: the record has an excerpt of it, and the outcome is EIO. The string is a
	// warning for the envelope, or "". The caller owns the store and closes it after Run,
	// which does not, so that one store serves many runs.
	Store func() (*artifact.Store, string, error)
	// Read returns the command line that prints an artifact.
	Read func(digest string) string
	// Stored reports whether the store has an object; nil has none. It is asked for the
	// digests in an envelope that the child printed.
	Stored func(digest string) bool
	// Load copies an object of the store to w; nil finds none. It is called for the output
	// of a nested run that its envelope names without saying what it is.
	Load func(digest string, w io.Writer) error
	// Queries reports whether the reader can run "envwrap artifact query"; nil is no. It is
	// asked when a JSON document was stored.
	Queries func() bool
	// KeepPipes stores what the first stage of a pipeline in a text of bash prints, if the
	// later stages only look at it, such as head and grep. It needs Linux, and does nothing
	// if stdout is passed through.
	KeepPipes bool
	// Placement decides which outputs are stored although they are within the
	// InlineLimit. It is asked again after each output that was moved there.
	Placement envelope.Placement
	// Recording receives what [Replay] needs; nil records nothing.
	Recording *Recording

	// LiveStdout and LiveStderr receive the redacted streams while the command runs,
	// unless they are nil. A write error ends that stream's copy and nothing else.
	LiveStdout, LiveStderr io.Writer
	// LiveStored means that LiveStdout and LiveStderr append to jobs/<run>/stdout and
	// stderr in the store: their bytes count against its size limit, and they receive no
	// more than fits. Where possible a large output is written once, by the store.
	LiveStored bool
	// Once the run has taken LiveAfter, unless that is 0, streams with a live reader are
	// written to the store as they come, so that a kill of this process leaves them there,
	// and Lasting is called, both in a goroutine of their own. The output of early stages
	// that KeepPipes keeps is written so, too. Kept is called, in any
	// goroutine, when a stream's part file was made in the store in dir: stream is "stdout",
	// "stderr" or "pipeline", and part is its name,
	// or "" if it could not be made. If it is nil no part files are made.
	LiveAfter time.Duration
	Lasting   func()
	Kept      func(stream, dir, part string)
	// Stdout and Stderr pass the streams on unchanged.
	Stdout, Stderr Passthrough
	// GiveUp is called at most once, if a run that was stopped still waits for a writer
	// of its output (LiveStdout, Passthrough.To and so on) after KillAfter or at a
	// second signal. The Write of these must return then. If GiveUp is nil, Run waits
	// for them without limit.
	GiveUp func()

	// Progress is called with the state of the run: at the first output, then every
	// ProgressEvery (0 means one second), in the goroutine that called Run. It must
	// return soon, since no limit and no signal is watched until then.
	Progress      func(envelope.Progress)
	ProgressEvery time.Duration
}

// A Meaning is how the output is read, and what it and the exit status mean.
type Meaning struct {
	Merge   bool // one pipe for both streams
	Parse   envelope.Parse
	OkExit  []int           // statuses that mean success, in addition to 0
	ExitMap map[int]Mapping // other meanings of statuses
}

// An Identity is copied to the record: who ran the command, where, and under which ids.
type Identity struct {
	Name      string // namespace/verb; "" is made from the program
	RequestID string
	TraceID   string
	TraceMade bool // TraceID was made up for this run
	Workspace string
	Agent     string
}

// Overflow chooses how Run treats a stdout larger than MaxCapture.
type Overflow int

const (
	OverflowError    Overflow = iota // EOUTPUT_TOO_LARGE; the child runs to its end
	OverflowTruncate                 // an excerpt inline, the rest in the store
	OverflowKill                     // the child is stopped
)

// A Mapping is the meaning that --exit-map gives to an exit status: an error code of
// the catalog, or an outcome. Exactly one of the two is set.
type Mapping struct {
	Code envelope.Code
	Kind envelope.Kind
}

// Stdin is the child's standard input.
type Stdin struct {
	Mode StdinMode
	File *os.File // the file of StdinFile, or the one that StdinAuto and StdinInherit pass on; nil means closed
}

// StdinMode chooses the child's standard input.
type StdinMode int

const (
	StdinAuto    StdinMode = iota // a terminal, file, device or pipe is inherited; else the null device
	StdinInherit                  // inherited, whatever it is
	StdinNull                     // the null device
	StdinFile                     // the file that is given
)

// Defaults of a Command.
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

// A Recording holds all that [Replay] needs of a run: how it ended, and both
// redacted streams. [Replay] decides anew what they mean. Run fills in the Recording of
// its Command.
type Recording struct {
	// Whole means that the command ended by itself and that both streams are complete.
	// Nothing else can be replayed.
	Whole bool `json:"-"`

	ExitCode int                 `json:"exit_code"`
	Signal   int                 `json:"signal,omitempty"` // 0 where it exited
	Name     string              `json:"signal_name,omitempty"`
	Started  time.Time           `json:"started"`
	Ended    time.Time           `json:"ended"`
	Usage    *envelope.Usage     `json:"usage,omitempty"`
	Left     []envelope.Leftover `json:"left,omitempty"`
	Warnings []string            `json:"warnings,omitempty"` // masked
	Nested   Nesting             `json:"nested,omitempty"`   // of the envelope on stdout
	Stdout   RecordedStream      `json:"stdout"`
	Stderr   RecordedStream      `json:"stderr"`

	// NotStarted and TimedOut say what the machine that ran the command saw beside its status.
	NotStarted StartFault `json:"-"`
	TimedOut   bool       `json:"-"` // after [Limits.Timeout]

	Kept       []envelope.Kept `json:"kept,omitempty"`        // without Read
	KeptMasked redact.Counts   `json:"kept_masked,omitempty"` // the secrets that were masked in Kept, by rule
}

// A StartFault is why a command was not started on another machine; the zero value means
// that it was, or that this is not known.
type StartFault int

// Why a command was not started.
const (
	NoProgram     StartFault = iota + 1 // on PATH, or at the path that was given
	NotExecutable                       // its file has no x bit for the user
	ProgramIsDirectory
	NoDirectory // [Command.Dir] cannot be entered
)

// A RecordedStream is one redacted stream, in memory or in the store.
type RecordedStream struct {
	Bytes    []byte        `json:"-"`
	Artifact string        `json:"artifact,omitempty"` // sha256:<64 hex>; Bytes is nil then
	Size     int64         `json:"size"`
	Masked   redact.Counts `json:"masked,omitempty"` // the secrets that were masked in it, by rule

	// Printed, unless nil, opens the stream as it was printed, which [Replay] then reads
	// once and masks; the other fields count for nothing. [Replayed.Show] leaves it out.
	Printed func() (io.ReadCloser, error) `json:"-"`
}

// A Nesting says how far an envwrap below the command vouched for the envelope on stdout.
type Nesting string

const (
	notNested      Nesting = ""
	nestedEnvelope Nesting = "envelope" // it printed that
	nestedEnd      Nesting = "end"      // and ended with the command's status
)
