package envelope

import (
	"encoding/json"
	"slices"

	"github.com/envwrap/envwrap/envelope/internal/wire"
	"github.com/envwrap/envwrap/internal/shared/jsontext"
)

// wireRun is the data of protocol/v1 and foxctl/v1 for a command that envwrap
// ran.
type wireRun struct {
	Argv           *[]string     `json:"argv,omitempty" doc:"the command line, redacted; may be absent beside exec"`
	ExitCode       *int          `json:"exit_code" doc:"the command's own status; null where it has none"`
	Signal         wire.Signal   `json:"signal,omitempty" doc:"name of the signal that ended the command"`
	Outcome        outcomeWord   `json:"outcome" doc:"how the run ended, in one word"`
	Runner         string        `json:"runner,omitempty" doc:"the runner of the user's configuration on which it was run (--on)"`
	Pipeline       []int         `json:"pipeline,omitempty" doc:"statuses of the stages of the shell's pipeline, where one is not 0"`
	Kept           []Kept        `json:"kept,omitempty" doc:"output of early stages of the shell's pipelines, of which later ones showed less"`
	Stdout         *wireStream   `json:"stdout" doc:"what the command wrote to standard output"`
	Stderr         *wireStream   `json:"stderr" doc:"what the command wrote to standard error"`
	Summary        *wireSummary  `json:"summary,omitempty" doc:"what the artifact is"`
	Artifact       wire.Digest   `json:"artifact,omitempty" doc:"digest of the output that is in the store"`
	Artifacts      []wire.Digest `json:"artifacts,omitempty" doc:"both digests, where both streams are in the store"`
	Hint           string        `json:"hint,omitempty" doc:"what the caller can do"`
	SkippedSources []string      `json:"skipped_sources,omitempty" doc:"what a partial run left out"`
	Usage          *Usage        `json:"usage,omitempty" doc:"CPU time and memory of the command"`
	Leftovers      []Leftover    `json:"leftovers,omitempty" doc:"processes that outlived the run"`
	Cache          *wire.Cache   `json:"cache,omitempty" doc:"how it was remembered, where it was not run now"`
	Rest           wire.Fields   `json:",inline" is:"open"`
}

// dataOf returns the payload of protocol/v1: of an ordinary run what it was, else the
// decoded payload. extra are members that a dialect moves here.
func dataOf(v *view, extra wire.Fields) any {
	var more wire.Fields
	if v.Exec != nil {
		more.Add("exec", wire.MustEncode(v.exec(v.Exec)))
	}
	more = append(more, extra...)
	if v.ordinary() {
		return newWireRun(v, more)
	}
	payload := v.payload()
	if v.Jobs != nil {
		payload = v.jobsPayload("")
	}
	if v.floats && jsontext.HasHugeNumber(payload) {
		payload = wire.Quoted(string(payload))
	}
	if v.meansAnother(payload) {
		payload = wire.EncodeObject(wire.Fields{{Name: "payload", Value: payload}})
	}
	own := payloadMembers(payload, more)
	if v.Payload == nil && v.Jobs == nil {
		own = spilledData(v)
	}
	if !v.Outcome.OK() && own.Get("hint") == nil {
		own.Put("hint", v.short(v.Outcome.Hint))
	}
	return append(own, more...)
}

// meansAnother reports whether members of another dialect's payload have names that mean
// something else in protocol/v1.
func (r *Result) meansAnother(payload json.RawMessage) bool {
	if isProtocol(r.Dialect) {
		return false
	}
	f := wire.FieldsIn(payload)
	said := func(name string) bool { return f.Get(name) != nil }
	return said("artifact") || isRun(f.Get) || r.Exec != nil && slices.ContainsFunc([]string{"hint", "exit_code", "signal", "outcome", "job_id"}, said)
}

// artifactIn returns the digest that the data of an envelope names.
func artifactIn(data any) wire.Digest {
	switch data := data.(type) {
	case *wireRun:
		return data.Artifact
	case wire.Fields:
		return wire.Digest(wire.StringIn(data.Get("artifact")))
	}
	return ""
}

// spilledData returns the members of data that say where an adopted payload went that
// was too large to stay.
func spilledData(v *view) wire.Fields {
	var f wire.Fields
	f.Put("stdout", v.stream(&v.Stdout))
	f.Put("summary", v.summary(&v.Stdout))
	f.Put("artifact", wire.Digest(v.Stdout.Artifact))
	return f
}

