package envelope

import (
	"encoding/json"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/envwrap/envwrap/envelope/internal/check"
	"github.com/envwrap/envwrap/envelope/internal/mimetype"
	"github.com/envwrap/envwrap/envelope/internal/preview"
	"github.com/envwrap/envwrap/envelope/internal/wire"
	"github.com/envwrap/envwrap/internal/shared/jsontext"
)

// checkRun checks the data of a command that envwrap ran.
func checkRun(p *wire.Problems, f jsontext.Object, w *protocolDoc) {
	var data wireRun
	before := len(p.Faults)
	p.SubMembers("/data", f, &data)
	if data.Argv == nil && !f.Has("argv") && !isExec(f.Get("exec")) {
		p.Add("/data/argv", "member/missing", "the member is missing; it must be an array")
	}
	fits := len(p.Faults) == before
	p.And(before, func(p *wire.Problems) {
		if w.Status == "error" {
			checkRunError(p, f, w)
		}
		checkRunHead(p, w, &data)
		checkStream(p, "/data/stdout", data.Stdout)
		checkStream(p, "/data/stderr", data.Stderr)
		checkRunSummary(p, "/data/summary", data.Summary)
		if data.Stderr != nil {
			checkRunSummary(p, "/data/stderr/summary", data.Stderr.Summary)
		}
		if fits {
			checkRunArtifacts(p, &data)
		}
	})
}

// checkRunHead checks the members outside of data in the envelope of a run.
func checkRunHead(p *wire.Problems, w *protocolDoc, data *wireRun) {
	if ts := string(w.Meta.TS); wire.IsUTC(ts) {
		checkStamp(p, "/meta/ts", ts)
	}
	if p.Strict && p.Late != "" {
		p.Add("/"+p.Late, "run/order", "the member comes too late: members have the order of the document")
	}
	if w.Status == "ok" || w.Status == "error" {
		checkOutcome(p, "/data/outcome", data.Outcome, w.Status == "ok")
	}
}

// checkRunSummary checks that a summary counts what an artifact of its kind has.
func checkRunSummary(p *wire.Problems, pointer string, w *wireSummary) {
	if w == nil {
		return
	}
	checkPreviewSize(p, pointer, w.Preview)
	var sample preview.Preview
	p.Sub(pointer+"/preview", w.Preview, &sample)
	switch {
	case w.Kind == mimetype.Text && w.Lines == nil:
		p.Add(pointer+"/lines", "run/summary", "the artifact is text, and its lines are not counted")
	case w.RecordCount == nil && (w.Kind == mimetype.NDJSON || sample.SampleRecord != nil):
		p.Add(pointer+"/record_count", "run/summary", "the artifact has records, and they are not counted")
	}
}

// checkRunError checks the error of a run.
func checkRunError(p *wire.Problems, f jsontext.Object, w *protocolDoc) {
	if w.Error.Message != nil {
		wire.CheckMessage(p, "/error/message", *w.Error.Message)
	}
	at, details := "/error/details", w.Error.Details
	if details == nil && f.Has("details") { // foxctl/v1
		at, details = "/data/details", wire.FieldsIn(f.Get("details"))
	}
	var d runDetails
	p.Sub(at, wire.EncodeObject(details), &d)
	if said, status := wire.IntIn(details.Get("exit_code")), wire.IntIn(f.Get("exit_code")); said != nil && status != nil && *said != *status {
		p.Add(at+"/exit_code", "run/exit-code", "%d here, and %d in data.exit_code", *said, *status)
	}
	if by := wire.StringIn(details.Get("classified_by")); !slices.Contains(classifiers(), Classifier(by)) {
		p.Add(at+"/classified_by", "run/classified-by", "%q is where one of %v should be", wire.Shorten(by, 80), classifiers())
	}
	if wire.BoolIn(details.Get("retryable")) == nil {
		p.Add(at+"/retryable", "run/retryable", "it must be true or false")
	}
	checkTail(p, at+"/stderr_tail", d.StderrTail)
}

// checkTail checks the length of the end of stderr.
func checkTail(p *wire.Problems, pointer, tail string) {
	if n := utf8.RuneCountInString(tail); n > stderrTailMost {
		p.Add(pointer, "run/tail-size", "the tail has %d characters; %d are allowed", n, stderrTailMost)
	}
}

// checkRunArtifacts checks that what went to the store is named.
func checkRunArtifacts(p *wire.Problems, w *wireRun) {
	digests := append(contentOf(w.Stdout), contentOf(w.Stderr)...)
	if len(digests) > 0 && w.Artifact != digests[0] {
		p.Add("/data/artifact", "run/artifact", "the artifact is not that of the stream, %s", digests[0])
	}
	if len(digests) < 2 {
		return
	}
	if !slices.Equal(digests, w.Artifacts) {
		p.Add("/data/artifacts", "run/artifacts", "both streams are in the store, and both digests must be here")
	}
	if w.Stderr.Summary == nil {
		p.Add("/data/stderr/summary", "run/stderr-summary", "both streams are in the store, and data.summary describes stdout only")
	}
}

func contentOf(w *wireStream) []wire.Digest {
	if w == nil || w.Artifact == "" {
		return nil
	}
	return []wire.Digest{w.Artifact}
}

