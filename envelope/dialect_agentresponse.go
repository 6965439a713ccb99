package envelope

import (
	"encoding/json"
	"math"
	"reflect"
	"time"
	"unicode/utf8"

	"github.com/envwrap/envwrap/envelope/internal/wire"
	"github.com/envwrap/envwrap/internal/shared/jsontext"
)

// agent-response/v1: "Agent Response Format Specification", version 1.0.
var agentResponseV1 = dialect{
	name: "agent-response/v1",
	members: []string{
		"request_id", "version", "status", "response", "error_message", "error_type",
		"created_at", "duration_seconds", "metadata",
	},
	indented: true,
	keep:     func(EncodeOptions) Keep { return KeepTailed },
	rules:    agentRules,
	blank:    func() wireDoc { return new(agentResponse) },
	nameless: agentCommand,
	lean:     leanAgent,
	full:     fullAgent,
	request:  true,
}

type agentResponse struct {
	RequestID       wire.UUID      `json:"request_id" doc:"id from the request file"`
	Version         agentVersion   `json:"version" doc:"version of the format"`
	Status          agentStatus    `json:"status" doc:"how the agent ended"`
	Response        *string        `json:"response" doc:"the output as JSON text; null unless success"`
	ErrorMessage    *string        `json:"error_message" doc:"one line for people; null on success"`
	ErrorType       *string        `json:"error_type" doc:"what kind of error; null on success"`
	CreatedAt       wire.Timestamp `json:"created_at" doc:"when the response was made"`
	DurationSeconds wire.Decimal   `json:"duration_seconds" doc:"wall time in seconds"`
	Metadata        any            `json:"metadata" is:"object" doc:"circumstances; may be empty"`
}

type (
	agentVersion string
	agentStatus  string
)

func (agentVersion) Limits() wire.Limits { return wire.OneOf("1.0") }
func (agentStatus) Limits() wire.Limits  { return wire.OneOf("success", "error", "timeout") }

// agentMetadata has the members that envwrap writes to metadata, which the document leaves
// open.
type agentMetadata struct {
	Argv       *[]string        `json:"argv,omitempty" doc:"the command line, redacted"`
	ExitCode   *int             `json:"exit_code,omitempty" doc:"the command's own status"`
	Signal     wire.Signal      `json:"signal,omitempty" doc:"name of the signal that ended the command"`
	Outcome    outcomeWord      `json:"outcome,omitempty" doc:"how the run ended, in one word"`
	Agent      string           `json:"agent,omitempty" doc:"the coding agent that called"`
	Artifacts  []wire.Digest    `json:"artifacts,omitempty" doc:"digests of the output that is in the store"`
	Truncated  bool             `json:"truncated,omitempty" doc:"true where not all of the output was kept"`
	StderrTail string           `json:"stderr_tail,omitempty" doc:"the end of standard error"`
	Hint       string           `json:"hint,omitempty" doc:"what the caller can do"`
	Warnings   []string         `json:"warnings,omitempty" doc:"what the caller should know beside the result"`
	Redactions *wire.Redactions `json:"redactions,omitempty" doc:"how much was masked, by rule"`
	Cache      *wire.Cache      `json:"cache,omitempty" doc:"how it was remembered, where it was not run now"`
	Rest       wire.Fields      `json:",inline" is:"open"`
}

// agentErrors are the error types, one for each code of the catalog.
var agentErrors = [...]struct {
	code Code
	name string
}{
	{EARG, "invalid_arguments"},
	{EAUTH, "auth"},
	{ERATELIMIT, "rate_limit"},
	{EPAGINATION, "pagination"},
	{ERUNTIME, "runtime"},
	{ENOTFOUND, "not_found"},
	{ETIMEOUT, "timeout"},
	{EPOLICY, "policy"},
	{ESKILLDOWN, "unavailable"},
	{EPARSE, "parse"},
	{EOUTPUTTOOLARGE, "output_too_large"},
	{EENVELOPE, "envelope"},
	{EIO, "io"},
	{ECANCELED, "canceled"},
	{EOPENAPI, "openapi"},
}

