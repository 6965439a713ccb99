package envelope

import (
	"encoding/json"
	"strings"
)

func (w *protocol) check(p *problems) {
	p.protocolError(w.Status, w.Error.Code != nil, w.Error.Message != nil && *w.Error.Message != "")
	p.protocolMeta(&w.Meta, w.Status)
	if w.Meta.Partial && w.Status != "error" {
		p.add("/meta/partial", "protocol/partial-without-error", "partial is true, and status is %s", w.Status)
	}
	if p.strict && w.Status == "progress" && p.size > ProgressMost {
		p.add("", "protocol/progress-size", "the progress event has %d bytes; %d are allowed", p.size, ProgressMost)
	}
	if data, ok := w.Data.(json.RawMessage); ok {
		var room [fewNames]rawField
		f := rawFieldsIn(data, room[:0])
		p.protocolData(data, f, w.Meta.CASDigest)
		if w.Status == "progress" {
			p.pct(f.Get("pct"))
		}
		p.run(f, &w.Meta, w.Status, w.Error.Details)
		if w.Error.Message != nil && isRun(f.Get) {
			p.message("/error/message", *w.Error.Message)
		}
	}
}

// protocolError checks "Status rules" of the document.
func (p *problems) protocolError(status protocolStatus, code, message bool) {
	if status == "ok" && (code || message) {
		p.add("/error", "protocol/ok-with-error", "status is ok, and code or message is not null")
	}
	if status == "error" && !code {
		p.add("/error/code", "protocol/error-without-code", "status is error, and there is no code")
	}
	if status == "error" && !message {
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
	if m.Workspace != "" && !isAbsolute(m.Workspace) {
		p.add("/meta/workspace", "protocol/workspace", "%q is not an absolute path", shorten(m.Workspace, 80))
	}
	if status == "progress" && m.Seq == nil {
		p.add("/meta/seq", "protocol/progress-without-seq", "status is progress, and there is no seq")
	}
}

// isAbsolute reports whether path is absolute on some system.
func isAbsolute(path string) bool {
	drive := len(path) > 2 && path[1] == ':' && (path[2] == '\\' || path[2] == '/')
	return path[0] == '/' || drive || strings.HasPrefix(path, `\\`)
}

// inlineMost is the inline threshold of the document, in bytes.
const inlineMost = 32 << 10

// protocolData checks "Artifactization" of the document.
func (p *problems) protocolData(data json.RawMessage, f rawFields, cas digest) {
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
	p.summary("/data/summary", f.Get("summary"))
}

func (p *problems) summary(pointer string, raw json.RawMessage) {
	var w wireSummary
	p.sub(pointer, raw, &w)
	if len(w.Preview) > previewBytes {
		if preview, err := compact(w.Preview); err == nil && len(preview) > previewBytes {
			p.add(pointer+"/preview", "protocol/preview-size", "the preview has %d bytes; %d are allowed", len(preview), previewBytes)
		}
	}
}
