package envelope

import (
	"encoding/json"

	"github.com/envwrap/envwrap/envelope/internal/wire"
)

// The payloads of delegator/v3.6, one for each category of tool.

type delegatorMeta struct {
	StartedTS   wire.Timestamp `json:"started_ts" doc:"when the task started"`
	CompletedTS wire.Timestamp `json:"completed_ts" doc:"when it ended"`
	DurationMS  wire.Count     `json:"duration_ms" doc:"wall time in milliseconds"`
	ExitCode    *int           `json:"exit_code,omitempty" doc:"the command's own status"`
	Warnings    []string       `json:"warnings,omitempty" doc:"what the caller should know beside the result"`
	Rest        wire.Fields    `json:",inline"`
}

// delegatorErrorMeta is meta beside an error, where the document has it empty.
type delegatorErrorMeta struct {
	StartedTS   wire.Timestamp `json:"started_ts,omitempty" doc:"when the task started"`
	CompletedTS wire.Timestamp `json:"completed_ts,omitempty" doc:"when it ended"`
	DurationMS  *wire.Count    `json:"duration_ms,omitempty" doc:"wall time in milliseconds"`
	ExitCode    *int           `json:"exit_code,omitempty" doc:"the command's own status"`
	Rest        wire.Fields    `json:",inline" is:"open"`
}

type delegatorData struct {
	TaskID    wire.Filled         `json:"task_id" doc:"id of the task"`
	State     delegatorState      `json:"state" doc:"how the task ended"`
	Summary   string              `json:"summary" doc:"one line for people"`
	Metadata  any                 `json:"metadata" is:"object" doc:"more about the task"`
	Artifacts []delegatorArtifact `json:"artifacts,omitempty" doc:"where the output is"`
	Output    *delegatorOutput    `json:"output,omitempty" doc:"the output, or why it is not here"`
	Payload   json.RawMessage     `json:"payload,omitempty" doc:"what an envelope that the command printed had to say"`
	Exec      any                 `json:"exec,omitempty" is:"object" doc:"the run that printed it"`
	Rest      wire.Fields         `json:",inline"`
}

// delegatorMetadata is the EnhancedMetadata. The document shows it in examples
// only, so nothing in it is required.
type delegatorMetadata struct {
	Duration   *float64          `json:"duration,omitempty" is:"unsigned" doc:"seconds"`
	Files      *delegatorFiles   `json:"file_operations,omitempty" doc:"what became of files"`
	Tests      *delegatorTests   `json:"test_results,omitempty" doc:"how tests ended"`
	Thread     *delegatorThread  `json:"thread_info,omitempty" doc:"the model's thread"`
	Error      *delegatorContext `json:"error_context,omitempty" is:"nullable" doc:"what went wrong; null or absent where nothing did"`
	TaskStatus string            `json:"task_status,omitempty" doc:"the state again"`
	ExitCode   *int              `json:"exit_code,omitempty" doc:"the command's own status, where meta has no place for it"`
	Redactions *Redactions       `json:"redactions,omitempty" doc:"how much was masked, by rule"`
	Cache      *wireCache        `json:"cache,omitempty" doc:"how it was remembered, where it was not run now"`
	Rest       wire.Fields       `json:",inline" is:"open"`
}

type delegatorFiles struct {
	Modified []string    `json:"modified_files,omitempty" doc:"paths"`
	Added    []string    `json:"added_files,omitempty" doc:"paths"`
	Deleted  []string    `json:"deleted_files,omitempty" doc:"paths"`
	Lines    wire.Count  `json:"lines_changed,omitempty" doc:"lines that are new or other"`
	Rest     wire.Fields `json:",inline" is:"open"`
}

type delegatorTests struct {
	Passed  wire.Count  `json:"passed,omitempty" doc:"tests that passed"`
	Failed  wire.Count  `json:"failed,omitempty" doc:"tests that failed"`
	Skipped wire.Count  `json:"skipped,omitempty" doc:"tests that were skipped"`
	Names   []string    `json:"failed_tests,omitempty" doc:"names of those that failed"`
	Rest    wire.Fields `json:",inline" is:"open"`
}

type delegatorThread struct {
	ID      string          `json:"thread_id,omitempty" doc:"id of the thread"`
	HitRate float64         `json:"cache_hit_rate,omitempty" is:"unsigned" doc:"share of the input that was cached"`
	Tokens  *delegatorUsage `json:"token_usage,omitempty" doc:"tokens used"`
	Rest    wire.Fields     `json:",inline" is:"open"`
}

