package envelope

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/envwrap/envwrap/envelope/internal/preview"
	"github.com/envwrap/envwrap/envelope/internal/wire"
	"github.com/envwrap/envwrap/internal/shared/jsontext"
)

// protocol/v1: "Protocol v1 envelopes", version 1, with envwrap's members of data and meta.
var protocolV1 = dialect{
	name:    protocolName,
	members: []string{"version", "status", "command", "data", "meta", "error"},
	rules:   protocolRules,
	blank:   func() wireDoc { return new(protocolDoc) },
	lean:    leanProtocol,
	full:    fullProtocol,
	events:  true,
}

type protocolDoc struct {
	Version wire.One       `json:"version" doc:"version of the protocol"`
	Status  protocolStatus `json:"status" doc:"how the run ended, or that it goes on"`
	Command wire.Command   `json:"command" doc:"what was run, as namespace/verb"`
	Data    any            `json:"data" is:"object" doc:"what the command has to say"`
	Meta    protocolMeta   `json:"meta" doc:"circumstances of the run"`
	Error   protocolError  `json:"error" doc:"what went wrong"`
	Rest    wire.Fields    `json:",inline"`
}

type protocolStatus string

func (protocolStatus) Limits() wire.Limits { return wire.OneOf("ok", "error", "progress") }

type protocolMeta struct {
	TS           wire.UTCTime     `json:"ts" doc:"when the run ended"`
	DurationMS   wire.Count       `json:"duration_ms" doc:"wall time in milliseconds"`
	Runner       json.RawMessage  `json:"runner,omitempty" doc:"where it ran: wasi, exec, oci or null"`
	Workspace    wire.Absolute    `json:"workspace,omitempty" doc:"absolute path of the workspace"`
	JobID        wire.ULID        `json:"job_id,omitempty" doc:"id of a background job"`
	TraceID      wire.Filled      `json:"trace_id,omitempty" doc:"id that ties runs together"`
	Profiles     []wire.Filled    `json:"profiles,omitempty" doc:"sets of capabilities in force"`
	Source       protocolSource   `json:"source,omitempty" doc:"how the result was obtained"`
	CASDigest    wire.Digest      `json:"cas_digest,omitempty" doc:"the same as data.artifact"`
	SkillVersion wire.Filled      `json:"skill_version,omitempty" doc:"version of the skill that made the result"`
	CacheKey     wire.Digest      `json:"cache_key,omitempty" doc:"key of a remembered result"`
	Seq          *wire.Count      `json:"seq,omitempty" doc:"number of a progress event, from 0"`
	Final        *bool            `json:"final,omitempty" doc:"true on the last progress event"`
	Partial      bool             `json:"partial,omitempty" doc:"true where an error carries usable output"`
	Agent        wire.Filled      `json:"agent,omitempty" doc:"the coding agent that called"`
	Redactions   *wire.Redactions `json:"redactions,omitempty" doc:"how much was masked, by rule"`
	Warnings     []string         `json:"warnings,omitempty" doc:"what the caller should know beside the result"`
	Rest         wire.Fields      `json:",inline"`
}

type protocolSource string

func (protocolSource) Limits() wire.Limits { return wire.OneOf("run", "cache", "memory") }

type protocolError struct {
	Code    *protocolCode `json:"code" doc:"code of the catalog; null where nothing went wrong"`
	Message *string       `json:"message" doc:"one line for people; null where nothing went wrong"`
	Details wire.Fields   `json:"details,omitempty" doc:"the same for programs"`
	Rest    wire.Fields   `json:",inline"`
}

type protocolCode string

func (protocolCode) Limits() wire.Limits {
	l := wire.OneOf()
	for _, c := range Codes() {
		l.Enum = append(l.Enum, string(c))
	}
	l.Want = "a code of the catalog"
	return l
}

