package envelope

import (
	"encoding/json"
	"strings"

	"github.com/envwrap/envwrap/envelope/internal/wire"
)

// protocol/v1: "Protocol v1 envelopes", version 1, with the members that
// envwrap adds to data and meta.
var protocolV1 = dialect{
	name:    "protocol/v1",
	members: []string{"version", "status", "command", "data", "meta", "error"},
	rules:   protocolRules,
	blank:   func() wireDoc { return new(protocol) },
	twin:    foxctlOf,
	lean:    leanProtocol,
	full:    fullProtocol,
	events:  true,
}

type protocol struct {
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

func (w *protocol) fill(v *view) {
	w.Version, w.Status, w.Command = 1, "ok", wire.Command(v.Command)
	w.Data = v.protocolData()
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
		w.Error = protocolError{Code: &code, Message: &message, Details: v.details()}
	}
	if v.Dialect == protocolV1.name {
		w.Rest, w.Error.Rest = v.roomy(v.Unnamed), v.roomy(v.Outcome.Unnamed)
	}
}

func (m *protocolMeta) fill(v *view) {
	*m = protocolMeta{
		TS: wire.UTCTime(v.ts()), DurationMS: v.ms(), Workspace: wire.Absolute(v.Workspace),
		JobID: wire.ULID(v.JobID), TraceID: wire.Filled(v.TraceID), Source: protocolSource(v.Source), CacheKey: wire.Digest(v.CacheKey),
		Agent: wire.Filled(v.Agent), Redactions: v.redactions(), Warnings: v.texts(v.Warnings), Partial: v.usable(),
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
	if m.take(v.roomy(v.Extra)); v.strangeMeta() != nil {
		m.Rest = nil
	}
}

// protocolData is the data of protocol/v1.
func (v *view) protocolData() any {
	var extra wire.Fields
	extra.Put("meta", v.strangeMeta())
	return v.data(extra)
}

// strangeMeta is what an adopted envelope of another dialect says beside its
// payload. It stands in data, since meta has the document's members only.
func (v *view) strangeMeta() wire.Fields {
	if v.Exec == nil || v.Dialect == protocolV1.name || v.Dialect == foxctlName {
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
func (v *view) usable() bool {
	o := &v.Outcome
	return o.Code == EOUTPUTTOOLARGE || o.Code != "" && (o.Kind == Findings || o.Kind == Partial)
}

func (w *protocol) result() *Result {
	m := &w.Meta
	r := &Result{
		Command: string(w.Command), Progress: w.Status == "progress", Payload: unwrapped(wire.RawIn(w.Data)),
		Workspace: string(m.Workspace), JobID: string(m.JobID), TraceID: string(m.TraceID), Source: string(m.Source),
		CacheKey: string(m.CacheKey), Agent: string(m.Agent), Warnings: m.Warnings, Extra: m.extra(), Unnamed: w.Rest,
	}
	if m.Redactions != nil {
		r.Redactions = *m.Redactions
	}
	_, r.Tool, _ = strings.Cut(r.Command, "/")
	r.setTimes(string(m.TS), int64(m.DurationMS))
	r.Outcome = w.Error.outcome(wire.FieldsIn(r.Payload), m.Partial)
	return r
}

// extra are the members of meta that the record has no field for. Their names
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

// outcome is what error, and data beside it, say of the run.
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
	case Kind(wire.StringIn(data.Get("outcome"))).known():
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

func (w *protocol) run() *Result {
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
	run.into(r)
	if !r.Outcome.OK() {
		r.setDetails(w.Error.Details)
	}
	return r
}