func (w *agentResponse) fill(v *view) {
	*w = agentResponse{
		RequestID: wire.UUID(v.RequestID), Version: "1.0", Status: "success", CreatedAt: v.ts(),
		DurationSeconds: wire.Decimal(v.seconds()),
	}
	if v.Dialect == agentResponseV1.name { // whose times may be finer than ours
		w.CreatedAt = wire.FineStamp(v.Ended)
		w.DurationSeconds = wire.Decimal(float64(v.Duration.Microseconds()) / 1e6)
	}
	if w.RequestID == "" {
		w.RequestID = wire.UUID(v.requestID())
	}
	w.Metadata = metadataOf(v)
	if v.Outcome.OK() {
		response := responseText(v)
		w.Response = &response
		return
	}
	w.Status = "error"
	if v.Outcome.Kind == Timeout || v.ordinary() && v.Outcome.Code == ETIMEOUT {
		w.Status = "timeout"
	}
	message, kind := v.short(v.Outcome.Message), agentErrorType(v)
	w.ErrorMessage, w.ErrorType = &message, &kind
}

// metadataOf returns the facts of an ordinary run; of another's envelope its own
// metadata, with the facts of the run that printed it.
func metadataOf(v *view) any {
	if !v.ordinary() {
		extra := v.Extra.Without(protocolOnly...)
		if v.Exec != nil {
			extra = extra.Without("agent", "artifacts", "hint", "cache") // which are envwrap's to say
		}
		f := append(wire.Fields{}, v.roomy(extra)...)
		if v.Dialect != agentResponseV1.name && isRunMetadata(f) {
			f = wire.Fields{{Name: "metadata", Value: wire.EncodeObject(f)}} // it would claim a run that was not
		}
		f.Put("agent", v.Agent)
		f.Put("artifacts", v.artifacts())
		f.Put("hint", agentHint(v))
		if v.Exec != nil {
			f.Add("exec", wire.MustEncode(v.exec(v.Exec)))
		}
		return f
	}
	w := &agentMetadata{
		Argv: v.knownArgv(), ExitCode: v.Outcome.ExitCode, Signal: wire.Signal(v.signal()), Outcome: outcomeWord(v.Outcome.Kind),
		Agent: string(v.agent()), Artifacts: v.artifacts(), Truncated: v.Stdout.Truncated || v.Stderr.Truncated,
		StderrTail: v.tail(&v.Stderr), Hint: agentHint(v), Warnings: v.texts(v.notes()),
		Redactions: v.redactions(), Cache: v.cache(true),
	}
	if v.Exec != nil {
		w.Rest.Add("exec", wire.MustEncode(v.exec(v.Exec)))
	}
	return w
}

// agentHint names the command for a stderr that is longer than its tail and, beside
// an error, which has no member for stdout.
func agentHint(v *view) string {
	return v.hintReading(func(s namedStream) bool {
		if s.Stream == &v.Stdout {
			return v.Outcome.OK()
		}
		return s.Stream == &v.Stderr && v.tailHolds(s.Stream)
	})
}

// responseText returns the output as one JSON text: the child's own JSON as it was
// printed, else a JSON string of its text, else the stream object.
func responseText(v *view) string {
	if v.hasPayload() {
		return jsontext.ValidUTF8(string(v.payload()))
	}
	s := &v.Stdout
	if s.isJSON() && v.hasRoom(s.JSON) {
		return jsontext.ValidUTF8(string(s.JSON))
	}
	return string(wire.MustEncode(v.plain(s)))
}

func agentErrorType(v *view) string {
	if v.Outcome.ForeignCode != "" {
		return v.Outcome.ForeignCode
	}
	for _, e := range agentErrors {
		if e.code == v.Outcome.Code {
			return e.name
		}
	}
	return "runtime"
}

func (w *agentResponse) check(p *wire.Problems) {
	if w.DurationSeconds < 0 {
		p.Add("/duration_seconds", "value/range", "%v is where a number of at least 0 should be", float64(w.DurationSeconds))
	}
	switch w.Status {
	case "success":
		checkAgentSuccess(p, w)
	case "error", "timeout":
		checkAgentFailure(p, w)
	}
	if metadata := wire.RawIn(w.Metadata); isRunMetadata(wire.FieldsIn(metadata)) {
		checkAgentRun(p, w, metadata)
	}
}

