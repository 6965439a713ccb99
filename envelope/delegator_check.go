package envelope

import (
	"slices"
	"unicode/utf8"
)

func (w *delegator) check(p *problems) {
	if w.ToolCategory != "" && w.SchemaID != "" && w.SchemaID != w.ToolCategory.schemaID() {
		p.add("/schema_id", "delegator/schema-id", "%q stands where %q should be", shorten(w.SchemaID, 80), w.ToolCategory.schemaID())
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
	p.delegatorDetails(w.Error)
}

// delegatorDetails checks "Error Object Structure" and "Timeout Error".
func (p *problems) delegatorDetails(w *delegatorError) {
	for _, name := range []string{"stderr_tail", "stdout_tail"} {
		if tail := stringIn(w.Details.Get(name)); utf8.RuneCountInString(tail) > 1024 {
			p.add("/error/details/"+name, "delegator/tail-size", "the tail has more than 1024 characters")
		}
	}
	if w.Code != "TIMEOUT" {
		return
	}
	p.sub("/error/details", encodeObject(w.Details), new(delegatorTimeout))
}

// delegatorPayload checks meta and data by category.
func (p *problems) delegatorPayload(w *delegator) {
	data, meta := rawIn(w.Data), encodeObject(w.Meta)
	check := func(into any) {
		if w.Meta != nil {
			p.sub("/meta", meta, into)
		}
	}
	switch w.ToolCategory {
	case "execution_ack":
		check(new(delegatorAckMeta))
		p.sub("/data", data, new(delegatorAck))
	case waitResult:
		check(new(delegatorMeta))
		var d delegatorData
		p.sub("/data", data, &d)
		p.delegatorOutput(d.Output, d.State)
	case "status_snapshot":
		check(new(delegatorSnapshotMeta))
		var d delegatorSnapshot
		p.sub("/data", data, &d)
		p.delegatorSnapshot(&d)
	case "result_set":
		check(new(delegatorResultMeta))
		var d delegatorResult
		p.sub("/data", data, &d)
		p.delegatorOutput(d.Output, d.State)
	}
}

// delegatorOutput checks "Output Inclusion Policy".
func (p *problems) delegatorOutput(w *delegatorOutput, state delegatorState) {
	if w == nil {
		return
	}
	if !w.Included && (state == "failed" || state == "timeout") {
		p.add("/data/output/included", "delegator/output-excluded", "state is %s, and the output is left out", state)
	}
	if !w.Included && (w.Stdout != nil || w.Stderr != nil) {
		p.add("/data/output/included", "delegator/output-included", "included is false, and there is output")
	}
	if w.Truncated != (w.OriginalSize != nil) {
		p.add("/data/output/original_size", "delegator/original-size", "original_size must be there exactly when truncated is true")
	}
}

// delegatorSnapshot checks "Conditional Output Rules".
func (p *problems) delegatorSnapshot(w *delegatorSnapshot) {
	for _, list := range []struct {
		name  string
		count count
		there bool
	}{
		{"tasks", w.Summary.Running, w.Tasks != nil},
		{"queue", w.Summary.Queued, w.Queue != nil},
		{"recently_completed", w.Summary.Completed, w.Completed != nil},
	} {
		if list.there != (list.count > 0) {
			p.add("/data/"+list.name, "delegator/snapshot-list", "the list must be there exactly when the summary counts one or more")
		}
	}
}
