package envelope

import (
	"encoding/json"
	"time"

	"github.com/envwrap/envwrap/envelope/internal/wire"
	"github.com/envwrap/envwrap/excerpt"
)

// A Result is the neutral record of one run. Every text in it is redacted
// already. Dialects only spell it; none of them decides anything.
type Result struct {
	Command   string        // namespace/verb, for instance "exec/git"
	Tool      string        // base name of the program; "envwrap" where there is none
	Argv      []string      // redacted
	RequestID string        // UUID, lower case; "" lets the encoder's caller go without
	TaskID    string        // ULID, without a prefix
	JobID     string        // ULID; "" for a run in the foreground
	TraceID   string        // 32 hex digits, or what the user gave
	TraceMade bool          `json:",omitempty"` // the trace id was made up for this run; no dialect spells it
	Workspace string        // absolute path
	Agent     string        // id of the calling agent; "" is spelled "unknown"
	Source    string        // "run", "cache"; "" is spelled "run"
	CacheKey  string        // sha256:<64 hex>; "" is absent
	CacheAge  time.Duration // how long ago a run from the cache ended
	Stale     bool          // it is older than was asked for, and being made anew
	Started   time.Time
	Ended     time.Time
	Duration  time.Duration // monotonic, so not always Ended-Started

	// ExitStatus is what a faithful wrapper ends with (0 to 255): the child's
	// own status, 128+n, or 124 to 127. No dialect spells it.
	ExitStatus int

	Outcome Outcome
	Stdout  Stream
	Stderr  Stream

	SkippedSources []string   // what a partial run left out
	Redactions     Redactions // what was masked in both streams and argv
	Warnings       []string
	Usage          *Usage     // nil where the platform does not report it
	Runner         string     // name of the runner on which it was run; "" is here
	Pipeline       []int      // statuses of the stages of a shell's pipeline, where one is not 0
	Leftovers      []Leftover // processes that outlived the run

	// Jobs is an answer about background jobs; nil for a run. Where it is set
	// the Result has no streams, and Outcome says whether the answer could be
	// given, not how a job ended.
	Jobs *Jobs
	// Payload is the own payload of an envelope that was decoded or adopted:
	// the `data` of protocol/v1, the extra members of helper/v1, and so on,
	// always one JSON value. It is nil for an ordinary run.
	Payload json.RawMessage `json:",omitempty"`
	// Exec are the facts of the run that printed the adopted envelope; nil
	// for an ordinary run. Where it is set, the Result's own Outcome, Command
	// and times are those of the adopted envelope.
	Exec *Result
	// Dialect names the format that the record was read from; "" for a run.
	Dialect string
	// Progress marks the record of an event of a run that goes on.
	Progress bool
	// Category is the tool_category of delegator/v3.6; "" is "wait_result".
	Category string
	// Markdown is the block for people of a decoded tool-envelope/v1.
	Markdown string
	// Extra are members of a decoded envelope's meta block (metadata in
	// agent-response/v1) that have no field above, in their order; of an Exec,
	// "exec" is the run within, where an adopted envelope was adopted again.
	Extra Fields
	// Unnamed are members of a decoded protocol/v1 envelope, beside its data and
	// meta, that its document does not name.
	Unnamed Fields
}

// An Outcome says how a run ended.
type Outcome struct {
	Kind         Kind
	Code         Code       // "" exactly where the run is ok
	ForeignCode  string     // the code of a decoded envelope that is not in the catalog; "" mostly
	Message      string     // one line; "" exactly where Code is ""
	Hint         string     // what the caller can do; "" where nothing is known
	Retryable    bool       // running it again as it is may help
	ClassifiedBy Classifier // what decided Code
	Meaning      string     // the exit-status table's words, "" without a row
	ExitCode     *int       // nil where the child has none
	Signal       string     // "SIGTERM", "" where no signal ended the child
	Timeout      TimeoutType
	Interpreter  string   // the interpreter that a script asked for and that is missing
	Suggestions  []string // names of programs that may have been meant
	Network      bool     // the error is the network's (a category of its own in tool-envelope/v1)
	// Details are further members of the error's details, in order: attempts,
	// backoff, retry_after, or what a decoded envelope had.
	Details Fields
	Unnamed Fields // members of a decoded protocol/v1 error that its document does not name
}