func checkAgentSuccess(p *wire.Problems, w *agentResponse) {
	if w.ErrorMessage != nil {
		p.Add("/error_message", "agent-response/success-with-error", "status is success, and error_message is not null")
	}
	if w.ErrorType != nil {
		p.Add("/error_type", "agent-response/success-with-error", "status is success, and error_type is not null")
	}
	if w.Response == nil {
		p.Add("/response", "agent-response/success-without-response", "status is success, and response is null")
		return
	}
	if *w.Response != "" && !isRunMetadata(wire.FieldsIn(wire.RawIn(w.Metadata))) {
		return // the document allows Markdown, XML and plain text
	}
	if f := jsontext.Check([]byte(*w.Response), documentDepth, func(jsontext.Fault) bool { return true }); f != nil {
		p.Add("/response", "agent-response/response-json", "the text is not JSON itself: %s (byte %d)", f.Text, f.Offset)
	}
}

func checkAgentFailure(p *wire.Problems, w *agentResponse) {
	if w.Response != nil {
		p.Add("/response", "agent-response/error-with-response", "status is %s, and response is not null", w.Status)
	}
	if w.ErrorMessage == nil || *w.ErrorMessage == "" && !p.Reported("/error_message") {
		p.Add("/error_message", "agent-response/error-without-message", "status is %s, and error_message says nothing", w.Status)
	}
	if w.ErrorType == nil || *w.ErrorType == "" && !p.Reported("/error_type") {
		p.Add("/error_type", "agent-response/error-without-type", "status is %s, and error_type says nothing", w.Status)
	}
}

func (w *agentResponse) result() *Result {
	metadata := wire.FieldsIn(wire.RawIn(w.Metadata))
	r := &Result{
		Command: agentCommand, Tool: "agent", RequestID: string(w.RequestID), Extra: metadata,
		Agent: wire.StringIn(metadata.Get("agent")), Payload: json.RawMessage("{}"),
	}
	const longest = 1 << 62 / time.Microsecond
	r.setSpan(string(w.CreatedAt), time.Duration(math.Round(min(float64(w.DurationSeconds)*1e6, float64(longest))))*time.Microsecond)
	r.Outcome = Outcome{Kind: Success, ExitCode: wire.IntIn(metadata.Get("exit_code"))}
	if w.Response != nil {
		r.Payload = responseJSON(*w.Response)
	}
	if w.Status == "success" {
		return r
	}
	r.Outcome.Kind = Failure
	none := ERUNTIME
	if w.Status == "timeout" {
		r.Outcome.Kind, none = Timeout, ETIMEOUT
	}
	if w.ErrorType != nil {
		r.Outcome.setCode(agentCode(*w.ErrorType), none)
	}
	if w.ErrorMessage != nil {
		r.Outcome.Message = *w.ErrorMessage
	}
	r.Outcome.Hint = wire.StringIn(metadata.Get("hint"))
	return r
}

// responseJSON returns a response as JSON: as it is, or as a string if it is another text.
func responseJSON(response string) json.RawMessage {
	if jsontext.Check([]byte(response), documentDepth, func(jsontext.Fault) bool { return true }) != nil {
		return wire.Quoted(response)
	}
	return json.RawMessage(response)
}

// agentCommand replaces the command that was run; the format does not say it.
const agentCommand = "agent/response"

// agentCode returns the code of the catalog for an error type, else the type itself.
func agentCode(name string) string {
	for _, e := range agentErrors {
		if e.name == name {
			return string(e.code)
		}
	}
	return name
}

func (w *agentResponse) run() *Result {
	if w.Response != nil {
		if r := w.result(); r.readJobs(responseJSON(*w.Response), "") {
			r.Extra = nil
			return r
		}
	}
	var m agentMetadata
	if !wire.ReadInto(wire.RawIn(w.Metadata), &m) || m.Argv == nil {
		return nil
	}
	r := w.result()
	r.Payload, r.Argv, r.Extra, r.Warnings, r.Agent = nil, *m.Argv, nil, m.Warnings, m.Agent
	if len(r.Argv) > 0 {
		r.Tool = baseName(r.Argv[0])
		r.Command = CommandName(r.Tool)
	}
	r.Outcome.Kind, r.Outcome.ExitCode, r.Outcome.Signal = Kind(m.Outcome), m.ExitCode, string(m.Signal)
	r.readNotes(m.Redactions, m.Cache)
	if w.Response != nil {
		r.Stdout = plainStream(responseJSON(*w.Response))
	}
	m.artifacts(r)
	r.within(m.Rest.Take("exec"))
	r.Stdout.Truncated = r.Stdout.Truncated || m.Truncated
	if s := &r.Stderr; s.Artifact == "" && utf8.RuneCountInString(m.StderrTail) < stderrTailMost { // it is all of it
		s.Text, s.Bytes, s.Lines = m.StderrTail, int64(len(m.StderrTail)), lineCount([]byte(m.StderrTail))
	} else {
		s.setTail(m.StderrTail)
	}
	return r
}

