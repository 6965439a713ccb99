// Package delegator has the documents of delegator/v3.6 ("JSON Schema Specification -
// MCP Delegator v3.6"): their members, what these have to do with each other, and
// the same as rules of a JSON Schema. The table of categories is in category.go.
package delegator

import (
	"slices"

	"github.com/envwrap/envwrap/envelope/internal/wire"
)

// An Envelope is a document of delegator/v3.6.
type Envelope struct {
	Version      Version        `json:"version" doc:"version of the delegator"`
	SchemaID     wire.Filled    `json:"schema_id" doc:"codex/v3.6/<category>/v1"`
	Tool         wire.Filled    `json:"tool" doc:"base name of the program"`
	ToolCategory Category       `json:"tool_category" doc:"one of five kinds of answer"`
	RequestID    wire.UUID4     `json:"request_id" doc:"id of the request"`
	TS           wire.Timestamp `json:"ts" doc:"when the answer was made"`
	Status       Status         `json:"status" doc:"whether the tool answered"`
	Meta         wire.Fields    `json:"meta" doc:"circumstances, by category"`
	Data         any            `json:"data,omitempty" is:"object" doc:"the answer; absent on an error"`
	Error        *Error         `json:"error,omitempty" doc:"what went wrong; absent on ok"`
}

type (
	// A Version is the version of the delegator.
	Version string
	// A Category is one of five kinds of answers.
	Category string
	// A Status is whether the tool answered.
	Status string
	// A Code is an error code of the document.
	Code string
	// A State is the way in which a task ended.
	State string
)

// Limits returns the only version.
func (Version) Limits() wire.Limits { return wire.OneOf("3.6") }

// Limits returns both statuses.
func (Status) Limits() wire.Limits { return wire.OneOf("ok", "error") }

// Limits returns the codes of "Error Object Structure".
func (Code) Limits() wire.Limits {
	return wire.OneOf("TIMEOUT", "VALIDATION", "TOOL_ERROR", "NOT_FOUND", "UNSUPPORTED", "INTERNAL")
}

// Limits returns the states of a task that is over.
func (State) Limits() wire.Limits {
	return wire.OneOf("completed", "failed", "cancelled", "timeout")
}

// An Error is the error of a document.
type Error struct {
	Code       Code        `json:"code" doc:"one of six codes"`
	Message    wire.Filled `json:"message" doc:"one line for people"`
	Details    wire.Fields `json:"details,omitempty" doc:"the same for programs"`
	Retryable  bool        `json:"retryable" doc:"whether running it again may help"`
	DurationMS *wire.Count `json:"duration_ms,omitempty" doc:"wall time in milliseconds"`
}

// The categories of answers.
const (
	ExecutionAck   Category = "execution_ack"
	WaitResult     Category = "wait_result"
	StatusSnapshot Category = "status_snapshot"
	ResultSet      Category = "result_set"
	RegistryInfo   Category = "registry_info"
)

// NeverRetryable are the codes that are not retryable by the document's table, and a
// timeout, which is not by its example.
var NeverRetryable = []Code{"VALIDATION", "NOT_FOUND", "UNSUPPORTED", "TIMEOUT"}

// Known reports whether the document defines the code.
func (c Code) Known() bool { return slices.Contains(c.Limits().Enum, string(c)) }

// SchemaID returns the schema_id of the answers of a category.
func (c Category) SchemaID() string { return "codex/v3.6/" + string(c) + "/v1" }

// How a task ended.
const (
	TaskCompleted State = "completed"
	TaskFailed    State = "failed"
	TaskCancelled State = "cancelled"
	TaskTimeout   State = "timeout"
)