func (w *protocolDoc) fill(v *view) {
	w.Version, w.Status, w.Command = 1, "ok", wire.Command(v.Command)
	w.Data = protocolData(v)
	w.Meta.fill(v)
	w.Meta.CASDigest = artifactIn(w.Data)
	if v.Progress {
		w.Status = "progress"
	}
	if !v.ordinary() {
		w.Error.Details = v.roomy(v.Outcome.Details)
	}
	if o := &v.Outcome; !o.OK() {
		code, message := protocolCode(o.Code), v.short(o.Message)
		w.Status = "error"
		w.Error = protocolError{Code: &code, Message: &message, Details: protocolDetails(v)}
	}
	if v.Dialect == protocolName {
		w.Rest, w.Error.Rest = v.roomy(v.Unnamed), v.roomy(v.Outcome.Unnamed)
	}
}

func (m *protocolMeta) fill(v *view) {
	*m = protocolMeta{
		TS: wire.UTCTime(v.ts()), DurationMS: v.ms(), Workspace: wire.Absolute(v.Workspace),
		JobID: wire.ULID(v.JobID), TraceID: wire.Filled(v.TraceID), Source: protocolSource(v.Source), CacheKey: wire.Digest(v.CacheKey),
		Agent: wire.Filled(v.Agent), Redactions: v.redactions(), Warnings: v.texts(v.Warnings), Partial: v.Outcome.usable(),
	}
	if v.ran() != nil || v.Jobs != nil {
		m.Runner, m.Profiles = json.RawMessage(`"exec"`), []wire.Filled{"core/v1"}
		m.Agent = v.agent()
		if m.Source == "" {
			m.Source = "run"
		}
	}
	if m.Source == sourceCache && m.CacheKey == "" {
		m.Source = "" // the document wants a key beside it
	}
	if m.take(v.roomy(v.Extra)); strangeMeta(v) != nil {
		m.Rest = nil
	}
}

// protocolData returns the data of protocol/v1.
func protocolData(v *view) any {
	var extra wire.Fields
	extra.Put("meta", strangeMeta(v))
	return dataOf(v, extra)
}

// strangeMeta returns what another's envelope of another dialect says beside its
// payload. It is in data, since meta has the document's members only.
func strangeMeta(v *view) wire.Fields {
	if v.ordinary() || v.Jobs != nil || v.Dialect == protocolName {
		return nil
	}
	return v.roomy(v.Extra.Without(protocolOnly...))
}

// take fills in what the record has no field for.
func (m *protocolMeta) take(extra wire.Fields) {
	for _, f := range extra {
		switch f.Name {
		case "runner":
			m.Runner = f.Value
		case "profiles":
			wire.ReadInto(f.Value, &m.Profiles)
		case "skill_version":
			m.SkillVersion = wire.Filled(wire.StringIn(f.Value))
		case "seq":
			m.Seq = wire.CountIn(f.Value)
		case "final":
			m.Final = wire.BoolIn(f.Value)
		case "partial":
			m.Partial = string(f.Value) == "true"
		default:
			m.Rest.Add(f.Name, f.Value)
		}
	}
}

// protocolOnly are the extra members that say nothing in another dialect.
var protocolOnly = []string{"runner", "profiles", "skill_version", "seq", "final", "partial"}

// usable reports whether an error comes with output that is worth reading.
func (o *Outcome) usable() bool {
	return o.Code == EOUTPUTTOOLARGE || o.Code != "" && (o.Kind == Findings || o.Kind == Partial)
}

func (w *protocolDoc) result() *Result {
	m := &w.Meta
	r := &Result{
		Command: string(w.Command), Progress: w.Status == "progress", Payload: unwrapped(wire.RawIn(w.Data)),
		Workspace: string(m.Workspace), JobID: string(m.JobID), TraceID: string(m.TraceID), Source: string(m.Source),
		CacheKey: string(m.CacheKey), Agent: string(m.Agent), Warnings: m.Warnings, Extra: m.extra(), Unnamed: w.Rest,
	}
	r.readNotes(m.Redactions, nil)
	_, r.Tool, _ = strings.Cut(r.Command, "/")
	r.setTimes(string(m.TS), int64(m.DurationMS))
	r.Outcome = w.Error.outcome(wire.FieldsIn(r.Payload), m.Partial)
	return r
}

// extra returns the members of meta that the record has no field for. Their names
// are in protocolOnly.
func (m *protocolMeta) extra() wire.Fields {
	var f wire.Fields
	f.Put("runner", m.Runner)
	f.Put("profiles", m.Profiles)
	f.Put("skill_version", m.SkillVersion)
	f.Put("seq", m.Seq)
	f.Put("final", m.Final)
	f.Put("partial", m.Partial)
	return append(f, m.Rest...)
}

