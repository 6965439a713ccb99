package delegator

import (
	"encoding/json"

	"github.com/envwrap/envwrap/envelope/internal/wire"
)

// Meta is meta of a wait_result.
type Meta struct {
	StartedTS   wire.Timestamp `json:"started_ts" doc:"when the task started"`
	CompletedTS wire.Timestamp `json:"completed_ts" doc:"when it ended"`
	DurationMS  wire.Count     `json:"duration_ms" doc:"wall time in milliseconds"`
	ExitCode    *int           `json:"exit_code,omitempty" doc:"the command's own status"`
	Warnings    []string       `json:"warnings,omitempty" doc:"what the caller should know beside the result"`
	Rest        wire.Fields    `json:",inline"`
}

// ErrorMeta is meta beside an error, which is empty in the document.
type ErrorMeta struct {
	StartedTS   wire.Timestamp `json:"started_ts,omitempty" doc:"when the task started"`
	CompletedTS wire.Timestamp `json:"completed_ts,omitempty" doc:"when it ended"`
	DurationMS  *wire.Count    `json:"duration_ms,omitempty" doc:"wall time in milliseconds"`
	ExitCode    *int           `json:"exit_code,omitempty" doc:"the command's own status"`
	Rest        wire.Fields    `json:",inline" is:"open"`
}

// Data is the data of a wait_result.
type Data struct {
	TaskID    wire.Filled     `json:"task_id" doc:"id of the task"`
	State     State           `json:"state" doc:"how the task ended"`
	Summary   string          `json:"summary" doc:"one line for people"`
	Metadata  any             `json:"metadata" is:"object" doc:"more about the task"`
	Artifacts []Artifact      `json:"artifacts,omitempty" doc:"where the output is"`
	Output    *Output         `json:"output,omitempty" doc:"the output, or why it is not here"`
	Payload   json.RawMessage `json:"payload,omitempty" doc:"what an envelope that the command printed had to say"`
	Exec      any             `json:"exec,omitempty" is:"object" doc:"the run that printed it"`
	Rest      wire.Fields     `json:",inline"`
}

// Metadata is the EnhancedMetadata. Nothing in it is required, since the document shows
// it in examples only.
type Metadata struct {
	Duration   *float64         `json:"duration,omitempty" is:"unsigned" doc:"seconds"`
	Files      *Files           `json:"file_operations,omitempty" doc:"what became of files"`
	Tests      *Tests           `json:"test_results,omitempty" doc:"how tests ended"`
	Thread     *Thread          `json:"thread_info,omitempty" doc:"the model's thread"`
	Error      *Context         `json:"error_context,omitempty" is:"nullable" doc:"what went wrong; null or absent where nothing did"`
	TaskStatus json.RawMessage  `json:"task_status,omitempty" doc:"the state again, or what a server says of it"`
	ExitCode   *int             `json:"exit_code,omitempty" doc:"the command's own status, where meta has no place for it"`
	Redactions *wire.Redactions `json:"redactions,omitempty" doc:"how much was masked, by rule"`
	Cache      *wire.Cache      `json:"cache,omitempty" doc:"how it was remembered, where it was not run now"`
	Rest       wire.Fields      `json:",inline" is:"open"`
}

// Files lists the files that a task changed.
type Files struct {
	Modified []string    `json:"modified_files,omitempty" doc:"paths"`
	Added    []string    `json:"added_files,omitempty" doc:"paths"`
	Deleted  []string    `json:"deleted_files,omitempty" doc:"paths"`
	Lines    wire.Count  `json:"lines_changed,omitempty" doc:"lines that are new or other"`
	Rest     wire.Fields `json:",inline" is:"open"`
}

// Tests are the results of tests.
type Tests struct {
	Passed  wire.Count  `json:"passed,omitempty" doc:"tests that passed"`
	Failed  wire.Count  `json:"failed,omitempty" doc:"tests that failed"`
	Skipped wire.Count  `json:"skipped,omitempty" doc:"tests that were skipped"`
	Names   []string    `json:"failed_tests,omitempty" doc:"names of those that failed"`
	Rest    wire.Fields `json:",inline" is:"open"`
}

