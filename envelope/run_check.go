package envelope

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// stderrTailMost is the most characters of error.details.stderr_tail.
const stderrTailMost = 1000

func classifiers() []Classifier {
	return []Classifier{ByEnvwrap, ByOption, ByTable, BySignature, BySysexits, ByShell, ByStatus}
}

// run checks the data of a command that envwrap ran.
func (p *problems) run(f rawFields, meta *protocolMeta, status protocolStatus, details Fields) {
	if !isRun(f.Get) {
		return
	}
	if status == "error" {
		p.runDetails(f, details)
	}
	if ts := string(meta.TS); isUTC(ts) && (len(ts) != len(stampLayout) || !strings.HasSuffix(ts, "Z")) {
		p.add("/meta/ts", "run/timestamp", "%q stands where a time with milliseconds and Z should be", string(meta.TS))
	}
	if p.strict && p.late != "" {
		p.add("/"+p.late, "run/order", "the member comes too late; the order is that of the document")
	}
	var w wireRun
	if !p.subMembers("/data", f, &w) {
		return
	}
	if status == "error" && w.Hint == "" {
		p.add("/data/hint", "run/hint", "status is error, and there is no hint")
	}
	p.stream("/data/stdout", w.Stdout)
	p.stream("/data/stderr", w.Stderr)
	p.runArtifacts(&w)
	p.runSummary("/data/summary", w.Summary)
	if w.Stderr != nil {
		p.runSummary("/data/stderr/summary", w.Stderr.Summary)
	}
}

// runSummary checks that a summary counts what an artifact of its kind has.
func (p *problems) runSummary(pointer string, w *wireSummary) {
	switch {
	case w == nil:
	case w.Kind == kindText && w.Lines == nil:
		p.add(pointer+"/lines", "run/summary", "the artifact is text, and its lines are not counted")
	case w.Kind == kindNDJSON && w.RecordCount == nil:
		p.add(pointer+"/record_count", "run/summary", "the artifact is NDJSON, and its records are not counted")
	}
}

// runDetails checks the details of an error, which foxctl/v1 has in data.
func (p *problems) runDetails(f rawFields, details Fields) {
	at := "/error/details"
	if details == nil {
		at, details = "/data/details", fieldsIn(f.Get("details"))
	}
	if by := stringIn(details.Get("classified_by")); !slices.Contains(classifiers(), Classifier(by)) {
		p.add(at+"/classified_by", "run/classified-by", "%q stands where one of %v should be", shorten(by, 80), classifiers())
	}
	if k := kindOf(details.Get("retryable")); details.Get("retryable") == nil || k != 't' && k != 'f' {
		p.add(at+"/retryable", "run/retryable", "it must be true or false")
	}
	if n := utf8.RuneCountInString(stringIn(details.Get("stderr_tail"))); n > stderrTailMost {
		p.add(at+"/stderr_tail", "run/tail-size", "the tail has %d characters; %d are allowed", n, stderrTailMost)
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
	switch {
	case w.Truncated:
		return
	case w.Text != nil:
		content = []byte(*w.Text)
	case w.Base64 != nil:
		content = w.Base64
	default:
		return
	}
	if n := int64(len(content)); int64(w.Bytes) != n {
		p.add(pointer+"/bytes", "output/bytes", "%d stands here, and the content has %d", w.Bytes, n)
	}
	if n := lineCount(content); int64(w.Lines) != n {
		p.add(pointer+"/lines", "output/lines", "%d stands here, and the content has %d", w.Lines, n)
	}
}
