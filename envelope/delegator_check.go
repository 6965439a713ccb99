package envelope

import (
	"slices"
	"unicode/utf8"

	"github.com/envwrap/envwrap/envelope/internal/wire"
)

func (w *delegator) check(p *wire.Problems) {
	if w.ToolCategory != "" && w.SchemaID != "" && string(w.SchemaID) != w.ToolCategory.schemaID() {
		p.Add("/schema_id", "delegator/schema-id", "%q stands where %q should be", wire.Shorten(string(w.SchemaID), 80), w.ToolCategory.schemaID())
	}
	if c := categoryOf(string(w.Tool)); c != "" && w.ToolCategory.known() && w.ToolCategory != c {
		p.Add("/tool_category", "delegator/tool-category", "%s is of category %s", w.Tool, c)
	}
	switch w.Status {
	case "ok":
		checkDelegatorOK(p, w)
	case "error":
		checkDelegatorFailure(p, w)
	}
}

func checkDelegatorOK(p *wire.Problems, w *delegator) {
	if w.Error != nil {
		p.Add("/error", "delegator/ok-with-error", "status is ok, and there is an error")
	}
	if w.Data == nil {
		p.Add("/data", "delegator/ok-without-data", "status is ok, and there is no data")
		return
	}
	checkDelegatorPayload(p, w)
}

func checkDelegatorFailure(p *wire.Problems, w *delegator) {
	if w.Data != nil {
		p.Add("/data", "delegator/error-with-data", "status is error, and there is data")
	}
	if w.Error == nil {
		p.Add("/error", "delegator/error-missing", "status is error, and there is no error")
		return
	}
	if w.Error.Retryable && slices.Contains(neverRetryable[:3], w.Error.Code) {
		p.Add("/error/retryable", "delegator/retryable", "%s is never retryable", w.Error.Code)
	}
	if w.ToolCategory == waitResult {
		p.Sub("/meta", wire.EncodeObject(w.Meta), new(delegatorErrorMeta))
	}
	checkDelegatorDetails(p, w.Error)
	if isDelegatorRun(w.Error.Details) {
		checkDelegatorRun(p, w.Error)
	}
}

// delegatorDetails checks "Error Object Structure" and "Timeout Error".
func checkDelegatorDetails(p *wire.Problems, w *delegatorError) {
	for _, name := range []string{"stderr_tail", "stdout_tail"} {
		if tail := wire.StringIn(w.Details.Get(name)); utf8.RuneCountInString(tail) > 1024 {
			p.Add("/error/details/"+name, "delegator/tail-size", "the tail has more than 1024 characters")
		}
	}
	if w.Details != nil {
		p.Sub("/error/details", wire.EncodeObject(w.Details), new(delegatorDetails))
	}
	if w.Code != "TIMEOUT" {
		return
	}
	var d delegatorTimeout
	p.Sub("/error/details", wire.EncodeObject(w.Details), &d)
	checkDelegatorPartial(p, "/error/details/partial_results", d.Partial)
}

// delegatorPartial checks what there was until a time limit passed, by "Timeout
// Error" and "Truncation Limits".
func checkDelegatorPartial(p *wire.Problems, pointer string, w *delegatorPartial) {
	if w == nil {
		return
	}
	if len(w.Events) > eventsMost {
		p.Add(pointer+"/last_events", "delegator/events-size", "there are %d events; %d are allowed", len(w.Events), eventsMost)
	}
	if n := utf8.RuneCountInString(w.Output); n > TailKeep {
		p.Add(pointer+"/last_output", "delegator/last-output-size", "the output has %d characters; %d are allowed", n, TailKeep)
	}
}
