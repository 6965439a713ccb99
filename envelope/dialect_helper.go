package envelope

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"github.com/envwrap/envwrap/envelope/internal/wire"
	"github.com/envwrap/envwrap/internal/shared/jsontext"
)

// helper/v1: "Schema-Versioned Helper Output Envelope", schema version 1.0.0.
var helperV1 = dialect{
	name:     "helper/v1",
	members:  []string{"schema_version", "status", "error", "agent", "ts"},
	indented: true,
	failed:   func(r *Result) bool { return statusOfHelper(r) == helperError },
	rules:    helperRules,
	blank:    func() wireDoc { return new(helper) },
	lean:     leanHelper,
	full:     fullHelper,
	own:      helperOwn,
	nameless: helperCommand,
}

type helper struct {
	SchemaVersion  wire.Semver    `json:"schema_version" doc:"version of the payload's shape"`
	Status         helperStatus   `json:"status" doc:"how the caller should react"`
	Error          *helperFailure `json:"error" doc:"what went wrong; null exactly on ok"`
	Agent          wire.Filled    `json:"agent" doc:"the coding agent that called, or unknown"`
	TS             wire.Timestamp `json:"ts" doc:"when the helper ran"`
	SkippedSources *[]string      `json:"skipped_sources,omitempty" doc:"what a partial run left out"`
	Payload        wire.Fields    `json:",inline" is:"open"`
}

type helperStatus string

const (
	helperOK      helperStatus = "ok"
	helperPartial helperStatus = "partial"
	helperError   helperStatus = "error"
	helperMissing helperStatus = "tool-missing"
)

func (helperStatus) Limits() wire.Limits {
	return wire.OneOf(string(helperOK), string(helperPartial), string(helperError), string(helperMissing))
}

type helperFailure struct {
	Code    wire.Filled `json:"code" doc:"code that a caller can branch on"`
	Message string      `json:"message" doc:"one line for people"`
	Rest    wire.Fields `json:",inline"`
}

// helperNames are the members that have a meaning of their own at top level,
// beside "exec".
var helperNames = []string{"schema_version", "status", "error", "agent", "ts", "skipped_sources"}

func statusOfHelper(r *Result) helperStatus {
	switch o := &r.Outcome; {
	case o.OK():
		return helperOK
	case o.Kind == NotStarted:
		return helperMissing
	case o.Kind == Partial:
		return helperPartial
	}
	return helperError
}

func (w *helper) fill(v *view) {
	*w = helper{SchemaVersion: "1.0.0", Status: statusOfHelper(v.Result), Agent: v.agent(), TS: v.ts()}
	if version := wire.StringIn(v.Extra.Get("schema_version")); wire.IsSemver(version) {
		w.SchemaVersion = wire.Semver(version)
	}
	if w.Status != helperOK {
		w.Error = &helperFailure{Code: v.foreignCode(), Message: v.short(v.Outcome.Message)}
		if v.Dialect == helperV1.name {
			w.Error.Rest = v.roomy(v.Outcome.Details.Without("code", "message"))
		}
	}
	w.SkippedSources = helperSkipped(v, w.Status)
	w.Payload = helperPayload(v)
}

// helperSkipped returns the skipped sources. A partial run of envwrap's always has one;
// another's envelope keeps its own list.
func helperSkipped(v *view, status helperStatus) *[]string {
	sources := v.texts(v.SkippedSources)
	switch {
	case sources == nil && status != helperPartial:
		return nil
	case len(sources) == 0 && (v.ordinary() || v.SkippedSources == nil):
		sources = []string{v.short(v.Outcome.Message)}
	}
	return &sources
}

// helperPayload returns the members at top level besides the fixed ones: those of the
// child's own object, or its output under "stdout".
func helperPayload(v *view) wire.Fields {
	var payload wire.Fields
	switch s := &v.Stdout; {
	case v.hasPayload():
		payload = atTopLevel(v, v.payload())
	case jsontext.Kind(s.JSON) == '{' && s.Artifact == "" && !s.Truncated && v.hasRoom(s.JSON):
		payload = atTopLevel(v, s.JSON)
	case v.Outcome.Kind != NotStarted || s.Bytes > 0:
		payload.Add("stdout", wire.MustEncode(v.plain(s)))
	}
	if v.ran() != nil {
		payload.Add("exec", wire.MustEncode(v.execs()))
	}
	return payload
}