type delegatorUsage struct {
	Input  wire.Count  `json:"input_tokens,omitempty" doc:"tokens read"`
	Cached wire.Count  `json:"cached_input_tokens,omitempty" doc:"of these, from the cache"`
	Output wire.Count  `json:"output_tokens,omitempty" doc:"tokens written"`
	Rest   wire.Fields `json:",inline" is:"open"`
}

// delegatorContext is what went wrong with a task that failed or timed out.
type delegatorContext struct {
	Message      string               `json:"error_message,omitempty" doc:"one line for people"`
	Type         string               `json:"error_type,omitempty" doc:"kind of error; of envwrap's a code of the catalog"`
	FailedFiles  []string             `json:"failed_files,omitempty" doc:"files with errors"`
	Locations    []delegatorLocation  `json:"error_locations,omitempty" doc:"where the errors are"`
	Suggestions  []string             `json:"suggestions,omitempty" doc:"what the caller can do"`
	Signal       string               `json:"signal,omitempty" doc:"name of the signal that ended the command"`
	Retryable    bool                 `json:"retryable,omitempty" doc:"true where running it again may help"`
	ClassifiedBy string               `json:"classified_by,omitempty" doc:"what decided the type"`
	TimeoutType  delegatorTimeoutType `json:"timeout_type,omitempty" doc:"which limit passed"`
	Partial      *delegatorPartial    `json:"partial_results,omitempty" doc:"what there was until a time limit passed"`
	Rest         wire.Fields          `json:",inline" is:"open"`
}

type delegatorLocation struct {
	File   string      `json:"file,omitempty" doc:"path"`
	Line   wire.Count  `json:"line,omitempty" doc:"line in it"`
	Column wire.Count  `json:"column,omitempty" doc:"column in that"`
	Rest   wire.Fields `json:",inline" is:"open"`
}

type delegatorArtifact struct {
	Type   wire.Filled    `json:"type" doc:"what it is"`
	Ref    wire.Filled    `json:"ref" doc:"where it is: a path or a digest"`
	Size   wire.Count     `json:"size" doc:"bytes"`
	SHA256 wire.HexDigest `json:"sha256,omitempty" doc:"digest of the content"`
	Rest   wire.Fields    `json:",inline"`
}

type delegatorOutput struct {
	Included     bool        `json:"included" doc:"whether the output is here"`
	Reason       string      `json:"reason,omitempty" doc:"why it is not here, or not whole"`
	Stdout       *string     `json:"stdout,omitempty" doc:"standard output"`
	Stderr       *string     `json:"stderr,omitempty" doc:"standard error"`
	Truncated    bool        `json:"truncated" doc:"whether the middle is left out"`
	MaxBytes     wire.Count  `json:"max_bytes" doc:"the most bytes of both"`
	OriginalSize *wire.Count `json:"original_size,omitempty" doc:"bytes before truncation; there exactly when truncated"`
	Rest         wire.Fields `json:",inline"`
}

// delegatorDetails are the details of any error that the document names.
type delegatorDetails struct {
	ExitCode   *int        `json:"exit_code,omitempty" doc:"the command's own status"`
	StderrTail string      `json:"stderr_tail,omitempty" doc:"the end of standard error"`
	File       string      `json:"file,omitempty" doc:"where the error is"`
	Line       wire.Count  `json:"line,omitempty" doc:"line in it"`
	Column     wire.Count  `json:"column,omitempty" doc:"column in that"`
	Rest       wire.Fields `json:",inline" is:"open"`
}

// delegatorTimeout are the details of the error TIMEOUT.
type delegatorTimeout struct {
	Type    delegatorTimeoutType `json:"timeout_type" doc:"which limit passed"`
	Elapsed float64              `json:"elapsed_seconds" is:"unsigned" doc:"seconds until then"`
	Partial *delegatorPartial    `json:"partial_results,omitempty" doc:"what there was until then"`
	Rest    wire.Fields          `json:",inline" is:"open"`
}

// delegatorRunDetails are the details of an error of a run of envwrap's.
type delegatorRunDetails struct {
	Signal     wire.Signal         `json:"signal,omitempty" doc:"name of the signal that ended the command"`
	Hint       string              `json:"hint,omitempty" doc:"what the caller can do"`
	StdoutTail string              `json:"stdout_tail,omitempty" doc:"the end of standard output"`
	Artifacts  []delegatorArtifact `json:"artifacts,omitempty" doc:"where the output is"`
	Rest       wire.Fields         `json:",inline" is:"open"`
}

type delegatorTimeoutType string

func (delegatorTimeoutType) Limits() wire.Limits {
	return wire.OneOf(string(IdleTimeout), string(HardTimeout))
}

type delegatorPartial struct {
	Events []json.RawMessage `json:"last_events" doc:"the last events"`
	Output string            `json:"last_output" doc:"the last 64 KiB of output"`
}
