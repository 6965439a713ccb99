package job

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/envwrap/envwrap/envelope"
)

// A State is a stage of a job. The zero value is invalid.
type State string

// A job goes from queued to running to one of the last four, and never back. A queued
// job may become canceled or lost directly.
const (
	Queued   State = "queued"   // waiting for its turn
	Running  State = "running"  // its command is running
	OK       State = "ok"       // its command ended without an error
	Failed   State = "error"    // its command ended, timed out, or did not start
	Canceled State = "canceled" // somebody asked it to end
	Lost     State = "lost"     // its supervisor was killed, or the machine restarted
)

// Over reports whether the job has ended, which is final.
func (s State) Over() bool { return s != Queued && s != Running }

func (s State) known() bool {
	return slices.Contains([]State{Queued, Running, OK, Failed, Canceled, Lost}, s)
}

// recordVersion is the number of the layout that this package writes.
const recordVersion = 1

// A Record describes a job; its output is stored apart. All texts in it are masked. It is
// replaced as a whole, so a reader never sees half of a change.
type Record struct {
	Version int    `json:"version"`
	ID      string `json:"id"`             // ULID, with the time of the submit
	Name    string `json:"name,omitempty"` // that the submit gave it; see [IsName]
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
	Ended     time.Time `json:"ended,omitzero"`   // zero before the job is over; for a lost job, when that was noticed

	MaxJobs   int    `json:"max_jobs"`             // how many jobs may run at a time, including this one
	DedupeKey string `json:"dedupe_key,omitempty"` // digest of what makes two jobs the same
	Limits    Limits `json:"limits"`
	Far       *Far   `json:"far,omitempty"`   // nil for a job that runs here
	Array     *Array `json:"array,omitempty"` // nil for a job that is no group
	View      View   `json:"view"`

	Outcome *Outcome `json:"outcome,omitempty"` // nil before the job is over

	// The job's processes, if they were started since the last boot. They are kept in a
	// file of their own. A job that is over has none.
	Supervisor Process `json:"-"` // zero until it has started
	Child      Process `json:"-"` // zero before the command starts
}