func (w *protocolDoc) check(p *wire.Problems) {
	checkProtocolError(p, w.Status, &w.Error)
	checkProtocolMeta(p, &w.Meta, w.Status)
	if w.Meta.Partial && w.Status != "error" {
		p.Add("/meta/partial", "protocol/partial-without-error", "partial is true, and status is %s", w.Status)
	}
	if w.Status == "progress" && p.Size > ProgressMost {
		p.Add("", "protocol/progress-size", "the progress event has %d bytes; %d are allowed", p.Size, ProgressMost)
	}
	if data, ok := w.Data.(json.RawMessage); ok {
		var room [16]jsontext.Member
		f := jsontext.AppendObject(room[:0], data)
		run := isRun(f.Get)
		checkProtocolData(p, data, f, w.Meta.CASDigest, run)
		if w.Status == "progress" {
			checkProgress(p, data, f)
		}
		if run {
			checkRun(p, f, w)
		}
	}
}

// checkProtocolError checks "Status rules" of the document.
func checkProtocolError(p *wire.Problems, status protocolStatus, e *protocolError) {
	if status == "ok" && (e.Code != nil || e.Message != nil && !p.Reported("/error/message")) {
		p.Add("/error", "protocol/ok-with-error", "status is ok, and code or message is not null")
	}
	if status == "error" && e.Code == nil {
		p.Add("/error/code", "protocol/error-without-code", "status is error, and there is no code")
	}
	if status == "error" && (e.Message == nil || *e.Message == "") {
		p.Add("/error/message", "protocol/error-without-message", "status is error, and there is no message")
	}
}

// checkProtocolMeta checks "Field descriptions" and "Streaming" of the document.
func checkProtocolMeta(p *wire.Problems, m *protocolMeta, status protocolStatus) {
	switch string(m.Runner) {
	case "", "null", `"wasi"`, `"exec"`, `"oci"`:
	default:
		p.Add("/meta/runner", "value/enum", "%s is where wasi, exec, oci or null should be", wire.Shorten(string(m.Runner), 80))
	}
	if m.Source == sourceCache && m.CacheKey == "" && !p.Reported("/meta/cache_key") {
		p.Add("/meta/cache_key", "protocol/cache-without-key", "source is cache, and there is no cache_key")
	}
	if status == "progress" && m.Seq == nil {
		p.Add("/meta/seq", "protocol/progress-without-seq", "status is progress, and there is no seq")
	}
}

// checkProtocolData checks "Artifactization" of the document.
func checkProtocolData(p *wire.Problems, data json.RawMessage, f jsontext.Object, cas wire.Digest, run bool) {
	artifact := wire.StringIn(f.Get("artifact"))
	if artifact == "" && p.Strict && len(data) > inlineMost {
		p.Add("/data", "protocol/inline-size", "data has %d bytes and no artifact; up to %d stay inline", len(data), inlineMost)
	}
	switch {
	case artifact == "" && cas != "":
		p.Add("/meta/cas_digest", "protocol/digest-without-artifact", "there is a cas_digest and no data.artifact")
	case artifact != "" && cas == "":
		p.Add("/data/artifact", "protocol/artifact-without-digest", "there is an artifact and no meta.cas_digest")
	case artifact != string(cas):
		p.Add("/meta/cas_digest", "protocol/digest-mismatch", "cas_digest and data.artifact differ")
	}
	if artifact == "" {
		return
	}
	if !wire.IsDigest(artifact) {
		p.Add("/data/artifact", "value/digest", "%q is where %s should be", wire.Shorten(artifact, 80), wire.WantDigest)
	}
	if f.Get("summary") == nil {
		p.Add("/data/summary", "protocol/artifact-without-summary", "there is an artifact and no summary of it")
		return
	}
	if !run { // checkRun checks the summary of a run
		var w wireSummary
		p.Sub("/data/summary", f.Get("summary"), &w)
		checkPreviewSize(p, "/data/summary", w.Preview)
	}
}

// event returns what the envelope means to the stream that it is in.
func (w *protocolDoc) event() check.Event {
	e := check.Event{Progress: w.Status == "progress", Seq: w.Meta.Seq}
	if !e.Progress {
		return e
	}
	pct := wire.FieldsIn(wire.RawIn(w.Data)).Get("pct")
	if n, err := strconv.ParseFloat(string(pct), 64); err == nil && n >= 0 && n <= 100 {
		e.Pct = &n
	}
	return e
}

// checkProgress checks the data of a progress event; that of envwrap's own has all
// of its members.
func checkProgress(p *wire.Problems, data json.RawMessage, f jsontext.Object) {
	if f.Has("stage") && f.Has("message") && f.Has("metrics") {
		p.SubAnd("/data", data, new(wireProgress), func(p *wire.Problems) { checkPct(p, f.Get("pct")) })
		return
	}
	checkPct(p, f.Get("pct"))
}

// checkPct checks how much of a run is done.
func checkPct(p *wire.Problems, raw json.RawMessage) {
	if raw == nil {
		return
	}
	switch n, err := strconv.ParseFloat(string(raw), 64); {
	case jsontext.Kind(raw) != 0:
		p.Add("/data/pct", "member/type", "%s is where a number should be", wire.Shorten(string(raw), 80))
	case err != nil || n < 0 || n > 100:
		p.Add("/data/pct", "stream/pct", "%s is where 0 to 100 should be", wire.Shorten(string(raw), 80))
	}
}