// Thread is the model's thread.
type Thread struct {
	ID      string      `json:"thread_id,omitempty" doc:"id of the thread"`
	HitRate float64     `json:"cache_hit_rate,omitempty" is:"unsigned" doc:"share of the input that was cached"`
	Tokens  *Usage      `json:"token_usage,omitempty" doc:"tokens used"`
	Rest    wire.Fields `json:",inline" is:"open"`
}

// Usage counts tokens.
type Usage struct {
	Input  wire.Count  `json:"input_tokens,omitempty" doc:"tokens read"`
	Cached wire.Count  `json:"cached_input_tokens,omitempty" doc:"of these, from the cache"`
	Output wire.Count  `json:"output_tokens,omitempty" doc:"tokens written"`
	Rest   wire.Fields `json:",inline" is:"open"`
}

// Context describes the error of a task that failed or timed out.
type Context struct {
	Message      string           `json:"error_message,omitempty" doc:"one line for people"`
	Type         string           `json:"error_type,omitempty" doc:"kind of error; of envwrap's a code of the catalog"`
	FailedFiles  []string         `json:"failed_files,omitempty" doc:"files with errors"`
	Locations    []Location       `json:"error_locations,omitempty" doc:"where the errors are"`
	Suggestions  []string         `json:"suggestions,omitempty" doc:"what the caller can do"`
	Signal       string           `json:"signal,omitempty" doc:"name of the signal that ended the command"`
	Retryable    bool             `json:"retryable,omitempty" doc:"true where running it again may help"`
	ClassifiedBy string           `json:"classified_by,omitempty" doc:"what decided the type"`
	TimeoutType  wire.TimeoutType `json:"timeout_type,omitempty" doc:"which limit passed"`
	Partial      *Partial         `json:"partial_results,omitempty" doc:"what there was until a time limit passed"`
	Rest         wire.Fields      `json:",inline" is:"open"`
}

// A Location is where an error is.
type Location struct {
	File   string      `json:"file,omitempty" doc:"path"`
	Line   wire.Count  `json:"line,omitempty" doc:"line in it"`
	Column wire.Count  `json:"column,omitempty" doc:"column in that"`
	Rest   wire.Fields `json:",inline" is:"open"`
}

// An Artifact is a file or object with output.
type Artifact struct {
	Type   wire.Filled    `json:"type" doc:"what it is"`
	Ref    wire.Filled    `json:"ref" doc:"where it is: a path or a digest"`
	Size   wire.Count     `json:"size" doc:"bytes"`
	SHA256 wire.HexDigest `json:"sha256,omitempty" doc:"digest of the content"`
	Rest   wire.Fields    `json:",inline"`
}

// Output is the output of a task, or why it is left out.
type Output struct {
	Included     bool        `json:"included" doc:"whether the output is here"`
	Reason       string      `json:"reason,omitempty" doc:"why it is not here, or not whole"`
	Stdout       *string     `json:"stdout,omitempty" doc:"standard output"`
	Stderr       *string     `json:"stderr,omitempty" doc:"standard error"`
	Truncated    bool        `json:"truncated" doc:"whether the middle is left out"`
	MaxBytes     wire.Count  `json:"max_bytes" doc:"the most bytes of both"`
	OriginalSize *wire.Count `json:"original_size,omitempty" doc:"bytes before truncation; there exactly when truncated"`
	Rest         wire.Fields `json:",inline"`
}

// Details are the details of any error that the document names.
type Details struct {
	ExitCode   *int        `json:"exit_code,omitempty" doc:"the command's own status"`
	StderrTail string      `json:"stderr_tail,omitempty" doc:"the end of standard error"`
	File       string      `json:"file,omitempty" doc:"where the error is"`
	Line       wire.Count  `json:"line,omitempty" doc:"line in it"`
	Column     wire.Count  `json:"column,omitempty" doc:"column in that"`
	Rest       wire.Fields `json:",inline" is:"open"`
}

// Timeout are the details of the error TIMEOUT.
type Timeout struct {
	Type    wire.TimeoutType `json:"timeout_type" doc:"which limit passed"`
	Elapsed float64          `json:"elapsed_seconds" is:"unsigned" doc:"seconds until then"`
	Partial *Partial         `json:"partial_results,omitempty" doc:"what there was until then"`
	Rest    wire.Fields      `json:",inline" is:"open"`
}

