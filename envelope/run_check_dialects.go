package envelope

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/envwrap/envwrap/internal/jsontext"
)

// What the contract says of runs in the dialects that are not protocol/v1.

// exec checks the exec member of an envelope: the facts of a run of ours.
func (p *problems) exec(pointer string, raw json.RawMessage) {
	var w wireExec
	told := len(p.faults)
	p.sub(pointer, raw, &w)
	more := problems{strict: p.strict}
	more.plain(pointer+"/stderr", rawIn(w.Stderr), false)
	p.addUnexplained(told, more.faults)
}

// plain checks what [view.plain] writes: a text or a stream object, and where
// json says so any other value too.
func (p *problems) plain(pointer string, raw json.RawMessage, json bool) {
	switch k := jsontext.Kind(raw); {
	case raw == nil || k == '"':
	case k == '{' && (!json || isStream(raw)):
		var w wireStream
		told := len(p.faults)
		p.sub(pointer, raw, &w)
		more := problems{strict: p.strict}
		more.stream(pointer, &w)
		p.addUnexplained(told, more.faults)
	case string(raw) == "null" && !json:
		p.add(pointer, "member/null", "null stands where a string or a stream object should be")
	case !json:
		p.add(pointer, "member/type", "%s stands where a string or a stream object should be", found(raw))
	}
}

// isStream reports whether an object is meant to be that of a stream.
func isStream(object json.RawMessage) bool {
	f := fieldsIn(object)
	return f.Get("bytes") != nil && f.Get("lines") != nil &&
		(f.Get("artifact") != nil || f.Get("base64") != nil || f.Get("truncated") != nil || f.Get("exact") != nil)
}

// helperRun checks what envwrap adds to a helper's envelope.
func (p *problems) helperRun(w *helper) {
	p.exec("/exec", w.Payload.Get("exec"))
	if w.Error != nil {
		p.message("/error/message", w.Error.Message)
	}
	if ts := string(w.TS); isTimestamp(ts) {
		p.stamp("/ts", ts)
	}
	if own := w.Payload.without("exec"); len(own) == 1 && own[0].Name == "stdout" {
		p.plain("/stdout", own[0].Value, true)
	}
}

// isRunMetadata reports whether metadata is that of a run of ours.
func isRunMetadata(metadata Fields) bool {
	return metadata.Get("argv") != nil && metadata.Get("outcome") != nil
}

// agentRun checks the metadata of a run of ours, and what goes with it.
func (p *problems) agentRun(w *agentResponse, metadata json.RawMessage) {
	var m agentMetadata
	told := len(p.faults)
	p.sub("/metadata", metadata, &m)
	more := problems{strict: p.strict}
	more.outcome("/metadata/outcome", m.Outcome, w.Status == "success")
	more.tail("/metadata/stderr_tail", m.StderrTail)
	if w.Status != "success" {
		if w.ErrorMessage != nil {
			more.message("/error_message", *w.ErrorMessage)
		}
	}
	if ts := string(w.CreatedAt); isTimestamp(ts) {
		more.stamp("/created_at", ts)
	}
	p.addUnexplained(told, more.faults)
}

// isToolRun reports whether a payload is that of a run of ours.
func isToolRun(payload Fields) bool {
	for _, name := range []string{"argv", "outcome", "stdout", "stderr"} {
		if payload.Get(name) == nil {
			return false
		}
	}
	return true
}

// toolRun checks the payload of a run of ours that went well.
func (p *problems) toolRun(w *toolEnvelope, payload json.RawMessage) {
	var run toolRun
	told := len(p.faults)
	p.sub("/payload", payload, &run)
	more := problems{strict: p.strict}
	more.outcome("/payload/outcome", run.Outcome, true)
	more.plain("/payload/stdout", rawIn(run.Stdout), true)
	more.plain("/payload/stderr", rawIn(run.Stderr), false)
	if ts := string(w.Meta.TS); isTimestamp(ts) {
		more.stamp("/meta/ts", ts)
	}
	p.addUnexplained(told, more.faults)
}

// soundToolRun reports whether a payload could be that of a run of ours.
func soundToolRun(payload json.RawMessage) bool {
	var p problems
	p.toolRun(new(toolEnvelope), payload)
	return p.faults == nil
}

// delegatorRun checks the details of a run of ours that failed.
func (p *problems) delegatorRun(w *delegatorError) {
	var d delegatorRunDetails
	told := len(p.faults)
	p.sub("/error/details", encodeObject(w.Details), &d)
	more := problems{strict: p.strict}
	more.message("/error/message", string(w.Message))
	more.delegatorDigests("/error/details/artifacts", d.Artifacts)
	p.addUnexplained(told, more.faults)
}

// isDelegatorRun reports whether the details of an error are those of a run of
// ours.
func isDelegatorRun(details Fields) bool {
	ours := details.Get("hint") != nil || details.Get("stdout_tail") != nil && details.Get("stderr_tail") != nil
	return ours && (details.Get("exit_code") != nil || details.Get("timeout_type") != nil)
}

// delegatorDigests checks that an artifact has one digest, however spelled.
func (p *problems) delegatorDigests(pointer string, list []delegatorArtifact) {
	for i, a := range list {
		if ref, ok := strings.CutPrefix(string(a.Ref), "sha256:"); ok && a.SHA256 != "" && ref != string(a.SHA256) {
			p.add(pointer+"/"+strconv.Itoa(i)+"/sha256", "delegator/artifact-digest", "%s stands here, and another digest in ref", a.SHA256)
		}
	}
}
