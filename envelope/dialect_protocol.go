package envelope

import "encoding/json"

// protocol/v1: "Protocol v1 envelopes", version 1, with the members that
// envwrap adds to data and meta.
var protocolV1 = dialect{
	name:    "protocol/v1",
	members: []string{"version", "status", "command", "data", "meta", "error"},
	blank:   func() wire { return new(protocol) },
}

type protocol struct {
	Version one            `json:"version" doc:"version of the protocol"`
	Status  protocolStatus `json:"status" doc:"how the run ended, or that it goes on"`
	Command command        `json:"command" doc:"what was run, as namespace/verb"`
	Data    any            `json:"data" is:"object" doc:"what the command has to say"`
	Meta    protocolMeta   `json:"meta" doc:"circumstances of the run"`
	Error   protocolError  `json:"error" doc:"what went wrong"`
}

type protocolStatus string

func (protocolStatus) limits() limits { return oneOf("ok", "error", "progress") }

type protocolMeta struct {
	TS           utcTime         `json:"ts" doc:"when the run ended"`
	DurationMS   count           `json:"duration_ms" doc:"wall time in milliseconds"`
	Runner       json.RawMessage `json:"runner,omitempty" doc:"where it ran: wasi, exec, oci or null"`
	Workspace    string          `json:"workspace,omitempty" doc:"absolute path of the workspace"`
	JobID        ulidText        `json:"job_id,omitempty" doc:"id of a background job"`
	TraceID      string          `json:"trace_id,omitempty" doc:"id that ties runs together"`
	Profiles     []string        `json:"profiles,omitempty" doc:"sets of capabilities in force"`
	Source       protocolSource  `json:"source,omitempty" doc:"how the result was obtained"`
	CASDigest    digest          `json:"cas_digest,omitempty" doc:"the same as data.artifact"`
	SkillVersion string          `json:"skill_version,omitempty" doc:"version of the skill that made the result"`
	CacheKey     digest          `json:"cache_key,omitempty" doc:"key of a remembered result"`
	Seq          *count          `json:"seq,omitempty" doc:"number of a progress event, from 0"`
	Final        *bool           `json:"final,omitempty" doc:"true on the last progress event"`
	Partial      bool            `json:"partial,omitempty" doc:"true where an error carries usable output"`
	Agent        string          `json:"agent,omitempty" doc:"the coding agent that called"`
	Redactions   *Redactions     `json:"redactions,omitempty" doc:"how much was masked, by rule"`
	Warnings     []string        `json:"warnings,omitempty" doc:"what the caller should know beside the result"`
	Rest         Fields          `json:",inline"`
}

type protocolSource string

func (protocolSource) limits() limits { return oneOf("run", "cache", "memory") }

type protocolError struct {
	Code    *protocolCode `json:"code" doc:"code of the catalog; null where nothing went wrong"`
	Message *string       `json:"message" doc:"one line for people; null where nothing went wrong"`
	Details Fields        `json:"details,omitempty" doc:"the same for programs"`
}

type protocolCode string

func (protocolCode) limits() limits {
	l := oneOf()
	for _, c := range Codes() {
		l.enum = append(l.enum, string(c))
	}
	l.want = "a code of the catalog"
	return l
}

func (w *protocol) fill(v *view) {
	w.Version, w.Status, w.Command = 1, "ok", command(v.Command)
	w.Data = v.data(nil)
	w.Meta.fill(v)
	if o := &v.Outcome; !o.OK() {
		code, message := protocolCode(o.Code), v.short(o.Message)
		w.Status = "error"
		w.Error = protocolError{&code, &message, v.details()}
	}
}

func (m *protocolMeta) fill(v *view) {
	*m = protocolMeta{
		TS: utcTime(v.ts()), DurationMS: v.ms(), Workspace: v.Workspace,
		JobID: ulidText(v.JobID), TraceID: v.TraceID, Source: protocolSource(v.Source), CacheKey: digest(v.CacheKey),
		Agent: v.Agent, Redactions: v.redactions(), Warnings: v.texts(v.Warnings), Partial: v.usable(),
	}
	if list := v.artifacts(); len(list) > 0 {
		m.CASDigest = list[0]
	}
	if v.ordinary() {
		m.Runner, m.Profiles = json.RawMessage(`"exec"`), []string{"core/v1"}
		m.Agent = string(v.agent())
		if m.Source == "" {
			m.Source = "run"
		}
	}
	m.take(v.roomy(v.Extra))
}

// take fills in what the record has no field for.
func (m *protocolMeta) take(extra Fields) {
	for _, f := range extra {
		switch f.Name {
		case "runner":
			m.Runner = f.Value
		case "profiles":
			m.Profiles = stringsIn(f.Value)
		case "skill_version":
			m.SkillVersion = stringIn(f.Value)
		case "seq":
			m.Seq = countIn(f.Value)
		case "final":
			m.Final = boolIn(f.Value)
		case "partial":
			m.Partial = string(f.Value) == "true"
		case "cas_digest":
			m.CASDigest = digest(stringIn(f.Value))
		default:
			m.Rest.add(f.Name, f.Value)
		}
	}
}

// usable reports whether an error comes with output that is worth reading.
func (v *view) usable() bool {
	o := &v.Outcome
	return o.Code == EOUTPUTTOOLARGE || o.Code != "" && (o.Kind == Findings || o.Kind == Partial)
}
