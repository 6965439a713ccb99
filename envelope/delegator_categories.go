package envelope

import (
	"slices"
	"strconv"
	"strings"

	"github.com/envwrap/envwrap/envelope/internal/wire"
)

// delegatorTools are the tools of the document, by "Tool-to-Category Mapping".
// Other tools, such as the programs that envwrap runs, may be of any category.
var delegatorTools = [...]struct {
	name     string
	category delegatorCategory
}{
	{"_codex_local_run", executionAck},
	{"_codex_local_exec", executionAck},
	{"_codex_local_resume", executionAck},
	{"_codex_cloud_submit", executionAck},
	{"_codex_local_wait", waitResult},
	{"_codex_cloud_wait", waitResult},
	{"_codex_local_status", statusSnapshot},
	{"_codex_cloud_status", statusSnapshot},
	{"_codex_local_results", resultSet},
	{"_codex_cloud_results", resultSet},
	{"_codex_local_cancel", registryInfo},
	{"_codex_cloud_cancel", registryInfo},
	{"_codex_cleanup_registry", registryInfo},
	{"_codex_cloud_list_environments", registryInfo},
	{"_codex_cloud_github_setup", registryInfo},
}

// categoryOf is the category of a tool of the document, "" for any other.
func categoryOf(tool string) delegatorCategory {
	for i := range delegatorTools {
		if delegatorTools[i].name == tool {
			return delegatorTools[i].category
		}
	}
	return ""
}

func (c delegatorCategory) known() bool { return slices.Contains(c.Limits().Enum, string(c)) }

// delegatorPayload checks meta and data by category.
func checkDelegatorPayload(p *wire.Problems, w *delegator) {
	data := wire.RawIn(w.Data)
	meta := func(into any) {
		if w.Meta != nil {
			p.Sub("/meta", wire.EncodeObject(w.Meta), into)
		}
	}
	switch w.ToolCategory {
	case executionAck:
		meta(new(delegatorAckMeta))
		var d delegatorAck
		p.Sub("/data", data, &d)
		checkDelegatorAck(p, w, &d)
	case waitResult:
		meta(new(delegatorMeta))
		var d delegatorData
		p.Sub("/data", data, &d)
		checkDelegatorSummary(p, d.Summary)
		checkDelegatorDigests(p, "/data/artifacts", d.Artifacts)
		checkDelegatorOutput(p, d.Output, d.State)
		checkDelegatorMetadata(p, d.Metadata, d.State)
	case statusSnapshot:
		meta(new(delegatorSnapshotMeta))
		var d delegatorSnapshot
		p.Sub("/data", data, &d)
		checkDelegatorSnapshot(p, &d)
	case resultSet:
		meta(new(delegatorResultMeta))
		var d delegatorResult
		p.Sub("/data", data, &d)
		checkDelegatorResult(p, &d)
	case registryInfo:
		meta(new(delegatorRegistryMeta))
		p.Sub("/data", data, new(delegatorRegistry))
	}
}

// delegatorAck checks the notes of "Category 1".
func checkDelegatorAck(p *wire.Problems, w *delegator, d *delegatorAck) {
	checkNoOutput(p, "/data", d.Rest)
	if strings.HasPrefix(string(w.Tool), "_codex_cloud_") && d.Capability == "foreground" {
		p.Add("/data/capability", "delegator/cloud-background", "a task in the cloud runs in the background")
	}
}

// noOutput checks that an acknowledgement or a snapshot has none.
func checkNoOutput(p *wire.Problems, pointer string, rest wire.Fields) {
	for _, name := range []string{"stdout", "stderr", "output"} {
		if rest.Get(name) != nil {
			p.Add(pointer+"/"+name, "delegator/no-output", "output stands in results only")
		}
	}
}

// eventsMost is the most events in a list of them ("Truncation Limits").
const eventsMost = 50

// delegatorResult checks "Category 4".
func checkDelegatorResult(p *wire.Problems, d *delegatorResult) {
	state := delegatorState(d.State)
	if d.Output == nil && (state == taskFailed || state == taskTimeout) {
		p.Add("/data/output", "delegator/output-excluded", "state is %s, and the output is left out", state)
	}
	if state.known() && d.CompletedTS == "" && !p.Reported("/data/completed_ts") {
		p.Add("/data/completed_ts", "member/missing", "the member is missing; a task whose state is %s ended at some time", state)
	}
	if d.CompletedTS != "" && (d.State == taskWorking || d.State == taskQueued) {
		p.Add("/data/completed_ts", "delegator/not-completed", "state is %s, and there is a time when the task ended", d.State)
	}
	checkDelegatorSummary(p, d.Summary)
	checkDelegatorDigests(p, "/data/artifacts", d.Artifacts)
	checkDelegatorOutput(p, d.Output, state)
	checkDelegatorMetadata(p, d.Metadata, state)
	if d.Events != nil && len(d.Events.Events) > eventsMost {
		p.Add("/data/events/events", "delegator/events-size", "there are %d events; %d are allowed", len(d.Events.Events), eventsMost)
	}
}

