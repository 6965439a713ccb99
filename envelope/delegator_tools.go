package envelope

import (
	"encoding/json"

	"github.com/envwrap/envwrap/envelope/internal/wire"
)

// The payloads of delegator/v3.6 for the categories that are of jobs only.

// Category 1: a task was taken.

type delegatorAckMeta struct {
	QueuePosition *wire.Count `json:"queue_position,omitempty" doc:"place in the queue, 0 is running"`
	EstimatedMS   *wire.Count `json:"estimated_start_ms,omitempty" doc:"milliseconds until it starts"`
	Warnings      []string    `json:"warnings,omitempty" doc:"what the caller should know beside the answer"`
	Rest          wire.Fields `json:",inline"`
}

type delegatorAck struct {
	TaskID     wire.Filled         `json:"task_id" doc:"id of the task"`
	ThreadID   string              `json:"thread_id,omitempty" doc:"id of the thread"`
	Accepted   bool                `json:"accepted" doc:"whether the task was taken"`
	Capability delegatorCapability `json:"capability" doc:"where it runs"`
	Expected   string              `json:"expected_duration,omitempty" doc:"estimate for people"`
	StartedAt  wire.Timestamp      `json:"started_at" doc:"when it started"`
	Rest       wire.Fields         `json:",inline"`
}

type delegatorCapability string

func (delegatorCapability) Limits() wire.Limits { return wire.OneOf("background", "foreground") }

// Category 3: what is going on.

type delegatorSnapshotMeta struct {
	SnapshotTS wire.Timestamp `json:"snapshot_ts" doc:"when the snapshot was taken"`
	Total      wire.Count     `json:"total" doc:"tasks that run or wait"`
	Warnings   []string       `json:"warnings,omitempty" doc:"what the caller should know beside the answer"`
	Rest       wire.Fields    `json:",inline"`
}

type delegatorSnapshot struct {
	Summary   delegatorCounts     `json:"summary" doc:"how many tasks there are"`
	Tasks     []delegatorTask     `json:"tasks,omitempty" doc:"those that run"`
	Queue     []delegatorQueued   `json:"queue,omitempty" doc:"those that wait"`
	Completed []delegatorFinished `json:"recently_completed,omitempty" doc:"those that ended lately"`
	Rest      wire.Fields         `json:",inline"`
}

type delegatorCounts struct {
	Running   wire.Count  `json:"running" doc:"tasks that run"`
	Queued    wire.Count  `json:"queued" doc:"tasks that wait"`
	Completed wire.Count  `json:"recently_completed" doc:"tasks that ended lately"`
	Rest      wire.Fields `json:",inline"`
}

type delegatorTask struct {
	TaskID    wire.Filled        `json:"task_id" doc:"id of the task"`
	State     wire.Filled        `json:"state" doc:"what it does"`
	StartedTS wire.Timestamp     `json:"started_ts" doc:"when it started"`
	Elapsed   float64            `json:"elapsed_seconds" is:"unsigned" doc:"seconds since"`
	Progress  *delegatorProgress `json:"progress" is:"nullable" doc:"how far it is, or null"`
	LastLines []string           `json:"last_lines,omitempty" doc:"its last lines, at most five, where they were asked for"`
	Rest      wire.Fields        `json:",inline"`
}

type delegatorProgress struct {
	Percent   *float64    `json:"percent,omitempty" is:"unsigned" doc:"how much is done"`
	Completed *wire.Count `json:"completed_steps,omitempty" doc:"steps that are done"`
	Total     *wire.Count `json:"total_steps,omitempty" doc:"steps that there are"`
	Activity  string      `json:"current_activity,omitempty" doc:"what it does now"`
	Rest      wire.Fields `json:",inline"`
}

type delegatorQueued struct {
	TaskID      wire.Filled `json:"task_id" doc:"id of the task"`
	Position    wire.Count  `json:"position" doc:"place among those that wait, from 0"`
	EstimatedMS *wire.Count `json:"estimated_start_ms,omitempty" doc:"milliseconds until it starts"`
	Rest        wire.Fields `json:",inline"`
}

type delegatorFinished struct {
	TaskID      wire.Filled    `json:"task_id" doc:"id of the task"`
	State       wire.Filled    `json:"state" doc:"how it ended"`
	Duration    float64        `json:"duration_seconds" is:"unsigned" doc:"seconds that it took"`
	CompletedTS wire.Timestamp `json:"completed_ts" doc:"when it ended"`
	LastLines   []string       `json:"last_lines,omitempty" doc:"its last lines, at most five, where they were asked for"`
	Rest        wire.Fields    `json:",inline"`
}

// Category 4: the results of a task.

type delegatorResultMeta struct {
	Count    wire.Count  `json:"count" doc:"results in it"`
	Warnings []string    `json:"warnings,omitempty" doc:"what the caller should know beside the answer"`
	Rest     wire.Fields `json:",inline"`
}

