package envelope

import (
	"slices"
	"unicode/utf8"
)

func (w *delegator) check(p *problems) {
	if w.ToolCategory != "" && w.SchemaID != "" && string(w.SchemaID) != w.ToolCategory.schemaID() {
		p.add("/schema_id", "delegator/schema-id", "%q stands where %q should be", shorten(string(w.SchemaID), 80), w.ToolCategory.schemaID())
	}
	if c := categoryOf(string(w.Tool)); c != "" && w.ToolCategory.known() && w.ToolCategory != c {
		p.add("/tool_category", "delegator/tool-category", "%s is of category %s", w.Tool, c)
	}
	switch w.Status {
	case "ok":
		p.delegatorOK(w)
	case "error":
		p.delegatorFailure(w)
	}
}

func (p *problems) delegatorOK(w *delegator) {
	if w.Error != nil {
		p.add("/error", "delegator/ok-with-error", "status is ok, and there is an error")
	}
	if w.Data == nil {
		p.add("/data", "delegator/ok-without-data", "status is ok, and there is no data")
		return
	}
	p.delegatorPayload(w)
}

func (p *problems) delegatorFailure(w *delegator) {
	if w.Data != nil {
		p.add("/data", "delegator/error-with-data", "status is error, and there is data")
	}
	if w.Error == nil {
		p.add("/error", "delegator/error-missing", "status is error, and there is no error")
		return
	}
	if w.Error.Retryable && slices.Contains(neverRetryable[:3], w.Error.Code) {
		p.add("/error/retryable", "delegator/retryable", "%s is never retryable", w.Error.Code)
	}
	if w.ToolCategory == waitResult {
		p.sub("/meta", encodeObject(w.Meta), new(delegatorErrorMeta))
	}
	p.delegatorDetails(w.Error)
	if isDelegatorRun(w.Error.Details) {
		p.delegatorRun(w.Error)
	}
}

// delegatorDetails checks "Error Object Structure" and "Timeout Error".
func (p *problems) delegatorDetails(w *delegatorError) {
	for _, name := range []string{"stderr_tail", "stdout_tail"} {
		if tail := stringIn(w.Details.Get(name)); utf8.RuneCountInString(tail) > 1024 {
			p.add("/error/details/"+name, "delegator/tail-size", "the tail has more than 1024 characters")
		}
	}
	if w.Details != nil {
		p.sub("/error/details", encodeObject(w.Details), new(delegatorDetails))
	}
	if w.Code != "TIMEOUT" {
		return
	}
	var d delegatorTimeout
	p.sub("/error/details", encodeObject(w.Details), &d)
	p.delegatorPartial("/error/details/partial_results", d.Partial)
}

// delegatorPartial checks what there was until a time limit passed, by "Timeout
// Error" and "Truncation Limits".
func (p *problems) delegatorPartial(pointer string, w *delegatorPartial) {
	if w == nil {
		return
	}
	if len(w.Events) > eventsMost {
		p.add(pointer+"/last_events", "delegator/events-size", "there are %d events; %d are allowed", len(w.Events), eventsMost)
	}
	if n := utf8.RuneCountInString(w.Output); n > TailKeep {
		p.add(pointer+"/last_output", "delegator/last-output-size", "the output has %d characters; %d are allowed", n, TailKeep)
	}
}