// delegatorSummary checks that a summary is one line.
func checkDelegatorSummary(p *wire.Problems, summary string) {
	if strings.ContainsAny(summary, "\r\n") {
		p.Add("/data/summary", "delegator/summary-line", "the summary has more than one line")
	}
}

// delegatorMetadata checks the EnhancedMetadata and "State Values".
func checkDelegatorMetadata(p *wire.Problems, metadata any, state delegatorState) {
	raw := wire.RawIn(metadata)
	if raw == nil || !state.known() {
		return
	}
	var w delegatorMetadata
	if !p.Sub("/data/metadata", raw, &w) {
		return
	}
	const at = "/data/metadata/error_context"
	wrong := state == taskFailed || state == taskTimeout
	switch {
	case wrong && w.Error == nil:
		p.Add(at, "delegator/error-context", "state is %s, and nothing says what went wrong", state)
	case !wrong && w.Error != nil:
		p.Add(at, "delegator/error-context", "state is %s, and there is an error_context", state)
	case state == taskTimeout && w.Error.Partial == nil:
		p.Add(at+"/partial_results", "delegator/error-context", "state is timeout, and there are no partial results")
	case w.Error != nil:
		checkDelegatorPartial(p, at+"/partial_results", w.Error.Partial)
	}
}

func (s delegatorState) known() bool { return slices.Contains(s.Limits().Enum, string(s)) }

// omissionMost is the most bytes of what stands where the middle of a stream was.
const omissionMost = 64

// delegatorOutput checks "Output Inclusion Policy".
func checkDelegatorOutput(p *wire.Problems, w *delegatorOutput, state delegatorState) {
	if w == nil {
		return
	}
	if !w.Included && (state == "failed" || state == "timeout") {
		p.Add("/data/output/included", "delegator/output-excluded", "state is %s, and the output is left out", state)
	}
	if !w.Included && (w.Stdout != nil || w.Stderr != nil) {
		p.Add("/data/output/included", "delegator/output-included", "included is false, and there is output")
	}
	if w.Included && w.MaxBytes > 0 {
		checkOutputSize(p, "/data/output/stdout", w.Stdout, w)
		checkOutputSize(p, "/data/output/stderr", w.Stderr, w)
	}
	if w.Truncated != (w.OriginalSize != nil) {
		p.Add("/data/output/original_size", "delegator/original-size", "original_size must be there exactly when truncated is true")
	}
}

// outputSize checks the length of a stream against the limit of both.
func checkOutputSize(p *wire.Problems, pointer string, stream *string, w *delegatorOutput) {
	most := int64(w.MaxBytes)
	if w.Truncated {
		most += omissionMost
	}
	if stream != nil && int64(len(*stream)) > most {
		p.Add(pointer, "delegator/output-size", "the stream has %d bytes; %d are allowed", len(*stream), w.MaxBytes)
	}
}

// delegatorSnapshot checks "Conditional Output Rules" and the notes of "Category 3".
func checkDelegatorSnapshot(p *wire.Problems, w *delegatorSnapshot) {
	for _, list := range []struct {
		name  string
		count wire.Count
		there bool
		n     int
		all   bool
	}{
		{"tasks", w.Summary.Running, w.Tasks != nil, len(w.Tasks), true},
		{"queue", w.Summary.Queued, w.Queue != nil, len(w.Queue), true},
		{"recently_completed", w.Summary.Completed, w.Completed != nil, len(w.Completed), false},
	} {
		n := wire.Count(list.n)
		switch {
		case list.there != (list.count > 0):
			p.Add("/data/"+list.name, "delegator/snapshot-list", "the list must be there exactly when the summary counts one or more")
		case list.all && n != list.count || n > list.count:
			p.Add("/data/"+list.name, "delegator/snapshot-count", "the list has %d tasks, and the summary counts %d", n, list.count)
		}
	}
	checkNoOutput(p, "/data", w.Rest)
	for i := range w.Tasks {
		at := "/data/tasks/" + strconv.Itoa(i)
		checkNoOutput(p, at, w.Tasks[i].Rest)
		checkFewLines(p, at, w.Tasks[i].LastLines)
	}
	for i := range w.Completed {
		checkFewLines(p, "/data/recently_completed/"+strconv.Itoa(i), w.Completed[i].LastLines)
	}
}

// fewLines checks the last lines of a task.
func checkFewLines(p *wire.Problems, at string, lines []string) {
	if n := len(lines); n > LastLinesMost {
		p.Add(at+"/last_lines", "delegator/last-lines", "there are %d lines; %d are allowed", n, LastLinesMost)
	}
}
