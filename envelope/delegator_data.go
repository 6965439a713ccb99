package envelope

import "encoding/json"

// The payloads of delegator/v3.6, one for each category of tool.

type delegatorMeta struct {
	StartedTS   timestamp `json:"started_ts" doc:"when the task started"`
	CompletedTS timestamp `json:"completed_ts" doc:"when it ended"`
	DurationMS  count     `json:"duration_ms" doc:"wall time in milliseconds"`
	ExitCode    *int      `json:"exit_code,omitempty" doc:"the command's own status"`
	Warnings    []string  `json:"warnings,omitempty" doc:"what the caller should know beside the result"`
	Rest        Fields    `json:",inline"`
}

type delegatorData struct {
	TaskID    filled              `json:"task_id" doc:"id of the task"`
	State     delegatorState      `json:"state" doc:"how the task ended"`
	Summary   string              `json:"summary" doc:"one line for people"`
	Metadata  any                 `json:"metadata" is:"object" doc:"more about the task"`
	Artifacts []delegatorArtifact `json:"artifacts,omitempty" doc:"where the output is"`
	Output    *delegatorOutput    `json:"output,omitempty" doc:"the output, or why it is not here"`
	Rest      Fields              `json:",inline"`
}

type delegatorMetadata struct {
	Duration   float64     `json:"duration" doc:"seconds"`
	TaskStatus string      `json:"task_status" doc:"the state again"`
	Redactions *Redactions `json:"redactions,omitempty" doc:"how much was masked, by rule"`
	Cache      *wireCache  `json:"cache,omitempty" doc:"how it was remembered, where it was not run now"`
}

type delegatorArtifact struct {
	Type   filled    `json:"type" doc:"what it is"`
	Ref    filled    `json:"ref" doc:"where it is: a path or a digest"`
	Size   count     `json:"size" doc:"bytes"`
	SHA256 hexDigest `json:"sha256,omitempty" doc:"digest of the content"`
	Rest   Fields    `json:",inline"`
}

type delegatorOutput struct {
	Included     bool    `json:"included" doc:"whether the output is here"`
	Reason       string  `json:"reason,omitempty" doc:"why it is not"`
	Stdout       *string `json:"stdout,omitempty" doc:"standard output"`
	Stderr       *string `json:"stderr,omitempty" doc:"standard error"`
	Truncated    bool    `json:"truncated" doc:"whether the middle is left out"`
	MaxBytes     count   `json:"max_bytes" doc:"the most bytes of both"`
	OriginalSize *count  `json:"original_size,omitempty" doc:"bytes before truncation; there exactly when truncated"`
	Rest         Fields  `json:",inline"`
}

// delegatorTimeout are the details of the error TIMEOUT.
type delegatorTimeout struct {
	Type    delegatorTimeoutType `json:"timeout_type" doc:"which limit passed"`
	Elapsed float64              `json:"elapsed_seconds" doc:"seconds until then"`
	Partial *delegatorPartial    `json:"partial_results,omitempty" doc:"what there was until then"`
	Rest    Fields               `json:",inline" is:"open"`
}

type delegatorTimeoutType string

func (delegatorTimeoutType) limits() limits { return oneOf(string(IdleTimeout), string(HardTimeout)) }

type delegatorPartial struct {
	Events []json.RawMessage `json:"last_events" doc:"the last events"`
	Output string            `json:"last_output" doc:"the last 64 KiB of output"`
}

// Category 1: a task was taken.

type delegatorAckMeta struct {
	QueuePosition *count `json:"queue_position,omitempty" doc:"place in the queue, 0 is running"`
	EstimatedMS   *count `json:"estimated_start_ms,omitempty" doc:"milliseconds until it starts"`
	Rest          Fields `json:",inline"`
}

type delegatorAck struct {
	TaskID     filled              `json:"task_id" doc:"id of the task"`
	ThreadID   string              `json:"thread_id,omitempty" doc:"id of the thread"`
	Accepted   bool                `json:"accepted" doc:"whether the task was taken"`
	Capability delegatorCapability `json:"capability" doc:"where it runs"`
	Expected   string              `json:"expected_duration,omitempty" doc:"estimate for people"`
	StartedAt  timestamp           `json:"started_at" doc:"when it started"`
	Rest       Fields              `json:",inline"`
}

type delegatorCapability string

func (delegatorCapability) limits() limits { return oneOf("background", "foreground") }

// Category 3: what is going on.

type delegatorSnapshotMeta struct {
	SnapshotTS timestamp `json:"snapshot_ts" doc:"when the snapshot was taken"`
	Total      count     `json:"total" doc:"tasks in it"`
	Rest       Fields    `json:",inline"`
}

type delegatorSnapshot struct {
	Summary   delegatorCounts     `json:"summary" doc:"how many tasks there are"`
	Tasks     []delegatorTask     `json:"tasks,omitempty" doc:"those that run"`
	Queue     []delegatorQueued   `json:"queue,omitempty" doc:"those that wait"`
	Completed []delegatorFinished `json:"recently_completed,omitempty" doc:"those that ended lately"`
	Rest      Fields              `json:",inline"`
}

type delegatorCounts struct {
	Running   count  `json:"running" doc:"tasks that run"`
	Queued    count  `json:"queued" doc:"tasks that wait"`
	Completed count  `json:"recently_completed" doc:"tasks that ended lately"`
	Rest      Fields `json:",inline"`
}

type delegatorTask struct {
	TaskID    filled          `json:"task_id" doc:"id of the task"`
	State     filled          `json:"state" doc:"what it does"`
	StartedTS timestamp       `json:"started_ts" doc:"when it started"`
	Elapsed   float64         `json:"elapsed_seconds" doc:"seconds since"`
	Progress  json.RawMessage `json:"progress,omitempty" doc:"how far it is, or null"`
	Rest      Fields          `json:",inline"`
}

type delegatorQueued struct {
	TaskID      filled `json:"task_id" doc:"id of the task"`
	Position    count  `json:"position" doc:"place in the queue"`
	EstimatedMS *count `json:"estimated_start_ms,omitempty" doc:"milliseconds until it starts"`
	Rest        Fields `json:",inline"`
}

type delegatorFinished struct {
	TaskID      filled    `json:"task_id" doc:"id of the task"`
	State       filled    `json:"state" doc:"how it ended"`
	Duration    float64   `json:"duration_seconds" doc:"seconds that it took"`
	CompletedTS timestamp `json:"completed_ts" doc:"when it ended"`
	Rest        Fields    `json:",inline"`
}

// Category 4: the results of a task.

type delegatorResultMeta struct {
	Count count  `json:"count" doc:"results in it"`
	Rest  Fields `json:",inline"`
}

type delegatorResult struct {
	TaskID      filled           `json:"task_id" doc:"id of the task"`
	State       delegatorState   `json:"state" doc:"how the task ended"`
	Summary     string           `json:"summary" doc:"one line for people"`
	Duration    float64          `json:"duration_seconds" doc:"seconds that it took"`
	CompletedTS timestamp        `json:"completed_ts" doc:"when it ended"`
	Metadata    any              `json:"metadata" is:"object" doc:"more about the task"`
	Output      *delegatorOutput `json:"output,omitempty" doc:"the output, or why it is not here"`
	Rest        Fields           `json:",inline"`
}