// atTopLevel returns the members of object. A value that is not an object, or has a name
// of a fixed member, goes under "payload" as a whole.
func atTopLevel(v *view, object json.RawMessage) wire.Fields {
	payload := wire.FieldsIn(object)
	taken := func(f wire.Field) bool {
		return slices.ContainsFunc(helperNames, func(name string) bool { return strings.EqualFold(name, f.Name) }) ||
			f.Name == "exec" && (v.ran() != nil || isExec(f.Value) && !tellsOfRun(v, payload)) ||
			f.Name == "stdout" && v.ran() != nil && len(payload) == 1 && isStream(f.Value) && !v.holdsRun()
	}
	if jsontext.Kind(object) != '{' || slices.ContainsFunc(payload, taken) {
		return wire.Fields{{Name: "payload", Value: object}}
	}
	return payload
}

// holdsRun reports whether another envwrap printed the adopted envelope, so that the
// payload comes from the command which that envwrap ran.
func (r *Result) holdsRun() bool { return r.Exec != nil && r.Exec.Extra.Get("exec") != nil }

// tellsOfRun reports whether the exec of a payload, and what goes with it, could
// be of a run of ours.
func tellsOfRun(v *view, payload wire.Fields) bool {
	var p wire.Problems
	w := helper{TS: v.ts(), Payload: payload}
	if !v.Outcome.OK() {
		w.Error = new(helperFailure)
	}
	checkHelperRun(&p, &w)
	return p.Faults == nil
}

func (w *helper) check(p *wire.Problems) {
	w.order(p)
	if isExec(w.Payload.Get("exec")) {
		checkHelperRun(p, w)
	}
	if w.Status == helperOK && w.Error != nil {
		p.Add("/error", "helper/ok-with-error", "status is ok, and error is not null")
	}
	if w.Status != helperOK && w.Status.known() && w.Error == nil {
		p.Add("/error", "helper/error-missing", "status is %s, and error is null", w.Status)
	}
	if w.Status == helperPartial && w.SkippedSources == nil {
		p.Add("/skipped_sources", "helper/partial-without-sources", "status is partial, and nothing says what was skipped")
	}
}

// order checks "Stable JSON ordering" of the document.
func (w *helper) order(p *wire.Problems) {
	if p.Strict && p.Late != "" {
		p.Add("/"+p.Late, "helper/order", "the member comes too late; the order is schema_version, status, error, agent, ts")
	}
}

func (s helperStatus) known() bool { return slices.Contains(s.Limits().Enum, string(s)) }

// Most helpers do not say what was run.
const (
	helperCommand = "helper/output"
	helperTool    = "helper"
)

func (w *helper) result() *Result {
	r := &Result{
		Command: helperCommand, Tool: helperTool, Agent: string(w.Agent), Payload: unwrapped(wire.EncodeObject(w.Payload)),
	}
	if w.SkippedSources != nil {
		r.SkippedSources = *w.SkippedSources
	}
	for _, program := range jsontext.Elements(wire.FieldsIn(w.Payload.Get("exec")).Get("argv")) {
		r.Tool = baseName(wire.StringIn(program))
		r.Command = CommandName(r.Tool)
		break
	}
	if w.SchemaVersion != "1.0.0" {
		r.Extra.Put("schema_version", w.SchemaVersion)
	}
	r.setTimes(string(w.TS), -1)
	r.Outcome.Kind = map[helperStatus]Kind{
		helperOK: Success, helperPartial: Partial, helperError: Failure, helperMissing: NotStarted,
	}[w.Status]
	if w.Error == nil {
		return r
	}
	none := ERUNTIME
	if w.Status == helperMissing {
		none = ENOTFOUND
	}
	r.Outcome.setCode(string(w.Error.Code), none)
	r.Outcome.Message, r.Outcome.Details = w.Error.Message, w.Error.Rest
	if w.Status == helperError {
		switch r.Outcome.Code {
		case ETIMEOUT:
			r.Outcome.Kind = Timeout
		case ECANCELED:
			r.Outcome.Kind = Canceled
		}
	}
	return r
}