// RunDetails are the details of an error of a run of envwrap's.
type RunDetails struct {
	Signal     wire.Signal `json:"signal,omitempty" doc:"name of the signal that ended the command"`
	Hint       string      `json:"hint,omitempty" doc:"what the caller can do"`
	StdoutTail string      `json:"stdout_tail,omitempty" doc:"the end of standard output"`
	Artifacts  []Artifact  `json:"artifacts,omitempty" doc:"where the output is"`
	Rest       wire.Fields `json:",inline" is:"open"`
}

// Partial holds the results of a task until its time limit passed.
type Partial struct {
	Events []json.RawMessage `json:"last_events" doc:"the last events"`
	Output string            `json:"last_output" doc:"the last 64 KiB of output"`
}

// AckMeta is meta of an execution_ack.
type AckMeta struct {
	QueuePosition *wire.Count `json:"queue_position,omitempty" doc:"place in the queue, 0 is running"`
	EstimatedMS   *wire.Count `json:"estimated_start_ms,omitempty" doc:"milliseconds until it starts"`
	Warnings      []string    `json:"warnings,omitempty" doc:"what the caller should know beside the answer"`
	Rest          wire.Fields `json:",inline"`
}

// Ack is the data of an execution_ack.
type Ack struct {
	TaskID     wire.Filled    `json:"task_id" doc:"id of the task"`
	ThreadID   string         `json:"thread_id,omitempty" doc:"id of the thread"`
	Accepted   bool           `json:"accepted" doc:"whether the task was taken"`
	Capability Capability     `json:"capability" doc:"where it runs"`
	Expected   string         `json:"expected_duration,omitempty" doc:"estimate for people"`
	StartedAt  wire.Timestamp `json:"started_at" doc:"when it started"`
	Exec       any            `json:"exec,omitempty" is:"object" doc:"the run that printed it"`
	Rest       wire.Fields    `json:",inline"`
}

// Capability is a place where tasks run.
type Capability string

// Limits returns both places.
func (Capability) Limits() wire.Limits { return wire.OneOf("background", "foreground") }

// SnapshotMeta is meta of a status_snapshot.
type SnapshotMeta struct {
	SnapshotTS wire.Timestamp `json:"snapshot_ts" doc:"when the snapshot was taken"`
	Total      wire.Count     `json:"total" doc:"tasks that run or wait"`
	Warnings   []string       `json:"warnings,omitempty" doc:"what the caller should know beside the answer"`
	Rest       wire.Fields    `json:",inline"`
}

// Snapshot is the data of a status_snapshot.
type Snapshot struct {
	Summary   Counts      `json:"summary" doc:"how many tasks there are"`
	Tasks     []Task      `json:"tasks,omitempty" doc:"those that run"`
	Queue     []Queued    `json:"queue,omitempty" doc:"those that wait"`
	Completed []Finished  `json:"recently_completed,omitempty" doc:"those that ended lately"`
	Exec      any         `json:"exec,omitempty" is:"object" doc:"the run that printed it"`
	Rest      wire.Fields `json:",inline"`
}

// Counts are the numbers of tasks by state.
type Counts struct {
	Running   wire.Count  `json:"running" doc:"tasks that run"`
	Queued    wire.Count  `json:"queued" doc:"tasks that wait"`
	Completed wire.Count  `json:"recently_completed" doc:"tasks that ended lately"`
	Rest      wire.Fields `json:",inline"`
}

// A Task is a running task.
type Task struct {
	TaskID    wire.Filled    `json:"task_id" doc:"id of the task"`
	State     wire.Filled    `json:"state" doc:"what it does"`
	StartedTS wire.Timestamp `json:"started_ts" doc:"when it started"`
	Elapsed   float64        `json:"elapsed_seconds" is:"unsigned" doc:"seconds since"`
	Progress  *Progress      `json:"progress" is:"nullable" doc:"how far it is, or null"`
	LastLines []string       `json:"last_lines,omitempty" doc:"its last lines, at most five, where they were asked for"`
	Rest      wire.Fields    `json:",inline"`
}

