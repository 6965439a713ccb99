package envelope

import (
	"encoding/json"

	"github.com/envwrap/envwrap/envelope/internal/wire"
	"github.com/envwrap/envwrap/internal/jsontext"
)

// What the contract says of runs in the dialects that are not protocol/v1.

// exec checks the exec member of an envelope: the facts of a run of ours.
func checkExec(p *wire.Problems, pointer string, raw json.RawMessage) {
	var w wireExec
	told := len(p.Faults)
	p.Sub(pointer, raw, &w)
	more := wire.Problems{Strict: p.Strict}
	checkPlain(&more, pointer+"/stderr", wire.RawIn(w.Stderr), false)
	p.AddUnexplained(told, more.Faults)
}

// plain checks what [view.plain] writes: a text or a stream object, and where
// json says so any other value too.
func checkPlain(p *wire.Problems, pointer string, raw json.RawMessage, json bool) {
	switch k := jsontext.Kind(raw); {
	case raw == nil || k == '"':
	case k == '{' && (!json || isStream(raw)):
		var w wireStream
		told := len(p.Faults)
		p.Sub(pointer, raw, &w)
		more := wire.Problems{Strict: p.Strict}
		checkStream(&more, pointer, &w)
		p.AddUnexplained(told, more.Faults)
	case string(raw) == "null" && !json:
		p.Add(pointer, "member/null", "null stands where a string or a stream object should be")
	case !json:
		p.Add(pointer, "member/type", "%s stands where a string or a stream object should be", wire.Found(raw))
	}
}

// isStream reports whether an object is meant to be that of a stream.
func isStream(object json.RawMessage) bool {
	f := wire.FieldsIn(object)
	return f.Get("bytes") != nil && f.Get("lines") != nil &&
		(f.Get("artifact") != nil || f.Get("base64") != nil || f.Get("truncated") != nil || f.Get("exact") != nil)
}

// helperRun checks what envwrap adds to a helper's envelope.
func checkHelperRun(p *wire.Problems, w *helper) {
	checkExec(p, "/exec", w.Payload.Get("exec"))
	if w.Error != nil {
		wire.CheckMessage(p, "/error/message", w.Error.Message)
	}
	if ts := string(w.TS); wire.IsTimestamp(ts) {
		checkStamp(p, "/ts", ts)
	}
	if own := w.Payload.Without("exec"); len(own) == 1 && own[0].Name == "stdout" {
		checkPlain(p, "/stdout", own[0].Value, true)
	}
}

// isRunMetadata reports whether metadata is that of a run of ours.
func isRunMetadata(metadata wire.Fields) bool {
	return metadata.Get("argv") != nil && metadata.Get("outcome") != nil
}

// agentRun checks the metadata of a run of ours, and what goes with it.
func checkAgentRun(p *wire.Problems, w *agentResponse, metadata json.RawMessage) {
	var m agentMetadata
	told := len(p.Faults)
	p.Sub("/metadata", metadata, &m)
	more := wire.Problems{Strict: p.Strict}
	checkOutcome(&more, "/metadata/outcome", m.Outcome, w.Status == "success")
	checkTail(&more, "/metadata/stderr_tail", m.StderrTail)
	if w.Status != "success" {
		if w.ErrorMessage != nil {
			wire.CheckMessage(&more, "/error_message", *w.ErrorMessage)
		}
	}
	if ts := string(w.CreatedAt); wire.IsTimestamp(ts) {
		checkStamp(&more, "/created_at", ts)
	}
	p.AddUnexplained(told, more.Faults)
}

// isToolRun reports whether a payload is that of a run of ours.
func isToolRun(payload wire.Fields) bool {
	for _, name := range []string{"argv", "outcome", "stdout", "stderr"} {
		if payload.Get(name) == nil {
			return false
		}
	}
	return true
}

// toolRun checks the payload of a run of ours that went well.
func checkToolRun(p *wire.Problems, w *toolEnvelope, payload json.RawMessage) {
	var run toolRun
	told := len(p.Faults)
	p.Sub("/payload", payload, &run)
	more := wire.Problems{Strict: p.Strict}
	checkOutcome(&more, "/payload/outcome", run.Outcome, true)
	checkPlain(&more, "/payload/stdout", wire.RawIn(run.Stdout), true)
	checkPlain(&more, "/payload/stderr", wire.RawIn(run.Stderr), false)
	if ts := string(w.Meta.TS); wire.IsTimestamp(ts) {
		checkStamp(&more, "/meta/ts", ts)
	}
	p.AddUnexplained(told, more.Faults)
}

// soundToolRun reports whether a payload could be that of a run of ours.
func soundToolRun(payload json.RawMessage) bool {
	var p wire.Problems
	checkToolRun(&p, new(toolEnvelope), payload)
	return p.Faults == nil
}
