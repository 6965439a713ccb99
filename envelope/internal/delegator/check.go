package delegator

import (
	"slices"
	"unicode/utf8"

	"github.com/envwrap/envwrap/envelope/internal/wire"
)

// Check reports the faults of a document beyond its shape.
func (w *Envelope) Check(p *wire.Problems) {
	if w.ToolCategory != "" && w.SchemaID != "" && string(w.SchemaID) != w.ToolCategory.SchemaID() {
		p.Add("/schema_id", "delegator/schema-id", "%q is where %q should be", wire.Shorten(string(w.SchemaID), 80), w.ToolCategory.SchemaID())
	}
	if c := CategoryOf(string(w.Tool)); c != "" && w.ToolCategory.known() && w.ToolCategory != c {
		p.Add("/tool_category", "delegator/tool-category", "%s is of category %s", w.Tool, c)
	}
	if p.Strict && p.Late != "" {
		p.Add("/"+p.Late, "delegator/order", "the member comes too late: members have the order of the document")
	}
	switch w.Status {
	case "ok":
		checkOK(p, w)
	case "error":
		checkFailure(p, w)
	}
}

func checkOK(p *wire.Problems, w *Envelope) {
	if w.Error != nil {
		p.Add("/error", "delegator/ok-with-error", "status is ok, and there is an error")
	}
	if w.Data == nil {
		p.Add("/data", "delegator/ok-without-data", "status is ok, and there is no data")
		return
	}
	checkPayload(p, w)
}

func checkFailure(p *wire.Problems, w *Envelope) {
	if w.Data != nil {
		p.Add("/data", "delegator/error-with-data", "status is error, and there is data")
	}
	if w.Error == nil {
		p.Add("/error", "delegator/error-missing", "status is error, and there is no error")
		return
	}
	if w.Error.Retryable && slices.Contains(NeverRetryable[:3], w.Error.Code) && (p.Strict || w.Error.Code != "VALIDATION") { // which real servers call so
		p.Add("/error/retryable", "delegator/retryable", "%s is never retryable", w.Error.Code)
	}
	if w.ToolCategory == WaitResult {
		p.Sub("/meta", wire.EncodeObject(w.Meta), new(ErrorMeta))
	}
	CheckDetails(p, w.Error)
	if isRun(w.Error.Details) {
		CheckRun(p, w.Error)
	}
}

// CheckDetails checks "Error Object Structure" and "Timeout Error".
func CheckDetails(p *wire.Problems, w *Error) {
	for _, name := range []string{"stderr_tail", "stdout_tail"} {
		if tail := wire.StringIn(w.Details.Get(name)); utf8.RuneCountInString(tail) > 1024 {
			p.Add("/error/details/"+name, "delegator/tail-size", "the tail has more than 1024 characters")
		}
	}
	if w.Details != nil {
		p.Sub("/error/details", wire.EncodeObject(w.Details), new(Details))
	}
	if w.Code != "TIMEOUT" {
		return
	}
	var d Timeout
	p.Sub("/error/details", wire.EncodeObject(w.Details), &d)
	checkPartial(p, "/error/details/partial_results", d.Partial)
}

// CheckRun checks the details of a failed run of envwrap's.
func CheckRun(p *wire.Problems, w *Error) {
	var d RunDetails
	p.SubAnd("/error/details", wire.EncodeObject(w.Details), &d, func(p *wire.Problems) {
		wire.CheckMessage(p, "/error/message", string(w.Message))
		checkDigests(p, "/error/details/artifacts", d.Artifacts)
	})
}

// isRun reports whether the details of an error describe a run of
// ours.
func isRun(details wire.Fields) bool {
	ours := details.Get("hint") != nil || details.Get("stdout_tail") != nil && details.Get("stderr_tail") != nil
	return ours && (details.Get("exit_code") != nil || details.Get("timeout_type") != nil)
}