// Progress says how far a task is.
type Progress struct {
	Percent   *float64    `json:"percent,omitempty" is:"unsigned" doc:"how much is done"`
	Completed *wire.Count `json:"completed_steps,omitempty" doc:"steps that are done"`
	Total     *wire.Count `json:"total_steps,omitempty" doc:"steps that there are"`
	Activity  string      `json:"current_activity,omitempty" doc:"what it does now"`
	Rest      wire.Fields `json:",inline"`
}

// A Queued task waits.
type Queued struct {
	TaskID      wire.Filled `json:"task_id" doc:"id of the task"`
	Position    wire.Count  `json:"position" doc:"place among those that wait, from 0"`
	EstimatedMS *wire.Count `json:"estimated_start_ms,omitempty" doc:"milliseconds until it starts"`
	Rest        wire.Fields `json:",inline"`
}

// A Finished task ended lately.
type Finished struct {
	TaskID      wire.Filled    `json:"task_id" doc:"id of the task"`
	State       wire.Filled    `json:"state" doc:"how it ended"`
	Duration    float64        `json:"duration_seconds" is:"unsigned" doc:"seconds that it took"`
	CompletedTS wire.Timestamp `json:"completed_ts" doc:"when it ended"`
	LastLines   []string       `json:"last_lines,omitempty" doc:"its last lines, at most five, where they were asked for"`
	Rest        wire.Fields    `json:",inline"`
}

// ResultMeta is meta of a result_set.
type ResultMeta struct {
	Count    wire.Count  `json:"count" doc:"results in it"`
	Warnings []string    `json:"warnings,omitempty" doc:"what the caller should know beside the answer"`
	Rest     wire.Fields `json:",inline"`
}

// Result is the data of a result_set.
type Result struct {
	TaskID      wire.Filled     `json:"task_id" doc:"id of the task"`
	State       TaskState       `json:"state" doc:"how the task ended; working or queued where it has not"`
	Summary     string          `json:"summary" doc:"one line for people"`
	Duration    float64         `json:"duration_seconds" is:"unsigned" doc:"seconds that it took so far"`
	CompletedTS wire.Timestamp  `json:"completed_ts,omitempty" doc:"when it ended; there exactly where it has"`
	Metadata    any             `json:"metadata" is:"object" doc:"more about the task"`
	Artifacts   []Artifact      `json:"artifacts,omitempty" doc:"where the output is"`
	Output      *Output         `json:"output,omitempty" doc:"the output, or why it is not here"`
	Events      *Events         `json:"events,omitempty" doc:"the events, or why they are not here"`
	Payload     json.RawMessage `json:"payload,omitempty" doc:"what an envelope that the command printed had to say"`
	Exec        any             `json:"exec,omitempty" is:"object" doc:"the run that printed it"`
	Rest        wire.Fields     `json:",inline"`
}

// A TaskState is how far a task has come: a [delegatorState], or one of a task
// that is not over, as a status_snapshot and its queue have it.
type TaskState string

// Limits returns the states of all tasks.
func (TaskState) Limits() wire.Limits {
	return wire.OneOf(append(State("").Limits().Enum, TaskWorking, TaskQueued)...)
}

const (
	TaskWorking = "working"
	TaskQueued  = "queued"
)

// Events are the events of a task, or why they are left out.
type Events struct {
	Included bool              `json:"included" doc:"whether the events are here"`
	Count    wire.Count        `json:"count" doc:"how many there are"`
	Reason   string            `json:"reason,omitempty" doc:"why they are not here"`
	Events   []json.RawMessage `json:"events,omitempty" doc:"the last 50 of them"`
	Rest     wire.Fields       `json:",inline"`
}

// Category 5: configuration and upkeep. Which of these it is depends on the
// tool; the document has examples and no tables, so little is required.