// MaskTexts masks the texts of r, except the name of a runner, by which its row is found.
func (r *Record) MaskTexts(m envelope.Mask) {
	r.Command, r.Argv = m.Command(r.Command), m.Args(r.Argv)
	texts := []*string{&r.Name, &r.Tool, &r.Dir, &r.Workspace, &r.Agent, &r.TraceID}
	if names := strings.Join(r.Environ, "\n"); m.Text(names) != names { // mostly none is one
		r.Environ = slices.Clone(r.Environ)
		for i := range r.Environ {
			texts = append(texts, &r.Environ[i])
		}
	}
	if r.Outcome != nil {
		r.Outcome.Warnings = slices.Clone(r.Outcome.Warnings)
		texts = append(texts, &r.Outcome.Message)
		for i := range r.Outcome.Warnings {
			texts = append(texts, &r.Outcome.Warnings[i])
		}
	}
	if r.Far != nil {
		texts = append(texts, &r.Far.Cut)
		if e := r.Far.Engine; e != nil {
			texts = append(texts, &e.Name, &e.ID, &e.Says, &e.Unasked)
		}
	}
	if a := r.Array; a != nil {
		masked := *a
		masked.Options, masked.Withheld = m.Args(a.Options), m.Args(a.Withheld)
		texts = append(texts, &masked.File, &masked.Only, &masked.Digest, &masked.Of)
		r.Array = &masked
	}
	for _, text := range texts {
		*text = m.Text(*text)
	}
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

// Limits are the limits of the job's command; 0 is no limit, or no retry.
type Limits struct {
	Timeout     time.Duration `json:"timeout_ns,omitempty"`
	IdleTimeout time.Duration `json:"idle_timeout_ns,omitempty"`
	KillAfter   time.Duration `json:"kill_after_ns,omitempty"`
	MaxCapture  int64         `json:"max_capture,omitempty"`  // bytes of stdout
	MaxArtifact int64         `json:"max_artifact,omitempty"` // bytes a stream
	Retries     int           `json:"retries,omitempty"`
}

// A View is the form of the job's envelopes that was asked for at the submit. A reader
// may choose another one.
type View struct {
	Format        string           `json:"format"`    // a dialect's name
	ExitCode      string           `json:"exit_code"` // "child", "envelope" or "zero"
	Layout        envelope.Layout  `json:"layout,omitempty"`
	IncludeOutput envelope.Include `json:"include_output,omitempty"`
	Budget        int              `json:"budget,omitempty"`       // characters; 0 is no limit
	InlineLimit   int64            `json:"inline_limit,omitempty"` // bytes
	Excerpt       int              `json:"excerpt,omitempty"`      // bytes; 0 is auto
	Parse         envelope.Parse   `json:"parse,omitempty"`
}

// processes is the content of processFile.
type processes struct {
	Supervisor Process `json:"supervisor"`
	Child      Process `json:"child,omitzero"`
}

// An Outcome is a summary of how a job ended; [Store.Result] returns the full record.
type Outcome struct {
	Kind       envelope.Kind       `json:"kind"`
	Code       envelope.Code       `json:"code,omitempty"`    // "" if and only if the run is ok
	Message    string              `json:"message,omitempty"` // one line
	ExitCode   *int                `json:"exit_code,omitempty"`
	Signal     string              `json:"signal,omitempty"` // "SIGTERM"
	ExitStatus int                 `json:"exit_status"`      // the status that a faithful wrapper exits with
	Retryable  bool                `json:"retryable,omitempty"`
	Stdout     Output              `json:"stdout"`
	Stderr     Output              `json:"stderr"`
	Redactions envelope.Redactions `json:"redactions,omitzero"`
	Warnings   []string            `json:"warnings,omitempty"`
	Within     []string            `json:"within,omitempty"` // further artifacts that the result names, of a run within the job's
}

// An Output is the size of a stream of a job, and the artifact that has it.
type Output struct {
	Bytes    int64  `json:"bytes"` // of the masked stream
	Lines    int64  `json:"lines"`
	Artifact string `json:"artifact,omitempty"` // sha256:<64 hex>; "" where the stream is empty or the store failed
}

// decode reads a record. The error wraps [ErrDamaged], but for a record that a
// later envwrap has written.
func (r *Record) decode(data []byte) error {
	if err := json.Unmarshal(data, r); err != nil {
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	switch {
	case r.Version > recordVersion:
		return fmt.Errorf("it has version %d, and this envwrap knows %d", r.Version, recordVersion)
	case r.Version != recordVersion || !r.State.known() || r.State.Over() && r.Outcome == nil:
		return fmt.Errorf("%w: it says nothing of a job", ErrDamaged)
	}
	return nil
}

// HandedOver is the State of a [Far] whose job may have reached the far end.
const HandedOver = "handed over"

// A Far says where a job is that runs on another machine.
type Far struct {
	Runner string `json:"runner"` // name of the runner in the user's configuration
	ID     string `json:"id"`     // ULID of the job at the far end
	// Mark is the mark without which the far end's store does not start the job. A later
	// answer from a store with this mark therefore comes from the store that was asked to
	// run the job. "" allows any store.
	Mark  string    `json:"mark,omitempty"`
	State string    `json:"state,omitempty"` // HandedOver, or "" before anything was sent
	At    time.Time `json:"at,omitzero"`     // when it was handed over
	Cut   string    `json:"cut,omitempty"`   // how the connection ended without an answer: its last words, masked
	// Engine says which job of the runner's engine it is; nil for a runner without one.
	Engine *EngineJob `json:"engine,omitempty"`
}

// handedOver reports whether the job may have reached the far end.
func (r *Record) handedOver() bool { return r.Far != nil && r.Far.State == HandedOver }

// A Stream names one of a job's two outputs.
type Stream string

const (
	Stdout Stream = "stdout"
	Stderr Stream = "stderr"
)

// Retain is how long a job's record is kept and its output pinned after its end, unless
// Cleanup is called with a shorter time.
const Retain = 14 * 24 * time.Hour