func newWireRun(v *view, extra wire.Fields) *wireRun {
	w := &wireRun{
		Argv: v.knownArgv(), ExitCode: v.Outcome.ExitCode, Signal: wire.Signal(v.signal()), Outcome: outcomeWord(v.Outcome.Kind), Pipeline: v.Pipeline, Kept: v.Kept, Runner: v.Runner,
		Stdout: v.stream(&v.Stdout), Stderr: v.stream(&v.Stderr), Hint: v.short(v.Outcome.Hint),
		SkippedSources: v.texts(v.SkippedSources), Usage: v.Usage, Leftovers: v.Leftovers,
		Cache: v.cache(false),
	}
	switch list := v.artifacts(); {
	case len(list) == 2:
		w.Artifacts = list
		w.Stderr.Summary = v.summary(&v.Stderr)
		fallthrough
	case v.Stdout.Artifact != "":
		w.Artifact, w.Summary = list[0], v.summary(&v.Stdout)
	case len(list) == 1:
		w.Artifact, w.Summary = list[0], v.summary(&v.Stderr)
	}
	if v.Outcome.OK() {
		w.Rest = v.roomy(v.Outcome.Details) // attempts of a run that then succeeded
	}
	for _, f := range extra {
		w.Rest.Add(f.Name, f.Value)
	}
	return w
}

// unwrapped returns the value that [withMembers] put under "payload" because it is not an
// object. Other data is returned unchanged.
func unwrapped(data json.RawMessage) json.RawMessage {
	if f := wire.FieldsIn(data); len(f) == 1 && f[0].Name == "payload" && jsontext.Kind(f[0].Value) != '{' {
		return f[0].Value
	}
	return data
}

// into sets the fields of r that w has.
func (w *wireRun) into(r *Result) {
	r.Payload, r.Argv, r.SkippedSources = nil, nil, w.SkippedSources
	if w.Argv != nil {
		r.Argv = *w.Argv
	}
	r.Usage, r.Leftovers, r.Pipeline, r.Kept, r.Runner = w.Usage, w.Leftovers, w.Pipeline, w.Kept, w.Runner
	r.readNotes(nil, w.Cache)
	r.Stdout, r.Stderr = w.Stdout.result(w.Summary), w.Stderr.result(w.Summary)
	r.Outcome.Kind, r.Outcome.ExitCode, r.Outcome.Signal = Kind(w.Outcome), w.ExitCode, string(w.Signal)
	r.Outcome.Hint, r.Outcome.Details = w.Hint, nil
	if r.Outcome.OK() {
		r.Outcome.Details = w.Rest
	}
}

// setDetails sets the fields of r from the details of an error that [protocolDetails]
// made.
func (r *Result) setDetails(f wire.Fields) {
	o := &r.Outcome
	o.ClassifiedBy, o.Retryable = Classifier(wire.StringIn(f.Get("classified_by"))), string(f.Get("retryable")) == "true"
	o.Meaning, o.Timeout = wire.StringIn(f.Get("meaning")), TimeoutType(wire.StringIn(f.Get("timeout_type")))
	o.Interpreter, o.Suggestions = wire.StringIn(f.Get("interpreter")), wire.StringsIn(f.Get("suggestions"))
	o.Details = f.Without("exit_code", "signal", "stderr_tail", "classified_by", "retryable", "meaning",
		"timeout_type", "interpreter", "suggestions")
	r.Stderr.setTail(wire.StringIn(f.Get("stderr_tail")))
}

// setTail sets the end of a stream whose content is not in the envelope.
func (s *Stream) setTail(tail string) {
	if s.end() == "" || s.Artifact != "" {
		s.Tail = []byte(tail)
	}
}

// withMembers adds members to a payload. A payload that is not an object, or has one of
// their names, goes under "payload" as a whole.
func withMembers(payload json.RawMessage, extra wire.Fields) wire.Fields {
	return append(payloadMembers(payload, extra), extra...)
}

// payloadMembers returns the members of a payload to which extra will be added.
func payloadMembers(payload json.RawMessage, extra wire.Fields) wire.Fields {
	own := wire.FieldsIn(payload)
	if jsontext.Kind(payload) != '{' && len(payload) > 0 || own.Clashes(extra) {
		return wire.Fields{{Name: "payload", Value: payload}}
	}
	return own
}

// protocolDetails returns the members of error.details in protocol/v1.
func protocolDetails(v *view) wire.Fields {
	o := &v.Outcome
	if !v.ordinary() && v.Jobs == nil {
		return adoptedDetails(v)
	}
	var f wire.Fields
	f.Put("exit_code", o.ExitCode)
	f.Put("signal", v.signal())
	if !v.showsWhole(&v.Stderr) {
		f.Put("stderr_tail", v.tail(&v.Stderr))
	}
	f.Put("classified_by", string(o.ClassifiedBy))
	f.Add("retryable", wire.EncodeValue(&o.Retryable))
	f.Put("meaning", v.short(o.Meaning))
	f.Put("timeout_type", string(o.Timeout))
	f.Put("interpreter", o.Interpreter)
	f.Put("suggestions", v.texts(o.Suggestions))
	for _, d := range v.roomy(o.Details) {
		f.Add(d.Name, d.Value)
	}
	return f
}