// OK reports whether the run is no error.
func (o *Outcome) OK() bool { return o.Code == "" }

// TimeoutType names one of the two time limits.
type TimeoutType string

const (
	NoTimeout   TimeoutType = ""
	HardTimeout TimeoutType = "hard" // --timeout
	IdleTimeout TimeoutType = "idle" // --idle-timeout
)

// A Stream is what one of the child's output streams held, after redaction.
// At most one of Text, JSON, Binary and Artifact is the content; the zero
// Stream is an empty one.
type Stream struct {
	Bytes int64 // length of the whole redacted stream
	Lines int64 // newlines, plus one for an unfinished last line

	Text     string          // UTF-8 text
	JSON     json.RawMessage `json:",omitempty"` // one JSON value, numbers as spelled
	Binary   []byte          // bytes that are no UTF-8, spelled as base64
	Artifact string          // sha256:<64 hex>: it is in the store

	// Replaced is how many bytes of the stream are no UTF-8: each is U+FFFD in
	// Text. Exact is the digest of the stream as it was, in the store, where Text
	// is not that.
	Replaced int64  `json:",omitempty"`
	Exact    string `json:",omitempty"`

	Truncated bool     // not all of it was kept
	Excerpt   *Excerpt // what a diagnosis needs, where the content is not here
	Summary   *Summary // beside Artifact
	Read      string   // the command that shows the rest; beside Artifact or Exact

	// Head and Tail are the first 32 KiB and the last 64 KiB of the stream; they
	// overlap where it is short. Tails and excerpts are made of them, and they are spelled by no
	// dialect as they are.
	Head, Tail []byte
}

// Bounds of Stream.Head and Stream.Tail in bytes: delegator/v3.6 wants the last
// 64 KiB on a timeout and 16 KiB from both ends elsewhere.
const (
	headKeep = 32 << 10
	tailKeep = 64 << 10
)

// An Excerpt represents a stream that is elsewhere: see [excerpt.Excerpt].
type Excerpt struct {
	Text         string
	OmittedBytes int64
	OmittedLines int64
	// Gap is the option of "envwrap artifact cat" that prints the largest gap:
	// "--lines 118:529"; "" where nothing is left out, or it is not known.
	Gap string `json:",omitempty"`

	source *excerpt.Writer // has the text's lines for a shorter excerpt; nil in one that was read
}

// A Summary describes an artifact (Protocol v1, "Summary requirements").
type Summary struct {
	SizeBytes   int64
	Kind        string          // MIME type
	Preview     json.RawMessage `json:",omitempty"` // one JSON object of at most 1 KiB
	RecordCount *int64          // arrays and NDJSON
	Lines       *int64          // text
}

// Usage is the child's use of the machine.
type Usage struct {
	UserMS      int64 `json:"user_ms" is:"unsigned" doc:"CPU time in user mode, in milliseconds"`
	SysMS       int64 `json:"sys_ms" is:"unsigned" doc:"CPU time in the system, in milliseconds"`
	MaxRSSBytes int64 `json:"max_rss_bytes" is:"unsigned" doc:"most memory at a time"`
}

// A Leftover is a process that was still there when the run was over.
type Leftover struct {
	PID  int    `json:"pid" doc:"process id"`
	Name string `json:"name" doc:"name of the program"`
}

// Fields is a JSON object whose members keep their order: []Field.
type Fields = wire.Fields

// A Field is one member of Fields: its Name, and its Value, which is valid JSON.
type Field = wire.Field

// Redactions counts what was masked: the Total, and ByRule how many, by the rule
// that found them.
type Redactions = wire.Redactions

// A Fault is one thing that is wrong with a document: the Pointer to the place
// (JSON Pointer, RFC 6901; "" is the whole document), the stable name of the
// Rule, and a Text that says what was found and what is allowed.
type Fault = wire.Fault