// outcome returns what error, and data beside it, say of the run.
func (w *protocolError) outcome(data wire.Fields, partial bool) Outcome {
	o := Outcome{Kind: Success, Details: w.Details, Unnamed: w.Rest}
	o.ExitCode, o.Signal = wire.IntIn(data.Get("exit_code")), wire.StringIn(data.Get("signal"))
	if w.Code != nil {
		o.Kind, o.Code, o.Hint = Failure, Code(*w.Code), wire.StringIn(data.Get("hint"))
		if w.Message != nil {
			o.Message = *w.Message
		}
		o.Retryable = string(w.Details.Get("retryable")) == "true"
		if o.ExitCode == nil {
			o.ExitCode = wire.IntIn(w.Details.Get("exit_code"))
		}
	}
	switch {
	case isOutcome(wire.StringIn(data.Get("outcome"))):
		o.Kind = Kind(wire.StringIn(data.Get("outcome")))
	case partial:
		o.Kind = Partial
	case o.Code == ETIMEOUT:
		o.Kind = Timeout
	case o.Code == ECANCELED:
		o.Kind = Canceled
	}
	return o
}

func (w *protocolDoc) run() *Result {
	if r := w.ownRun(); r != nil {
		return r
	}
	if r := w.adopting(); r != nil {
		return r
	}
	return w.translated()
}

// translated returns the record of an envelope of another dialect that was translated: its
// payload, and what [strangeMeta] moved into data; nil if nothing was.
func (w *protocolDoc) translated() *Result {
	data := wire.FieldsIn(wire.RawIn(w.Data))
	last := len(data) - 1
	if w.Status == "progress" || last < 0 || data[last].Name != "meta" || jsontext.Kind(data[last].Value) != '{' {
		return nil
	}
	r := w.result()
	r.Payload = unwrapped(wire.EncodeObject(data[:last]))
	r.Extra = append(r.Extra, wire.FieldsIn(data[last].Value)...)
	return r
}

// ownRun returns the record of an ordinary run, or of an answer about jobs; nil if w is
// neither.
func (w *protocolDoc) ownRun() *Result {
	data := wire.RawIn(w.Data)
	if r := w.result(); w.Status != "progress" && r.readJobs(data, string(w.Command)) {
		r.Extra = w.Meta.Rest
		if !r.Outcome.OK() {
			r.setDetails(w.Error.Details)
		}
		return r
	}
	var run wireRun
	if w.Status == "progress" || !isRun(wire.FieldsIn(data).Get) || !wire.ReadInto(data, &run) {
		return nil
	}
	r := w.result()
	r.Extra = w.Meta.Rest
	r.within(run.Rest.Take("exec"))
	run.into(r)
	if !r.Outcome.OK() {
		r.setDetails(w.Error.Details)
	}
	return r
}

// adopting returns the record of an envelope that a run of envwrap's adopted: its payload,
// and the run that printed it; nil if w is not such an envelope.
func (w *protocolDoc) adopting() *Result {
	data := wire.FieldsIn(wire.RawIn(w.Data))
	at := slices.IndexFunc(data, func(f wire.Field) bool { return f.Name == "exec" })
	if w.Status == "progress" || at < 0 {
		return nil
	}
	r := w.result()
	if r.Exec = execIn(data[at].Value, r.Ended); r.Exec == nil {
		return nil
	}
	r.codeExec()
	r.Payload, r.Dialect = wire.EncodeObject(data[:at]), protocolName
	if meta := data[at+1:].Get("meta"); meta != nil { // of another dialect
		r.Extra, r.Dialect = append(r.Extra, wire.FieldsIn(meta)...), ""
	}
	r.takeSpilled()
	r.Payload = unwrapped(r.Payload)
	return r
}

