package delegator

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/envwrap/envwrap/envelope/internal/wire"
)

// check checks the notes of "Category 1".
func (d *Ack) check(p *wire.Problems, w *Envelope) {
	checkNoOutput(p, "/data", d.Rest)
	if strings.HasPrefix(string(w.Tool), cloudTools) && d.Capability == "foreground" {
		p.Add("/data/capability", "delegator/cloud-background", "a task in the cloud runs in the background")
	}
}

// checkNoOutput checks that an acknowledgement or a snapshot has none.
func checkNoOutput(p *wire.Problems, pointer string, rest wire.Fields) {
	for _, name := range []string{"stdout", "stderr", "output"} {
		if rest.Get(name) != nil {
			p.Add(pointer+"/"+name, "delegator/no-output", "output belongs in results only")
		}
	}
}

// EventsMost is the most events in a list of them ("Truncation Limits").
const EventsMost = 50

// check checks "Category 4".
func (d *Result) check(p *wire.Problems, _ *Envelope) {
	state := State(d.State)
	if d.Output == nil && (state == TaskFailed || state == TaskTimeout) {
		p.Add("/data/output", "delegator/output-excluded", "state is %s, and the output is left out", state)
	}
	if state.known() && d.CompletedTS == "" && !p.Reported("/data/completed_ts") {
		p.Add("/data/completed_ts", "member/missing", "the member is missing; a task whose state is %s ended at some time", state)
	}
	if d.CompletedTS != "" && (d.State == TaskWorking || d.State == TaskQueued) {
		p.Add("/data/completed_ts", "delegator/not-completed", "state is %s, and there is a time when the task ended", d.State)
	}
	checkTask(p, d.Summary, d.Artifacts, d.Output, d.Metadata, state)
	if d.Events != nil && len(d.Events.Events) > EventsMost {
		p.Add("/data/events/events", "delegator/events-size", "there are %d events; %d are allowed", len(d.Events.Events), EventsMost)
	}
}

// check checks "Category 2".
func (d *Data) check(p *wire.Problems, _ *Envelope) {
	checkTask(p, d.Summary, d.Artifacts, d.Output, d.Metadata, d.State)
}

// checkTask checks what both categories say of a task: its summary is one line.
func checkTask(p *wire.Problems, summary string, artifacts []Artifact, output *Output, metadata any, state State) {
	if strings.ContainsAny(summary, "\r\n") {
		p.Add("/data/summary", "delegator/summary-line", "the summary has more than one line")
	}
	checkDigests(p, "/data/artifacts", artifacts)
	if !p.Strict && isServers(wire.RawIn(metadata)) {
		checkOutput(p, output, "")
		p.Sub("/data/metadata", wire.RawIn(metadata), new(Metadata))
		return
	}
	checkOutput(p, output, state)
	checkMetadata(p, metadata, state)
}

// isServers reports whether metadata is as real servers write it, where task_status is an
// object. They add an empty error_context to tasks that were cancelled, and leave out the
// output, and partial results, of those that they stopped waiting for.
func isServers(metadata json.RawMessage) bool {
	return strings.HasPrefix(string(wire.FieldsIn(metadata).Get("task_status")), "{")
}

// checkMetadata checks the EnhancedMetadata and "State Values".
func checkMetadata(p *wire.Problems, metadata any, state State) {
	raw := wire.RawIn(metadata)
	if raw == nil || !state.known() {
		return
	}
	var w Metadata
	if !p.Sub("/data/metadata", raw, &w) {
		return
	}
	const at = "/data/metadata/error_context"
	wrong := state == TaskFailed || state == TaskTimeout
	switch {
	case wrong && w.Error == nil:
		p.Add(at, "delegator/error-context", "state is %s, and nothing says what went wrong", state)
	case !wrong && w.Error != nil:
		p.Add(at, "delegator/error-context", "state is %s, and there is an error_context", state)
	case state == TaskTimeout && w.Error.Partial == nil:
		p.Add(at+"/partial_results", "delegator/error-context", "state is timeout, and there are no partial results")
	case w.Error != nil:
		checkPartial(p, at+"/partial_results", w.Error.Partial)
	}
}

func (s State) known() bool { return slices.Contains(s.Limits().Enum, string(s)) }

// omissionMost is the most bytes of what replaces the middle of a stream.
const omissionMost = 64

// checkOutput checks "Output Inclusion Policy".
func checkOutput(p *wire.Problems, w *Output, state State) {
	if w == nil {
		return
	}
	if !w.Included && (state == "failed" || state == "timeout") {
		p.Add("/data/output/included", "delegator/output-excluded", "state is %s, and the output is left out", state)
	}
	if !w.Included && (w.Stdout != nil || w.Stderr != nil) {
		p.Add("/data/output/included", "delegator/output-included", "included is false, and there is output")
	}
	if w.MaxBytes > 0 {
		checkOutputSize(p, "/data/output/stdout", w.Stdout, w)
		checkOutputSize(p, "/data/output/stderr", w.Stderr, w)
	}
	if w.Truncated != (w.OriginalSize != nil) {
		p.Add("/data/output/original_size", "delegator/original-size", "original_size must be there exactly when truncated is true")
	}
}

// checkOutputSize checks the length of a stream against the limit of both.
func checkOutputSize(p *wire.Problems, pointer string, stream *string, w *Output) {
	most := int64(w.MaxBytes)
	if w.Truncated {
		most += omissionMost
	}
	if stream != nil && int64(len(*stream)) > most {
		p.Add(pointer, "delegator/output-size", "the stream has %d bytes; %d are allowed", len(*stream), w.MaxBytes)
	}
}

// check checks "Conditional Output Rules" and the notes of "Category 3".
func (w *Snapshot) check(p *wire.Problems, _ *Envelope) {
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

// checkFewLines checks the last lines of a task.
func checkFewLines(p *wire.Problems, at string, lines []string) {
	if n := len(lines); n > lastLinesMost {
		p.Add(at+"/last_lines", "delegator/last-lines", "there are %d lines; %d are allowed", n, lastLinesMost)
	}
}

const lastLinesMost = 5

// checkPartial checks what there was until a time limit passed, by "Timeout
// Error" and "Truncation Limits".
func checkPartial(p *wire.Problems, pointer string, w *Partial) {
	if w == nil {
		return
	}
	if len(w.Events) > EventsMost {
		p.Add(pointer+"/last_events", "delegator/events-size", "there are %d events; %d are allowed", len(w.Events), EventsMost)
	}
	if n := utf8.RuneCountInString(w.Output); n > lastOutputMost {
		p.Add(pointer+"/last_output", "delegator/last-output-size", "the output has %d characters; %d are allowed", n, lastOutputMost)
	}
}

const lastOutputMost = 64 << 10

// checkDigests checks that an artifact has one digest, however spelled.
func checkDigests(p *wire.Problems, pointer string, list []Artifact) {
	for i, a := range list {
		if ref, ok := strings.CutPrefix(string(a.Ref), "sha256:"); ok && a.SHA256 != "" && ref != string(a.SHA256) {
			p.Add(pointer+"/"+strconv.Itoa(i)+"/sha256", "delegator/artifact-digest", "%s here, and another digest in ref", a.SHA256)
		}
	}
}
