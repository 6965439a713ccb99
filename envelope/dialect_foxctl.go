package envelope

import (
	"encoding/json"

	"github.com/envwrap/envwrap/envelope/internal/check"
	"github.com/envwrap/envwrap/envelope/internal/wire"
	"github.com/envwrap/envwrap/internal/shared/jsontext"
)

// foxctl/v1: the wire of protocol/v1 for consumers that refuse members their
// own decoder does not know. What envwrap adds to meta and error is in
// data, and the whole envelope has at most 32 KiB.
var foxctlV1 = dialect{
	name:    foxctlName,
	members: []string{"version", "status", "command", "data", "meta", "error"},
	limit:   32 << 10,
	rules:   protocolRules,
	blank:   func() wireDoc { return new(foxctlDoc) },
	lean:    leanProtocol,
	full:    fullProtocol,
	events:  true,
	variant: movedIntoData,
}

type foxctlDoc struct {
	Version wire.One       `json:"version" doc:"version of the protocol"`
	Status  protocolStatus `json:"status" doc:"how the run ended, or that it goes on"`
	Command wire.Command   `json:"command" doc:"what was run, as namespace/verb"`
	Data    any            `json:"data" is:"object" doc:"what the command has to say, and what other members have no room for"`
	Meta    foxctlMeta     `json:"meta" doc:"circumstances of the run"`
	Error   foxctlError    `json:"error" doc:"what went wrong"`
}

// foxctlMeta is protocolMeta, so that each converts to the other; what has no
// member here is in data.
type foxctlMeta struct {
	TS           wire.UTCTime     `json:"ts" doc:"when the run ended"`
	DurationMS   wire.Count       `json:"duration_ms" doc:"wall time in milliseconds"`
	Runner       json.RawMessage  `json:"runner,omitempty" doc:"where it ran: wasi, exec, oci or null"`
	Workspace    wire.Absolute    `json:"workspace,omitempty" doc:"absolute path of the workspace"`
	JobID        wire.ULID        `json:"job_id,omitempty" doc:"id of a background job"`
	TraceID      wire.Filled      `json:"-"`
	Profiles     []wire.Filled    `json:"profiles,omitempty" doc:"sets of capabilities in force"`
	Source       protocolSource   `json:"source,omitempty" doc:"how the result was obtained"`
	CASDigest    wire.Digest      `json:"cas_digest,omitempty" doc:"the same as data.artifact"`
	SkillVersion wire.Filled      `json:"skill_version,omitempty" doc:"version of the skill that made the result"`
	CacheKey     wire.Digest      `json:"cache_key,omitempty" doc:"key of a remembered result"`
	Seq          *wire.Count      `json:"seq,omitempty" doc:"number of a progress event, from 0"`
	Final        *bool            `json:"final,omitempty" doc:"true on the last progress event"`
	Partial      bool             `json:"partial,omitempty" doc:"true where an error carries usable output"`
	Agent        wire.Filled      `json:"-"`
	Redactions   *wire.Redactions `json:"-"`
	Warnings     []string         `json:"-"`
	Rest         wire.Fields      `json:"-"`
}

type foxctlError struct {
	Code    *protocolCode `json:"code" doc:"code of the catalog; null where nothing went wrong"`
	Message *string       `json:"message" doc:"one line for people; null where nothing went wrong"`
}

func (w *foxctlDoc) fill(v *view) {
	v.floats = v.Dialect != foxctlName || v.Exec != nil // a document of its own kind stays what it is
	var p protocolDoc
	p.fill(v)
	m := &p.Meta
	extra := moved(&p)
	extra.Put("meta", strangeMeta(v))
	data := dataOf(v, extra)
	m.CASDigest = artifactIn(data) // which may be deeper than in protocol/v1
	if raw := wire.MustEncode(data); v.floats && jsontext.HasHugeNumber(raw) {
		data = jsontext.QuoteHugeNumbers(raw) // in details, or in a preview
	}
	*w = foxctlDoc{
		Version: p.Version, Status: p.Status, Command: p.Command,
		Data:  data,
		Error: foxctlError{p.Error.Code, p.Error.Message},
		Meta:  foxctlMeta(*m),
	}
}

