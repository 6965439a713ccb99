package envelope

import (
	"encoding/json"
	"time"

	"github.com/envwrap/envwrap/envelope/internal/wire"
)

// A Result is the record of one run, in no particular format. All texts in it are
// redacted. Dialects write it and decide nothing.
type Result struct {
	Command   string        // namespace/verb, for instance "exec/git"
	Tool      string        // base name of the program; "envwrap" if there is none
	Argv      []string      // redacted
	RequestID string        // UUID, lower case; "" is left out
	TaskID    string        // ULID, without a prefix
	JobID     string        // ULID; "" for a run in the foreground
	TraceID   string        // 32 hex digits, or what the user gave
	TraceMade bool          `json:",omitempty"` // TraceID was generated for this run; in no dialect
	Workspace string        // absolute path
	Agent     string        // id of the calling agent; "" is written as "unknown"
	Source    string        // "run", "cache"; "" is written as "run"
	CacheKey  string        // sha256:<64 hex>; "" is left out
	CacheAge  time.Duration // how long ago a run from the cache ended
	Stale     bool          // it is older than was asked for, and is being refreshed
	Started   time.Time
	Ended     time.Time
	Duration  time.Duration // monotonic, so not always Ended-Started

	// ExitStatus is the status that a faithful wrapper exits with (0 to 255): the
	// child's own status, 128+n, or 124 to 127. No dialect has it.
	ExitStatus int

	Outcome Outcome
	Stdout  Stream
	Stderr  Stream

	SkippedSources []string   // what a partial run left out
	Redactions     Redactions // what was masked in both streams and argv
	Warnings       []string
	Usage          *Usage     // nil if the platform does not report it
	Runner         string     // name of the runner that ran it; "" if it ran here
	Pipeline       []int      // statuses of the stages of a shell's pipeline, if one is not 0
	Leftovers      []Leftover // processes that outlived the run

	// Jobs is an answer about background jobs; nil for a run. If it is set the Result
	// has no streams, and Outcome is whether the question could be answered, not how a
	// job ended.
	Jobs *Jobs
	// Payload is the payload of an envelope that was decoded or adopted, as one JSON
	// value: the `data` of protocol/v1, the extra members of helper/v1, and so on. It
	// is nil for an ordinary run.
	Payload json.RawMessage `json:",omitempty"`
	// Exec is the record of the run that printed the adopted envelope; nil for an
	// ordinary run. If it is set, the Result's own Outcome, Command and times are those
	// of the adopted envelope.
	Exec *Result
	// Nested means that the adopted envelope is envwrap's own record of a run: command
	// line and streams of the Result are those of that run.
	Nested bool `json:",omitempty"`
	// Dialect names the format that the record was read from; "" for a run.
	Dialect string
	// Progress marks the record of a decoded progress event.
	Progress bool
	// Category is the tool_category of delegator/v3.6; "" is "wait_result".
	Category string
	// Markdown is the block for people of a decoded tool-envelope/v1.
	Markdown string
	// Extra are the members of a decoded envelope's meta block (metadata in
	// agent-response/v1) that have no field above, in order. In an Exec, its member
	// "exec" is the inner run if an adopted envelope was adopted again.
	Extra Fields
	// Unnamed are the members of a decoded protocol/v1 envelope, beside its data and
	// meta, that its document does not define.
	Unnamed Fields
}

// A Progress is the state of a run that has not ended.
type Progress struct {
	Stage       string   // one word: "running", "stopping"
	Message     string   // the last line printed, redacted; "" before there is one
	Pct         *float64 // 0 to 100, as the command printed it; nil if it did not
	Elapsed     time.Duration
	StdoutBytes int64
	StderrBytes int64
	Lines       int64 // newlines on both streams
	Asks        bool  // the command waits for input from its terminal
}

// An Outcome is how a run ended.
type Outcome struct {
	Kind         Kind
	Code         Code       // "" if and only if the run is ok
	ForeignCode  string     // the code of a decoded envelope if it is not in the catalog; else ""
	Message      string     // one line; "" if and only if Code is ""
	Hint         string     // what the caller can do; "" if unknown
	Retryable    bool       // running the same command again may help
	ClassifiedBy Classifier // what decided Code
	Meaning      string     // the meaning in the table of exit statuses, or ""
	ExitCode     *int       // nil if the child has none
	Signal       string     // "SIGTERM"; "" if no signal ended the child
	Timeout      TimeoutType
	Interpreter  string   // the missing interpreter of a script
	Suggestions  []string // names of similar programs that exist
	Network      bool     // the network failed (a category of its own in tool-envelope/v1)
	// Details are further members of the error's details, in order: attempts, backoff,
	// retry_after, or those of a decoded envelope.
	Details Fields
	Unnamed Fields // members of a decoded protocol/v1 error that its document does not define
}

// OK reports whether the run is not an error.
func (o *Outcome) OK() bool { return o.Code == "" }

// TimeoutType names one of the two time limits.
type TimeoutType string

const (
	NoTimeout   TimeoutType = ""
	HardTimeout TimeoutType = "hard" // --timeout
	IdleTimeout TimeoutType = "idle" // --idle-timeout
)

// Usage is the child's use of the machine.
type Usage struct {
	UserMS      int64 `json:"user_ms" is:"unsigned" doc:"CPU time in user mode, in milliseconds"`
	SysMS       int64 `json:"sys_ms" is:"unsigned" doc:"CPU time in the system, in milliseconds"`
	MaxRSSBytes int64 `json:"max_rss_bytes" is:"unsigned" doc:"most memory at a time"`
}

// A Leftover is a process that was still running when the run was over.
type Leftover struct {
	PID  int    `json:"pid" doc:"process id"`
	Name string `json:"name" doc:"name of the program"`
}

// Fields is a JSON object whose members keep their order: []Field.
type Fields = wire.Fields

// A Field is one member of Fields: its Name, and its Value, which is valid JSON.
type Field = wire.Field

// Redactions counts the masked secrets: in Total, and by the rule that found them in
// ByRule.
type Redactions = wire.Redactions

// A Fault is one thing that is wrong with a document: the Pointer to the place
// (JSON Pointer, RFC 6901; "" is the whole document), the stable name of the
// Rule, and a Text that says what was found and what is allowed.
type Fault = wire.Fault
