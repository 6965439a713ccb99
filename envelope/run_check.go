package envelope

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/envwrap/envwrap/internal/jsontext"
)

// stderrTailMost is the most characters of error.details.stderr_tail.
const stderrTailMost = 1000

func classifiers() []Classifier {
	return []Classifier{ByEnvwrap, ByOption, ByTable, ByPipeline, BySignature, BySysexits, ByShell, ByStatus}
}

// run checks the data of a command that envwrap ran.
func (p *problems) run(f jsontext.Object, w *protocol) {
	var data wireRun
	told := len(p.faults)
	p.subMembers("/data", f, &data)
	more := problems{strict: p.strict, late: p.late}
	if w.Status == "error" {
		more.runError(f, w)
	}
	more.runHead(w, &data)
	more.stream("/data/stdout", data.Stdout)
	more.stream("/data/stderr", data.Stderr)
	more.runSummary("/data/summary", data.Summary)
	if data.Stderr != nil {
		more.runSummary("/data/stderr/summary", data.Stderr.Summary)
	}
	if len(p.faults) == told {
		more.runArtifacts(&data)
	}
	p.addUnexplained(told, more.faults)
}

// addUnexplained adds faults, but for those at or around a place where one was
// told since.
func (p *problems) addUnexplained(since int, faults []Fault) {
	told := p.faults[since:]
	for _, f := range faults {
		near := func(o Fault) bool {
			return strings.HasPrefix(f.Pointer+"/", o.Pointer+"/") || strings.HasPrefix(o.Pointer+"/", f.Pointer+"/")
		}
		if !slices.ContainsFunc(told, near) {
			p.faults = append(p.faults, f)
		}
	}
}

// runHead checks what stands outside of data in the envelope of a run.
func (p *problems) runHead(w *protocol, data *wireRun) {
	if ts := string(w.Meta.TS); isUTC(ts) {
		p.stamp("/meta/ts", ts)
	}
	if p.strict && p.late != "" {
		p.add("/"+p.late, "run/order", "the member comes too late; the order is that of the document")
	}
	if w.Status == "ok" || w.Status == "error" {
		p.outcome("/data/outcome", data.Outcome, w.Status == "ok")
	}
}

// stamp checks that a time is spelled as envwrap does it.
func (p *problems) stamp(pointer, ts string) {
	if len(ts) != len(stampLayout) || !strings.HasSuffix(ts, "Z") {
		p.add(pointer, "run/timestamp", "%q stands where a time with milliseconds and Z should be", shorten(ts, 80))
	}
}

// outcome checks that the word for how a run ended goes with the status.
func (p *problems) outcome(pointer string, word kind, ok bool) {
	if Kind(word).OK() != ok {
		p.add(pointer, "run/outcome", "the outcome is %q, and the status says otherwise", shorten(string(word), 80))
	}
}

// runSummary checks that a summary counts what an artifact of its kind has.
func (p *problems) runSummary(pointer string, w *wireSummary) {
	if w == nil {
		return
	}
	p.previewSize(pointer, w.Preview)
	var sample wirePreview
	p.sub(pointer+"/preview", w.Preview, &sample)
	switch {
	case w.Kind == kindText && w.Lines == nil:
		p.add(pointer+"/lines", "run/summary", "the artifact is text, and its lines are not counted")
	case w.RecordCount == nil && (w.Kind == kindNDJSON || sample.SampleRecord != nil):
		p.add(pointer+"/record_count", "run/summary", "the artifact has records, and they are not counted")
	}
}