// takeSpilled reads what [spilledData] wrote in place of a payload that is in the store.
func (r *Result) takeSpilled() {
	var w struct {
		Stdout   wireStream   `json:"stdout"`
		Summary  *wireSummary `json:"summary"`
		Artifact wire.Digest  `json:"artifact"`
		Hint     string       `json:"hint,omitempty"`
	}
	if wire.ReadInto(r.Payload, &w) && w.Artifact != "" {
		r.Payload, r.Stdout, r.Outcome.Hint = nil, w.Stdout.result(w.Summary), w.Hint
	}
}

func protocolRules() []json.RawMessage {
	artifact := wire.Both(`{"required":["data"]}`, wire.At(wire.Has("artifact"), "data"))
	rules := []json.RawMessage{
		wire.When(wire.Is("status", "ok"), wire.Both(wire.At(wire.SchemaNull, "error", "code"), wire.At(wire.SchemaNull, "error", "message"))),
		wire.When(wire.Is("status", "error"), wire.Both(wire.At(wire.SchemaText, "error", "code"), wire.At(wire.SchemaText, "error", "message"))),
		wire.When(wire.Is("status", "progress"), wire.Both(wire.At(wire.Has("seq"), "meta"), wire.At(`{"type":"number","minimum":0,"maximum":100}`, "data", "pct"))),
		wire.When(wire.Both(wire.Is("status", "progress"), wire.Has("data"), wire.At(wire.Both(wire.Has("stage"), wire.Has("message"), wire.Has("metrics")), "data")), wire.At(wire.SchemaOf[wireProgress](), "data")),
		wire.When(wire.Both(wire.Has("meta"), wire.At(wire.Is("source", "cache"), "meta")), wire.At(wire.Has("cache_key"), "meta")),
		wire.When(wire.Both(wire.Has("meta"), wire.At(wire.Has("cas_digest"), "meta")), artifact),
		wire.When(artifact, wire.Both(wire.At(wire.Has("cas_digest"), "meta"), wire.At(wire.Has("summary"), "data"),
			wire.At(wire.SchemaOf[wireSummary](), "data", "summary"), wire.At(wire.SchemaOf[wire.Digest](), "data", "artifact"))),
		wire.When(wire.At(`{"const":true}`, "meta", "partial"), `{"if":`+wire.At(wire.Has("partial"), "meta")+`,"then":`+wire.At(`{"const":"error"}`, "status")+`}`),
		json.RawMessage(wire.At(`{"enum":["wasi","exec","oci",null]}`, "meta", "runner")),
	}
	full := `{"anyOf":[` + wire.At(wire.Has("argv"), "data") + `,` + wire.At(`{"anyOf":[`+wire.Has("runner")+`,`+wire.Has("workspace")+`,`+wire.Has("profiles")+`,`+wire.Has("agent")+`]}`, "meta") + `]}`
	isRun := wire.Both(wire.Has("data"), wire.Has("meta"), full, wire.At(atLeast(4, wire.Has("argv"), wire.Has("exit_code"), wire.Has("outcome"), hasObject("stdout"), hasObject("stderr")), "data"))
	failed := wire.Both(isRun, wire.Is("status", "error"))
	return append(rules,
		wire.When(isRun, wire.Both(wire.At(`{"anyOf":[`+wire.Has("argv")+`,`+hasObject("exec")+`]}`, "data"), wire.At(wire.SchemaOf[wireRun](), "data"), wire.At(schemaStream, "data", "stdout"), wire.At(schemaStream, "data", "stderr"),
			wire.At(wire.SchemaOf[preview.Preview](), "data", "summary", "preview"), wire.At(wire.SchemaOf[preview.Preview](), "data", "stderr", "summary", "preview"))),
		wire.When(wire.Both(failed, wire.At(wire.Has("details"), "error")), wire.At(classified(), "error", "details")),
		wire.When(wire.Both(failed, wire.At(wire.Has("details"), "data")), wire.At(classified(), "data", "details")))
}

// runMembers are the members that data has in protocol/v1 for a run that went
// well.
var runMembers = []string{
	"argv", "exit_code", "signal", "outcome", "pipeline", "stdout", "stderr", "summary", "artifact", "artifacts", "hint",
	"skipped_sources", "usage", "leftovers", "cache", "attempts", "backoff", "retry_after", "tries",
	"details", "trace_id", "agent", "redactions", "warnings", "meta",
}
