package envelope

import (
	"encoding/json"
	"time"

	"github.com/envwrap/envwrap/envelope/internal/wire"
	"github.com/envwrap/envwrap/excerpt"
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

// A Stream is one of the child's output streams, after redaction. At most one of Text,
// JSON, Binary and Artifact is the content; the zero Stream is an empty one.
type Stream struct {
	Bytes int64 // length of the whole redacted stream
	Lines int64 // newlines, plus one for an unfinished last line

	Text     string          // UTF-8 text
	JSON     json.RawMessage `json:",omitempty"` // one JSON value, numbers as spelled
	Binary   []byte          // content that is not UTF-8, written as base64
	Artifact string          // sha256:<64 hex> of the stored content

	// Replaced is how many bytes of the stream are not UTF-8: each is U+FFFD in Text.
	// Exact is the digest of the stored stream if Text is not exactly the stream.
	Replaced int64  `json:",omitempty"`
	Exact    string `json:",omitempty"`

	Truncated bool     // not all of it was kept
	Excerpt   *Excerpt // what a diagnosis needs, if the content is not inline
	Summary   *Summary // beside Artifact
	Read      string   // the command that prints it; beside Artifact or Exact

	// Head and Tail are the first 32 KiB and the last 64 KiB of the stream; they overlap if
	// it is short. Dialects take tails and excerpts from them.
	Head, Tail []byte
}

// Bounds of Stream.Head and Stream.Tail in bytes: delegator/v3.6 wants the last
// 64 KiB on a timeout and 16 KiB from both ends elsewhere.
const (
	headKeep = 32 << 10
	tailKeep = 64 << 10
)

// An Excerpt shows parts of a stream that is not in the envelope: see
// [excerpt.Excerpt].
type Excerpt struct {
	Text         string
	OmittedBytes int64
	OmittedLines int64
	// Gap is the option of "envwrap artifact cat" that prints the largest gap:
	// "--lines 118:529"; "" where nothing is left out, or it is not known.
	Gap string `json:",omitempty"`

	writer *excerpt.Writer // has the text's lines for a shorter excerpt; nil in one that was read
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