func (w *helper) run() *Result {
	if r := w.result(); r.readJobs(wire.EncodeObject(w.Payload), "") {
		return r
	}
	around, last := splitExec(w.Payload.Get("exec"))
	var exec wireExec
	if last == nil || !exec.read(last) {
		return nil
	}
	r := w.result()
	r.Payload = nil
	exec.into(r)
	r.within(around)
	own := w.Payload.Without("exec")
	switch {
	case len(own) == 1 && own[0].Name == "stdout" && (jsontext.Kind(own[0].Value) != '{' || wire.ReadInto(own[0].Value, new(wireStream))):
		r.Stdout = plainStream(own[0].Value)
	case len(own) == 1 && own[0].Name == "payload":
		r.Stdout = jsonStream(own[0].Value)
	case len(own) > 0 || r.Outcome.Kind != NotStarted:
		r.Stdout = jsonStream(wire.EncodeObject(own))
	}
	return r
}

// helperOwn reports what envwrap itself wrote.
func helperOwn(doc []byte) func(path []jsontext.Step) bool {
	own := helperOwnMembers(doc)
	return func(path []jsontext.Step) bool { return len(path) > 0 && slices.Contains(own, string(path[0].Name)) }
}

// helperOwnMembers returns the members of a helper/v1 envelope that envwrap itself writes:
// exec, and with it the stream that is the whole payload; those of an answer about jobs.
// The helper printed all other members.
func helperOwnMembers(doc []byte) []string {
	f := wire.FieldsIn(doc)
	payload := f.Without(append(slices.Clone(helperNames), "exec")...)
	switch {
	case isExec(f.Get("exec")) && len(payload) == 1 && payload[0].Name == "stdout" && isStream(payload[0].Value):
		return []string{"exec", "stdout"}
	case isExec(f.Get("exec")):
		return []string{"exec"}
	case strings.HasPrefix(wire.StringIn(f.Get("command")), "jobs/"):
		return []string{"job", "jobs", "stdout", "stderr"}
	}
	return nil
}

func helperRules() []json.RawMessage {
	alone := `{"propertyNames":{"enum":` + string(wire.MustEncode(append(slices.Clone(helperNames), "exec", "stdout"))) + `}}`
	ours := wire.Both(wire.Has("exec"), wire.At(wire.Both(`{"type":"object"}`, atLeast(3, wire.Has("argv"), wire.Has("exit_code"), wire.Has("outcome"), wire.Has("duration_ms"))), "exec"))
	return []json.RawMessage{
		json.RawMessage(wire.At(execRule(), "exec")),
		wire.When(wire.Both(ours, alone), wire.At(plainValue(), "stdout")),
		wire.When(wire.Is("status", "ok"), wire.At(wire.SchemaNull, "error")),
		wire.When(`{"properties":{"status":{"enum":["partial","error","tool-missing"]}},"required":["status"]}`, wire.At(`{"type":"object"}`, "error")),
		wire.When(wire.Is("status", "partial"), wire.Has("skipped_sources")),
	}
}

// leanHelper returns the lean form of helper/v1. Its document wants the five members;
// the rest is the payload.
func leanHelper(_ *view, f wire.Fields) wire.Fields {
	f.Edit("exec", func(exec *wire.Fields) {
		*exec = exec.Without("argv")
		exec.Drop("exit_code", "0")
		exec.Drop("outcome", `"success"`)
		exec.Drop("stderr", `""`)
	})
	return f
}

// fullHelper returns the reverse of [leanHelper]; nil where f is not lean.
func fullHelper(f wire.Fields) wire.Fields {
	exec := wire.FieldsIn(f.Get("exec"))
	if exec.Get("duration_ms") == nil || exec.Get("argv") != nil {
		return nil
	}
	named := wire.OutlineOf(reflect.TypeFor[wireExec]())
	for _, m := range exec {
		if named.Index([]byte(m.Name), 0) < 0 {
			return nil
		}
	}
	f.Edit("exec", func(exec *wire.Fields) {
		exec.Default("argv", `[]`)
		exec.Default("exit_code", `0`)
		exec.Default("outcome", `"success"`)
		exec.Default("stderr", `""`)
		*exec = exec.Ordered(named)
	})
	return f
}

// checkHelperRun checks what envwrap adds to a helper's envelope.
func checkHelperRun(p *wire.Problems, w *helper) {
	checkExec(p, "/exec", w.Payload.Get("exec"))
	if w.Error != nil {
		wire.CheckMessage(p, "/error/message", w.Error.Message)
	}
	checkStamp(p, "/ts", string(w.TS))
	if own := w.Payload.Without("exec"); len(own) == 1 && own[0].Name == "stdout" {
		checkPlain(p, "/stdout", own[0].Value, true)
	}
}