// moved returns the members of a protocol/v1 envelope that are in data here.
func moved(p *protocolDoc) wire.Fields {
	var f wire.Fields
	f.Put("details", p.Error.Details)
	f.Put("trace_id", p.Meta.TraceID)
	f.Put("agent", p.Meta.Agent)
	f.Put("redactions", p.Meta.Redactions)
	f.Put("warnings", p.Meta.Warnings)
	f.Put("meta", p.Meta.Rest)
	return f
}

// movedIntoData reports whether a document with the members of both dialects has
// in data what each envelope that envwrap writes in foxctl/v1 has there, and
// nowhere else.
func movedIntoData(doc []byte) bool {
	if jsontext.Lookup(doc, "error", "details") != nil {
		return false
	}
	data, meta := jsontext.Lookup(doc, "data"), jsontext.Lookup(doc, "meta")
	if isClassified(wire.FieldsIn(jsontext.Lookup(data, "details"))) {
		return true
	}
	for _, name := range [...]string{"trace_id", "agent"} {
		if jsontext.Lookup(data, name) == nil || jsontext.Lookup(meta, name) != nil {
			return false
		}
	}
	return true
}

func (w *foxctlDoc) check(p *wire.Problems) {
	if p.Size > foxctlV1.limit {
		p.Add("", "foxctl/size", "the envelope has %d bytes; %d are allowed", p.Size, foxctlV1.limit)
	}
	w.protocol().check(p)
}

func (w *foxctlDoc) result() *Result { return w.protocol().result() }

// adopted returns the record of an envelope that a command printed. Members that foxctl/v1
// moves into data are moved back, if the envelope uses them so.
func (w *foxctlDoc) adopted(doc []byte) *Result {
	r := w.whole().result()
	r.Dialect = foxctlName
	if foxctlV1.spells(r, doc) {
		return r
	}
	return foxctlV1.record(w)
}

// whole returns the envelope in the form of protocol/v1: the members that foxctl/v1 moves
// into data are moved back.
func (w *foxctlDoc) whole() *protocolDoc {
	p := w.protocol()
	data := wire.FieldsIn(wire.RawIn(w.Data))
	for _, f := range data {
		p.take(f)
	}
	p.Data = wire.EncodeObject(data.Without("details", "trace_id", "agent", "redactions", "warnings", "meta"))
	return p
}

// protocol returns the same envelope in the wire that it comes from.
func (w *foxctlDoc) protocol() *protocolDoc {
	return &protocolDoc{
		Version: w.Version, Status: w.Status, Command: w.Command, Data: w.Data,
		Error: protocolError{Code: w.Error.Code, Message: w.Error.Message},
		Meta:  protocolMeta(w.Meta),
	}
}

func (w *foxctlDoc) event() check.Event { return w.protocol().event() }

func (w *foxctlDoc) run() *Result {
	p := w.whole()
	if r := p.ownRun(); r != nil {
		return r
	}
	r := p.result()
	r.Dialect = foxctlName
	return r
}

// take puts a member that is in data here back into its place.
func (w *protocolDoc) take(f wire.Field) {
	switch f.Name {
	case "details":
		w.Error.Details = wire.FieldsIn(f.Value)
	case "trace_id":
		w.Meta.TraceID = wire.Filled(wire.StringIn(f.Value))
	case "agent":
		w.Meta.Agent = wire.Filled(wire.StringIn(f.Value))
	case "redactions":
		w.Meta.Redactions = new(wire.Redactions)
		wire.ReadInto(f.Value, w.Meta.Redactions)
	case "warnings":
		w.Meta.Warnings = wire.StringsIn(f.Value)
	case "meta":
		w.Meta.Rest = wire.FieldsIn(f.Value)
	}
}
