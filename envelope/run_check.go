package envelope

import (
	"slices"
	"unicode/utf8"

	"github.com/envwrap/envwrap/envelope/internal/wire"
	"github.com/envwrap/envwrap/internal/jsontext"
)

// run checks the data of a command that envwrap ran.
func checkRun(p *wire.Problems, f jsontext.Object, w *protocol) {
	var data wireRun
	before := len(p.Faults)
	p.SubMembers("/data", f, &data)
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

// runHead checks what is outside of data in the envelope of a run.
func checkRunHead(p *wire.Problems, w *protocol, data *wireRun) {
	if ts := string(w.Meta.TS); wire.IsUTC(ts) {
		checkStamp(p, "/meta/ts", ts)
	}
	if p.Strict && p.Late != "" {
		p.Add("/"+p.Late, "run/order", "the member comes too late; the order is that of the document")
	}
	if w.Status == "ok" || w.Status == "error" {
		checkOutcome(p, "/data/outcome", data.Outcome, w.Status == "ok")
	}
}

// runSummary checks that a summary counts what an artifact of its kind has.
func checkRunSummary(p *wire.Problems, pointer string, w *wireSummary) {
	if w == nil {
		return
	}
	checkPreviewSize(p, pointer, w.Preview)
	var sample wirePreview
	p.Sub(pointer+"/preview", w.Preview, &sample)
	switch {
	case w.Kind == kindText && w.Lines == nil:
		p.Add(pointer+"/lines", "run/summary", "the artifact is text, and its lines are not counted")
	case w.RecordCount == nil && (w.Kind == kindNDJSON || sample.SampleRecord != nil):
		p.Add(pointer+"/record_count", "run/summary", "the artifact has records, and they are not counted")
	}
}

// runError checks the error of a run.
func checkRunError(p *wire.Problems, f jsontext.Object, w *protocol) {
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

// tail checks the length of the end of stderr.
func checkTail(p *wire.Problems, pointer, tail string) {
	if n := utf8.RuneCountInString(tail); n > stderrTailMost {
		p.Add(pointer, "run/tail-size", "the tail has %d characters; %d are allowed", n, stderrTailMost)
	}
}

// runArtifacts checks that what went to the store is named.
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