// RegistryMeta is meta of a registry_info.
type RegistryMeta struct {
	Count        *wire.Count `json:"count,omitempty" doc:"entries in it"`
	Source       string      `json:"source,omitempty" doc:"where they are kept"`
	Repository   string      `json:"repository,omitempty" doc:"what a guide is for"`
	TechStack    string      `json:"tech_stack,omitempty" doc:"what it is made with"`
	DryRun       *bool       `json:"dry_run,omitempty" doc:"whether nothing was done"`
	StuckSeconds *float64    `json:"stuck_threshold_seconds,omitempty" is:"unsigned" doc:"a task without a sign of life is stuck after that"`
	OldHours     *float64    `json:"old_threshold_hours,omitempty" is:"unsigned" doc:"a task that is over is old after that"`
	Warnings     []string    `json:"warnings,omitempty" doc:"what the caller should know beside the answer"`
	Rest         wire.Fields `json:",inline" is:"open"`
}

// Registry is the data of a registry_info. Which members it has depends on the tool.
type Registry struct {
	Environments *[]Environment `json:"environments,omitempty" doc:"where tasks can run"`

	Guide        string `json:"guide,omitempty" doc:"how to set something up, for people"`
	Steps        []Step `json:"steps,omitempty" doc:"the same step by step"`
	Verification string `json:"verification_task,omitempty" doc:"a task that shows whether it worked"`

	Stuck *Stuck `json:"stuck_tasks,omitempty" doc:"tasks that said they were alive and were dead"`
	Old   *Old   `json:"old_tasks,omitempty" doc:"tasks that were over long enough"`

	TaskID    string      `json:"task_id,omitempty" doc:"id of the task that was to be cancelled"`
	State     string      `json:"state,omitempty" doc:"how far it is"`
	Cancelled *bool       `json:"cancelled,omitempty" doc:"whether it was cancelled"`
	Summary   string      `json:"summary,omitempty" doc:"one line for people"`
	Rest      wire.Fields `json:",inline" is:"open"`
}

// An Environment is where tasks can run.
type Environment struct {
	ID         wire.Filled    `json:"id" doc:"id of the environment"`
	Name       string         `json:"name" doc:"its name for people"`
	Repository string         `json:"repository,omitempty" doc:"what it works on"`
	TechStack  string         `json:"tech_stack,omitempty" doc:"what it is made with"`
	CreatedAt  wire.Timestamp `json:"created_at,omitempty" doc:"since when it is there"`
	MaxTasks   wire.Count     `json:"max_tasks,omitempty" doc:"how many tasks run at a time"`
	Rest       wire.Fields    `json:",inline" is:"open"`
}

// A Step is a step of a guide.
type Step struct {
	Step         wire.Count  `json:"step,omitempty" doc:"number, from 1"`
	Title        string      `json:"title,omitempty" doc:"its title"`
	Instructions string      `json:"instructions,omitempty" doc:"what to do"`
	Rest         wire.Fields `json:",inline" is:"open"`
}

// Stuck counts tasks that were recorded as running and were dead.
type Stuck struct {
	Found   wire.Count  `json:"found" doc:"how many there were"`
	Cleaned wire.Count  `json:"cleaned" doc:"how many were settled"`
	TaskIDs []string    `json:"task_ids" doc:"which ones"`
	Rest    wire.Fields `json:",inline"`
}

// Old counts tasks that had been over for long enough.
type Old struct {
	Found       wire.Count  `json:"found" doc:"how many there were"`
	Deleted     wire.Count  `json:"deleted" doc:"how many were removed"`
	OldestHours float64     `json:"oldest_age_hours" is:"unsigned" doc:"age of the oldest one"`
	Rest        wire.Fields `json:",inline"`
}

// Parts are the members of both categories about a task that is over.
type Parts struct {
	TaskID      wire.Filled
	State       State
	Duration    float64
	CompletedTS wire.Timestamp // "" where meta has it
	Metadata    any
	Artifacts   []Artifact
	Output      *Output
	Events      *Events
	Exec        json.RawMessage // the run that printed it; nil if none exists
}

// Parts returns the parts of a wait_result.
func (w *Data) Parts() Parts {
	return Parts{TaskID: w.TaskID, State: w.State, Metadata: w.Metadata, Artifacts: w.Artifacts, Output: w.Output, Exec: wire.RawIn(w.Exec)}
}

// Parts returns the parts of a result_set.
func (w *Result) Parts() Parts {
	return Parts{w.TaskID, State(w.State), w.Duration, w.CompletedTS, w.Metadata, w.Artifacts, w.Output, w.Events, wire.RawIn(w.Exec)}
}