// runError checks the error of a run.
func (p *problems) runError(f jsontext.Object, w *protocol) {
	if w.Error.Message != nil {
		p.message("/error/message", *w.Error.Message)
	}
	at, details := "/error/details", w.Error.Details
	if details == nil && f.Has("details") { // foxctl/v1
		at, details = "/data/details", fieldsIn(f.Get("details"))
	}
	var d runDetails
	p.sub(at, encodeObject(details), &d)
	if said, status := intIn(details.Get("exit_code")), intIn(f.Get("exit_code")); said != nil && status != nil && *said != *status {
		p.add(at+"/exit_code", "run/exit-code", "%d stands here, and %d in data.exit_code", *said, *status)
	}
	if by := stringIn(details.Get("classified_by")); !slices.Contains(classifiers(), Classifier(by)) {
		p.add(at+"/classified_by", "run/classified-by", "%q stands where one of %v should be", shorten(by, 80), classifiers())
	}
	if boolIn(details.Get("retryable")) == nil {
		p.add(at+"/retryable", "run/retryable", "it must be true or false")
	}
	p.tail(at+"/stderr_tail", d.StderrTail)
}

// tail checks the length of the end of stderr.
func (p *problems) tail(pointer, tail string) {
	if n := utf8.RuneCountInString(tail); n > stderrTailMost {
		p.add(pointer, "run/tail-size", "the tail has %d characters; %d are allowed", n, stderrTailMost)
	}
}

// lineEnds end a line for some reader.
const lineEnds = "\n\v\f\r\u0085\u2028\u2029"

// message checks the text of an error of a run.
func (p *problems) message(pointer, text string) {
	if strings.ContainsAny(text, lineEnds) {
		p.add(pointer, "run/message", "the message has several lines; it must be one")
	}
}

// runArtifacts checks that what went to the store is named.
func (p *problems) runArtifacts(w *wireRun) {
	digests := append(contentOf(w.Stdout), contentOf(w.Stderr)...)
	if len(digests) > 0 && w.Artifact != digests[0] {
		p.add("/data/artifact", "run/artifact", "the artifact is not that of the stream, %s", digests[0])
	}
	if len(digests) < 2 {
		return
	}
	if !slices.Equal(digests, w.Artifacts) {
		p.add("/data/artifacts", "run/artifacts", "both streams are in the store, and both digests must be here")
	}
	if w.Stderr.Summary == nil {
		p.add("/data/stderr/summary", "run/stderr-summary", "both streams are in the store, and data.summary describes stdout only")
	}
}

func contentOf(w *wireStream) []digest {
	if w == nil || w.Artifact == "" {
		return nil
	}
	return []digest{w.Artifact}
}

func (p *problems) stream(pointer string, w *wireStream) {
	if w == nil {
		p.add(pointer, "member/null", "null stands where an object should be")
		return
	}
	contents := 0
	for _, there := range []bool{w.Text != nil, w.JSON != nil, w.Base64 != nil, w.Artifact != ""} {
		if there {
			contents++
		}
	}
	if contents != 1 {
		p.add(pointer, "output/content", "exactly one of text, json, base64 and artifact must be there; there are %d", contents)
	}
	if w.Text == nil && (w.Replaced > 0 || w.Exact != "") {
		p.add(pointer+"/text", "output/replaced", "beside replaced and exact there must be the text")
	}
	if w.Artifact != "" && w.Excerpt == nil {
		p.add(pointer+"/excerpt", "output/excerpt", "beside an artifact there must be an excerpt")
	}
	if w.Artifact != "" && w.Read == "" {
		p.add(pointer+"/read", "output/read", "beside an artifact there must be the command that shows it")
	}
	p.streamSize(pointer, w)
}

// streamSize compares the counts with the content, where all of it is here.
func (p *problems) streamSize(pointer string, w *wireStream) {
	var content []byte
	grown := int64(0) // bytes, by what was replaced
	switch {
	case w.Truncated:
		return
	case w.Text != nil:
		content = []byte(*w.Text)
		grown = int64(w.Replaced) * int64(replacementGrowth)
	case w.Base64 != nil:
		content = w.Base64
	default:
		return
	}
	if n := int64(len(content)) - grown; int64(w.Bytes) != n {
		p.add(pointer+"/bytes", "output/bytes", "%d stands here, and the content has %d", w.Bytes, n)
	}
	if n := lineCount(content); int64(w.Lines) != n {
		p.add(pointer+"/lines", "output/lines", "%d stands here, and the content has %d", w.Lines, n)
	}
}