// adoptedDetails returns the details of a decoded envelope, with the status and the code
// that it had in other members.
func adoptedDetails(v *view) wire.Fields {
	o := &v.Outcome
	f := slices.Clone(v.roomy(o.Details))
	if payload := wire.FieldsIn(v.Payload); payload.Get("exit_code") == nil && payload.Get("signal") == nil {
		f.Put("exit_code", o.ExitCode)
		f.Put("signal", o.Signal)
	}
	if o.Retryable {
		f.Put("retryable", true)
	}
	f.Put("code", o.ForeignCode)
	return f
}

// isRun reports whether the data of a protocol/v1 envelope is, or is meant to be, data of
// a command that envwrap ran: it has four of the five members that all of those have.
func isRun(get func(name string) json.RawMessage) bool {
	n := 0
	for _, name := range []string{"argv", "outcome", "exit_code"} {
		if get(name) != nil {
			n++
		}
	}
	for _, name := range []string{"stdout", "stderr"} {
		if jsontext.Kind(get(name)) == '{' {
			n++
		}
	}
	return n >= 4
}

// runDetails are members of the details of a run's error; classified_by and
// retryable have rules of their own.
type runDetails struct {
	ExitCode    *int             `json:"exit_code,omitempty" doc:"the command's own status"`
	Signal      wire.Signal      `json:"signal,omitempty" doc:"name of the signal that ended the command"`
	StderrTail  string           `json:"stderr_tail,omitempty" doc:"the end of standard error"`
	Meaning     string           `json:"meaning,omitempty" doc:"what the program's own documentation says of the status"`
	TimeoutType wire.TimeoutType `json:"timeout_type,omitempty" doc:"which limit passed"`
	Interpreter string           `json:"interpreter,omitempty" doc:"the interpreter that is not there"`
	Suggestions []string         `json:"suggestions,omitempty" doc:"programs whose names are close"`
	Attempts    *wire.Count      `json:"attempts,omitempty" doc:"how often it was tried"`
	Rest        wire.Fields      `json:",inline" is:"open"`
}

// sourceCache is the Source of a run that was remembered.
const sourceCache = "cache"

// cache returns nil for a run that was made now.
func (v *view) cache(key bool) *wire.Cache {
	if v.Source != sourceCache {
		return nil
	}
	w := &wire.Cache{AgeMS: wire.Milliseconds(v.CacheAge), Stale: v.Stale}
	if key {
		w.Key = wire.Digest(v.CacheKey)
	}
	return w
}

// readNotes takes into r how much was masked, and whether the run was remembered.
func (r *Result) readNotes(masked *wire.Redactions, w *wire.Cache) {
	if masked != nil {
		r.Redactions = *masked
	}
	if w == nil {
		return
	}
	r.Source, r.Stale, r.CacheAge = sourceCache, w.Stale, w.AgeMS.Duration()
	if w.Key != "" {
		r.CacheKey = string(w.Key)
	}
}

// wireProgress is the data of a progress event (Protocol v1, "Streaming").
type wireProgress struct {
	Stage   string        `json:"stage" doc:"what the run is at, in one word"`
	Message string        `json:"message" doc:"the last line that the command printed"`
	Pct     *wire.Decimal `json:"pct,omitempty" doc:"how much is done, as the command says"`
	Metrics wireMetrics   `json:"metrics" doc:"how far it has come"`
	Rest    wire.Fields   `json:",inline"`
}

type wireMetrics struct {
	ElapsedMS   wire.Count  `json:"elapsed_ms" doc:"wall time in milliseconds"`
	StdoutBytes wire.Count  `json:"stdout_bytes" doc:"bytes on standard output"`
	StderrBytes wire.Count  `json:"stderr_bytes" doc:"bytes on standard error"`
	Lines       wire.Count  `json:"lines" doc:"lines on both streams"`
	Rest        wire.Fields `json:",inline"`
}

func (p *Progress) data() *wireProgress {
	return &wireProgress{
		Stage: p.Stage, Message: oneLine(p.Message), Pct: converted[wire.Decimal](p.Pct),
		Metrics: wireMetrics{
			ElapsedMS: wire.Count(p.Elapsed.Milliseconds()), StdoutBytes: wire.Count(p.StdoutBytes), StderrBytes: wire.Count(p.StderrBytes), Lines: wire.Count(p.Lines),
		},
	}
}