type delegatorResult struct {
	TaskID      wire.Filled         `json:"task_id" doc:"id of the task"`
	State       taskState           `json:"state" doc:"how the task ended; working or queued where it has not"`
	Summary     string              `json:"summary" doc:"one line for people"`
	Duration    float64             `json:"duration_seconds" is:"unsigned" doc:"seconds that it took so far"`
	CompletedTS wire.Timestamp      `json:"completed_ts,omitempty" doc:"when it ended; there exactly where it has"`
	Metadata    any                 `json:"metadata" is:"object" doc:"more about the task"`
	Artifacts   []delegatorArtifact `json:"artifacts,omitempty" doc:"where the output is"`
	Output      *delegatorOutput    `json:"output,omitempty" doc:"the output, or why it is not here"`
	Events      *delegatorEvents    `json:"events,omitempty" doc:"the events, or why they are not here"`
	Payload     json.RawMessage     `json:"payload,omitempty" doc:"what an envelope that the command printed had to say"`
	Exec        any                 `json:"exec,omitempty" is:"object" doc:"the run that printed it"`
	Rest        wire.Fields         `json:",inline"`
}

// A taskState is how far a task has come: a [delegatorState], or one of a task
// that is not over, as a status_snapshot and its queue have it.
type taskState string

func (taskState) Limits() wire.Limits {
	return wire.OneOf(append(delegatorState("").Limits().Enum, taskWorking, taskQueued)...)
}

const (
	taskWorking = "working"
	taskQueued  = "queued"
)

type delegatorEvents struct {
	Included bool              `json:"included" doc:"whether the events are here"`
	Count    wire.Count        `json:"count" doc:"how many there are"`
	Reason   string            `json:"reason,omitempty" doc:"why they are not here"`
	Events   []json.RawMessage `json:"events,omitempty" doc:"the last 50 of them"`
	Rest     wire.Fields       `json:",inline"`
}

// Category 5: configuration and upkeep. Which of these it is depends on the
// tool; the document has examples and no tables, so little is required.

type delegatorRegistryMeta struct {
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

type delegatorRegistry struct {
	Environments *[]delegatorEnvironment `json:"environments,omitempty" doc:"where tasks can run"`

	Guide        string          `json:"guide,omitempty" doc:"how to set something up, for people"`
	Steps        []delegatorStep `json:"steps,omitempty" doc:"the same step by step"`
	Verification string          `json:"verification_task,omitempty" doc:"a task that shows whether it worked"`

	Stuck *delegatorStuck `json:"stuck_tasks,omitempty" doc:"tasks that said they were alive and were dead"`
	Old   *delegatorOld   `json:"old_tasks,omitempty" doc:"tasks that were over long enough"`

	TaskID    string      `json:"task_id,omitempty" doc:"id of the task that was to be cancelled"`
	State     string      `json:"state,omitempty" doc:"how it stands"`
	Cancelled *bool       `json:"cancelled,omitempty" doc:"whether it was cancelled"`
	Summary   string      `json:"summary,omitempty" doc:"one line for people"`
	Rest      wire.Fields `json:",inline" is:"open"`
}

type delegatorEnvironment struct {
	ID         wire.Filled    `json:"id" doc:"id of the environment"`
	Name       string         `json:"name" doc:"its name for people"`
	Repository string         `json:"repository,omitempty" doc:"what it works on"`
	TechStack  string         `json:"tech_stack,omitempty" doc:"what it is made with"`
	CreatedAt  wire.Timestamp `json:"created_at,omitempty" doc:"since when it is there"`
	MaxTasks   wire.Count     `json:"max_tasks,omitempty" doc:"how many tasks run at a time"`
	Rest       wire.Fields    `json:",inline" is:"open"`
}

type delegatorStep struct {
	Step         wire.Count  `json:"step,omitempty" doc:"number, from 1"`
	Title        string      `json:"title,omitempty" doc:"its title"`
	Instructions string      `json:"instructions,omitempty" doc:"what to do"`
	Rest         wire.Fields `json:",inline" is:"open"`
}

type delegatorStuck struct {
	Found   wire.Count  `json:"found" doc:"how many there were"`
	Cleaned wire.Count  `json:"cleaned" doc:"how many were settled"`
	TaskIDs []string    `json:"task_ids" doc:"which ones"`
	Rest    wire.Fields `json:",inline"`
}

type delegatorOld struct {
	Found       wire.Count  `json:"found" doc:"how many there were"`
	Deleted     wire.Count  `json:"deleted" doc:"how many were removed"`
	OldestHours float64     `json:"oldest_age_hours" is:"unsigned" doc:"age of the oldest one"`
	Rest        wire.Fields `json:",inline"`
}