// artifacts sets the artifacts of the streams of r. The hint names a command for each
// stream that the envelope does not have whole; stderr may be whole in its tail.
func (m *agentMetadata) artifacts(r *Result) {
	for _, a := range m.Artifacts {
		read, name := readingIn(m.Hint, string(a))
		s := &r.Stderr
		switch {
		case r.Stdout.Artifact == string(a):
			continue
		case name == "stdout", name == "" && m.StderrTail == "" && !r.Outcome.OK():
			s = &r.Stdout
		case name == "":
			s.Bytes = int64(len(m.StderrTail))
		}
		s.Artifact, s.Read = string(a), read
	}
}

func agentRules() []json.RawMessage {
	failed := wire.Both(wire.At(wire.SchemaNull, "response"), wire.At(wire.SchemaText, "error_message"), wire.At(wire.SchemaText, "error_type"))
	run := wire.Both(wire.Has("metadata"), wire.At(wire.Both(`{"type":"object"}`, wire.Has("argv"), wire.Has("outcome")), "metadata"))
	return []json.RawMessage{
		wire.When(run, wire.At(wire.SchemaOf[agentMetadata](), "metadata")),
		json.RawMessage(wire.At(`{"minimum":0}`, "duration_seconds")),
		wire.When(wire.Is("status", "success"), wire.Both(wire.At(`{"type":"string"}`, "response"), wire.At(wire.SchemaNull, "error_message"), wire.At(wire.SchemaNull, "error_type"))),
		wire.When(wire.Is("status", "error"), failed),
		wire.When(wire.Is("status", "timeout"), failed),
	}
}

// leanAgent returns the lean form of agent-response/v1. The outcome stays: by it a
// reader tells the metadata of a run from other metadata.
func leanAgent(_ *view, f wire.Fields) wire.Fields {
	f.Edit("metadata", func(m *wire.Fields) {
		*m = m.Without("argv", "agent")
		if string(m.Get("outcome")) == `"success"` {
			m.Drop("exit_code", "0")
		}
	})
	return f
}

// fullAgent returns the reverse of [leanAgent]; nil where f is not lean, or does not say
// of what it is.
func fullAgent(f wire.Fields) wire.Fields {
	m := wire.FieldsIn(f.Get("metadata"))
	if m.Get("argv") != nil || !isRunOutcome(m) {
		return nil
	}
	f.Edit("metadata", func(m *wire.Fields) {
		m.Default("argv", `[]`)
		if string(m.Get("outcome")) == `"success"` {
			m.Default("exit_code", "0")
		}
		*m = m.Ordered(wire.OutlineOf(reflect.TypeFor[agentMetadata]()))
	})
	return f
}

// checkAgentRun checks the metadata of a run of ours, and what goes with it.
func checkAgentRun(p *wire.Problems, w *agentResponse, metadata json.RawMessage) {
	var m agentMetadata
	p.SubAnd("/metadata", metadata, &m, func(p *wire.Problems) {
		checkOutcome(p, "/metadata/outcome", m.Outcome, w.Status == "success")
		checkTail(p, "/metadata/stderr_tail", m.StderrTail)
		if w.Status != "success" && w.ErrorMessage != nil {
			wire.CheckMessage(p, "/error_message", *w.ErrorMessage)
		}
		checkStamp(p, "/created_at", string(w.CreatedAt))
	})
}

// isRunMetadata reports whether envwrap wrote the metadata for a run.
func isRunMetadata(metadata wire.Fields) bool {
	return metadata.Get("argv") != nil && metadata.Get("outcome") != nil
}
