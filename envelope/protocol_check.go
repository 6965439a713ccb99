package envelope

import (
	"encoding/json"

	"github.com/envwrap/envwrap/internal/jsontext"
)

func (w *protocol) check(p *problems) {
	p.protocolError(w.Status, &w.Error)
	p.protocolMeta(&w.Meta, w.Status)
	if w.Meta.Partial && w.Status != "error" {
		p.add("/meta/partial", "protocol/partial-without-error", "partial is true, and status is %s", w.Status)
	}
	if w.Status == "progress" && p.size > ProgressMost {
		p.add("", "protocol/progress-size", "the progress event has %d bytes; %d are allowed", p.size, ProgressMost)
	}
	if data, ok := w.Data.(json.RawMessage); ok {
		var room [16]jsontext.Member
		f := jsontext.AppendObject(room[:0], data)
		run := isRun(f.Get)
		p.protocolData(data, f, w.Meta.CASDigest, run)
		if w.Status == "progress" {
			p.progress(data, f)
		}
		if run {
			p.run(f, w)
		}
	}
}

// protocolError checks "Status rules" of the document.
func (p *problems) protocolError(status protocolStatus, e *protocolError) {
	if status == "ok" && (e.Code != nil || e.Message != nil && !p.told("/error/message")) {
		p.add("/error", "protocol/ok-with-error", "status is ok, and code or message is not null")
	}
	if status == "error" && e.Code == nil {
		p.add("/error/code", "protocol/error-without-code", "status is error, and there is no code")
	}
	if status == "error" && (e.Message == nil || *e.Message == "") {
		p.add("/error/message", "protocol/error-without-message", "status is error, and there is no message")
	}
}

// protocolMeta checks "Field descriptions" and "Streaming" of the document.
func (p *problems) protocolMeta(m *protocolMeta, status protocolStatus) {
	switch string(m.Runner) {
	case "", "null", `"wasi"`, `"exec"`, `"oci"`:
	default:
		p.add("/meta/runner", "value/enum", "%s stands where wasi, exec, oci or null should be", shorten(string(m.Runner), 80))
	}
	if m.Source == sourceCache && m.CacheKey == "" && !p.told("/meta/cache_key") {
		p.add("/meta/cache_key", "protocol/cache-without-key", "source is cache, and there is no cache_key")
	}
	if status == "progress" && m.Seq == nil {
		p.add("/meta/seq", "protocol/progress-without-seq", "status is progress, and there is no seq")
	}
}

// inlineMost is the inline threshold of the document, in bytes.
const inlineMost = 32 << 10

// protocolData checks "Artifactization" of the document.
func (p *problems) protocolData(data json.RawMessage, f jsontext.Object, cas digest, run bool) {
	artifact := stringIn(f.Get("artifact"))
	if artifact == "" && p.strict && len(data) > inlineMost {
		p.add("/data", "protocol/inline-size", "data has %d bytes and no artifact; up to %d stay inline", len(data), inlineMost)
	}
	switch {
	case artifact == "" && cas != "":
		p.add("/meta/cas_digest", "protocol/digest-without-artifact", "there is a cas_digest and no data.artifact")
	case artifact != "" && cas == "":
		p.add("/data/artifact", "protocol/artifact-without-digest", "there is an artifact and no meta.cas_digest")
	case artifact != string(cas):
		p.add("/meta/cas_digest", "protocol/digest-mismatch", "cas_digest and data.artifact differ")
	}
	if artifact == "" {
		return
	}
	if !isDigest(artifact) {
		p.add("/data/artifact", "value/digest", "%q stands where %s should be", shorten(artifact, 80), digest("").limits().want)
	}
	if f.Get("summary") == nil {
		p.add("/data/summary", "protocol/artifact-without-summary", "there is an artifact and no summary of it")
		return
	}
	if !run { // a run's is looked at with all of its data
		var w wireSummary
		p.sub("/data/summary", f.Get("summary"), &w)
		p.previewSize("/data/summary", w.Preview)
	}
}

// previewSize checks "Preview bounds" of the document.
func (p *problems) previewSize(pointer string, preview json.RawMessage) {
	if len(preview) <= previewBytes {
		return
	}
	if short, err := compact(preview); err == nil && len(short) > previewBytes {
		p.add(pointer+"/preview", "protocol/preview-size", "the preview has %d bytes; %d are allowed", len(short), previewBytes)
	}
}
