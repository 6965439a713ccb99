package envelope

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/envwrap/envwrap/envelope/internal/wire"
	"github.com/envwrap/envwrap/internal/shared/outcome"
)

// A Result is the record of one run, in no particular format. All texts in it are
// redacted. Dialects write it and decide nothing.
type Result struct {
	Command   string        // namespace/verb, for instance "exec/git"
	Tool      string        // base name of the program; "envwrap" if none exists
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

	lean           bool       // it was read from a lean envelope, or one of delegator/v3.6, which do not have the command line
	SkippedSources []string   // what a partial run left out
	Redactions     Redactions // what was masked in both streams and argv
	Warnings       []string
	Usage          *Usage     // nil if the platform does not report it
	Runner         string     // name of the runner that ran it; "" if it ran here
	Pipeline       []int      // statuses of the stages of a shell's pipeline, if one is not 0
	Unstored       bool       // the store did not take output that was to go there
	Kept           []Kept     // what early stages of a shell's pipelines printed, if later ones showed less
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
	// line and streams of the Result belong to that run.
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

// A Kept is the output of an early stage of a shell's pipeline, whose later stages only looked
// at it. The store has it, masked.
type Kept struct {
	Program   string `json:"program,omitempty" doc:"the program that printed it; absent for a compound command"`
	Bytes     int64  `json:"bytes" doc:"how much it printed"`
	Lines     int64  `json:"lines" doc:"lines of that"`
	Early     bool   `json:"early,omitempty" doc:"a later stage stopped reading before the program's end: it printed so much until then"`
	Truncated bool   `json:"truncated,omitempty" doc:"the artifact has only the beginning"`
	Artifact  string `json:"artifact" doc:"digest of it in the store"`
	Read      string `json:"read,omitempty" doc:"the command that prints the artifact"`
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
// Rule, and a Text that names the value found and the values allowed.
type Fault = wire.Fault

// Code is an error code of the catalog in Protocol v1, section "Error catalog".
// The zero value means that there is no error. Its method Known reports whether it is in
// the catalog.
type Code = outcome.Code

// The catalog. No other code ever appears in an envelope that envwrap writes.
const (
	EARG            = outcome.EARG            // invalid or missing parameters
	EAUTH           = outcome.EAUTH           // authentication failed or credentials missing
	ERATELIMIT      = outcome.ERATELIMIT      // the server limits the rate of requests
	EPAGINATION     = outcome.EPAGINATION     // paging failed
	ERUNTIME        = outcome.ERUNTIME        // the command, a server or a transport failed
	ENOTFOUND       = outcome.ENOTFOUND       // a program or resource was not found
	ETIMEOUT        = outcome.ETIMEOUT        // a time limit passed
	EPOLICY         = outcome.EPOLICY         // a permission or policy forbids it
	ESKILLDOWN      = outcome.ESKILLDOWN      // a service is unavailable
	EPARSE          = outcome.EPARSE          // malformed data
	EOUTPUTTOOLARGE = outcome.EOUTPUTTOOLARGE // output over the capture limit
	EENVELOPE       = outcome.EENVELOPE       // a malformed envelope
	EIO             = outcome.EIO             // file system or I/O error
	ECANCELED       = outcome.ECANCELED       // asked to stop
	EOPENAPI        = outcome.EOPENAPI        // an API description is invalid
)

// A Kind is how a run ended, in one word (`data.outcome`). Its method OK reports whether
// it means success: Findings and Partial do not, although their output is complete.
type Kind = outcome.Kind

const (
	Success    = outcome.Success    // status 0
	Negative   = outcome.Negative   // the answer is no: grep found nothing
	Changes    = outcome.Changes    // differences or changes were found
	Findings   = outcome.Findings   // a linter or test run did its work and found faults
	Warning    = outcome.Warning    // done, with warnings
	Partial    = outcome.Partial    // done in part
	Failure    = outcome.Failure    // it failed
	Timeout    = outcome.Timeout    // a time limit passed
	Canceled   = outcome.Canceled   // envwrap was asked to stop
	NotStarted = outcome.NotStarted // the program or its interpreter was not found
)

// A Classifier names what decided an error's code (`classified_by`).
type Classifier string

const (
	ByEnvwrap   Classifier = "envwrap"    // a fact that envwrap observed itself
	ByOption    Classifier = "option"     // --ok-exit or --exit-map
	ByTable     Classifier = "tool-table" // the table of known tools' exit statuses
	BySignature Classifier = "signature"  // a known text in the output
	BySysexits  Classifier = "sysexits"   // sysexits.h
	ByPipeline  Classifier = "pipeline"   // a stage of a shell's pipeline
	ByShell     Classifier = "shell"      // a shell's 126 or 127
	ByStatus    Classifier = "status"     // only a status other than 0, or a signal
)

// Codes returns the catalog, in its document's order.
func Codes() []Code { return outcome.Codes() }

// outcomeWord is a Kind in a document.
type outcomeWord string

func (outcomeWord) Limits() wire.Limits {
	kinds := outcome.Kinds()
	words := make([]string, len(kinds))
	for i, k := range kinds {
		words[i] = string(k)
	}
	return wire.OneOf(words...)
}

// isOutcome reports whether word is one of the words for an outcome.
func isOutcome(word string) bool { return slices.Contains(outcome.Kinds(), Kind(word)) }

// classifiers returns all of them, in the order in which they are asked.
func classifiers() []Classifier {
	return []Classifier{ByEnvwrap, ByOption, ByTable, ByPipeline, BySignature, BySysexits, ByShell, ByStatus}
}
