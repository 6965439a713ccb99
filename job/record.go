package job

import (
	"slices"
	"time"

	"github.com/envwrap/envwrap/envelope"
)

// A State says how far a job has come. The zero value is invalid.
type State string

// A job goes from queued to running to one of the last four, and never back.
// A queued job may also be canceled or lost.
const (
	Queued   State = "queued"   // it waits for its turn
	Running  State = "running"  // its command runs
	OK       State = "ok"       // its command ended, and the outcome is no error
	Failed   State = "error"    // its command ended, timed out, or did not start
	Canceled State = "canceled" // somebody asked it to end
	Lost     State = "lost"     // its supervisor was killed, or the machine restarted
)

// Over reports whether the job has come to an end and will not change any more.
func (s State) Over() bool { return s != Queued && s != Running }

func (s State) known() bool {
	return slices.Contains([]State{Queued, Running, OK, Failed, Canceled, Lost}, s)
}

// recordVersion is the number of the layout that this package writes.
const recordVersion = 1

// A Record is what is kept of a job beside its output. Every text in it is
// masked. It is replaced whole, so a reader never sees half of a change.
type Record struct {
	Version int    `json:"version"`
	ID      string `json:"id"` // ULID; its time is that of the submit
	State   State  `json:"state"`

	Command   string   `json:"command"`             // namespace/verb of the run's envelope
	Tool      string   `json:"tool"`                // base name of the program
	Argv      []string `json:"argv"`                // masked
	Dir       string   `json:"dir"`                 // where it was submitted, absolute
	Workspace string   `json:"workspace,omitempty"` // absolute
	Environ   []string `json:"environ"`             // names of the variables, sorted; never a value
	Agent     string   `json:"agent,omitempty"`     // who submitted it
	TraceID   string   `json:"trace_id,omitempty"`
	RequestID string   `json:"request_id,omitempty"` // UUID of the submit

	Submitted time.Time `json:"submitted"`
	Started   time.Time `json:"started,omitzero"` // zero before the command starts
	Ended     time.Time `json:"ended,omitzero"`   // zero before the job is over; of a lost job, when that was seen

	MaxJobs   int    `json:"max_jobs"`             // how many jobs may run for this one to start
	DedupeKey string `json:"dedupe_key,omitempty"` // digest of what makes two jobs the same
	Limits    Limits `json:"limits"`
	View      View   `json:"view"`

	Outcome *Outcome `json:"outcome,omitempty"` // nil before the job is over

	// The processes of this boot, from a file of their own, which need not
	// outlive it. A job that is over has none.
	Supervisor Process `json:"-"` // zero before it has said so
	Child      Process `json:"-"` // zero before the command starts
}

// Elapsed returns how long the command has run: until it ended, or until now.
func (r *Record) Elapsed(now time.Time) time.Duration {
	switch {
	case r.Started.IsZero():
		return 0
	case r.Ended.IsZero():
		return max(now.Sub(r.Started), 0)
	}
	return max(r.Ended.Sub(r.Started), 0) // the clock may have been set back
}

// Limits are those under which the command runs; 0 is none.
type Limits struct {
	Timeout     time.Duration `json:"timeout_ns,omitempty"`
	IdleTimeout time.Duration `json:"idle_timeout_ns,omitempty"`
	KillAfter   time.Duration `json:"kill_after_ns,omitempty"`
	MaxCapture  int64         `json:"max_capture,omitempty"`  // bytes of stdout
	MaxArtifact int64         `json:"max_artifact,omitempty"` // bytes a stream
	Retries     int           `json:"retries,omitempty"`
}

// A View is how the submit wanted the job's envelopes to be. A reader may ask
// for another one.
type View struct {
	Format        string           `json:"format"`    // name of a dialect
	ExitCode      string           `json:"exit_code"` // child, envelope or zero
	Layout        envelope.Layout  `json:"layout,omitempty"`
	IncludeOutput envelope.Include `json:"include_output,omitempty"`
	Budget        int              `json:"budget,omitempty"`       // characters; 0 is no limit
	InlineLimit   int64            `json:"inline_limit,omitempty"` // bytes
	Excerpt       int              `json:"excerpt,omitempty"`      // bytes; 0 is auto
	Parse         envelope.Parse   `json:"parse,omitempty"`
}

// A Process is one process of one boot of one machine: its id alone may be
// another's by now.
type Process struct {
	PID     int    `json:"pid"`
	Started string `json:"started,omitempty"` // as the system counts it; "" where it does not say
	Boot    string `json:"boot,omitempty"`    // id of the boot; "" where the system has none
	Space   string `json:"space,omitempty"`   // PID namespace in which it has the id; "" where the system does not say
}

// announced is what processFile has.
type announced struct {
	Supervisor Process `json:"supervisor"`
	Child      Process `json:"child,omitzero"`
}

// An Outcome is the short form of how a job ended; [Store.Result] has all of it.
type Outcome struct {
	Kind       envelope.Kind       `json:"kind"`
	Code       envelope.Code       `json:"code,omitempty"`    // "" exactly where the run is ok
	Message    string              `json:"message,omitempty"` // one line
	ExitCode   *int                `json:"exit_code,omitempty"`
	Signal     string              `json:"signal,omitempty"` // "SIGTERM"
	ExitStatus int                 `json:"exit_status"`      // what a faithful wrapper ends with
	Retryable  bool                `json:"retryable,omitempty"`
	Stdout     Output              `json:"stdout"`
	Stderr     Output              `json:"stderr"`
	Redactions envelope.Redactions `json:"redactions,omitzero"`
	Warnings   []string            `json:"warnings,omitempty"`
}

// An Output is where a stream of a job is.
type Output struct {
	Bytes    int64  `json:"bytes"` // of the masked stream
	Lines    int64  `json:"lines"`
	Artifact string `json:"artifact,omitempty"` // sha256:<64 hex>; "" where the stream is empty or the store failed
}
