package envelope

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/envwrap/envwrap/internal/jsontext"
)

// helper/v1: "Schema-Versioned Helper Output Envelope", schema version 1.0.0.
var helperV1 = dialect{
	name:     "helper/v1",
	members:  []string{"schema_version", "status", "error", "agent", "ts"},
	indented: true,
	failed:   func(r *Result) bool { return statusOfHelper(r) == helperError },
	rules:    helperRules,
	blank:    func() wire { return new(helper) },
	lean:     leanHelper,
	full:     fullHelper,
	own:      helperOwn,
	nameless: helperCommand,
}

type helper struct {
	SchemaVersion  semver         `json:"schema_version" doc:"version of the payload's shape"`
	Status         helperStatus   `json:"status" doc:"how the caller should react"`
	Error          *helperFailure `json:"error" doc:"what went wrong; null exactly on ok"`
	Agent          filled         `json:"agent" doc:"the coding agent that called, or unknown"`
	TS             timestamp      `json:"ts" doc:"when the helper ran"`
	SkippedSources *[]string      `json:"skipped_sources,omitempty" doc:"what a partial run left out"`
	Payload        Fields         `json:",inline" is:"open"`
}

type helperStatus string

const (
	helperOK      helperStatus = "ok"
	helperPartial helperStatus = "partial"
	helperError   helperStatus = "error"
	helperMissing helperStatus = "tool-missing"
)

func (helperStatus) limits() limits {
	return oneOf(string(helperOK), string(helperPartial), string(helperError), string(helperMissing))
}

type helperFailure struct {
	Code    filled `json:"code" doc:"code that a caller can branch on"`
	Message string `json:"message" doc:"one line for people"`
	Rest    Fields `json:",inline"`
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
	if version := stringIn(v.Extra.Get("schema_version")); isSemver(version) {
		w.SchemaVersion = semver(version)
	}
	if w.Status != helperOK {
		w.Error = &helperFailure{Code: v.foreignCode(), Message: v.short(v.Outcome.Message)}
		if v.Dialect == helperV1.name {
			w.Error.Rest = v.roomy(v.Outcome.Details.without("code", "message"))
		}
	}
	w.SkippedSources = v.skipped(w.Status)
	w.Payload = v.helperPayload()
}

// foreignCode is the code as the decoded envelope has it, else the catalog's.
func (v *view) foreignCode() filled {
	if v.Outcome.ForeignCode != "" {
		return filled(v.Outcome.ForeignCode)
	}
	return filled(v.Outcome.Code)
}

// skipped says what was left out. A partial run of ours always has something
// to say; another's envelope says what it said.
func (v *view) skipped(status helperStatus) *[]string {
	sources := v.texts(v.SkippedSources)
	switch {
	case sources == nil && status != helperPartial:
		return nil
	case len(sources) == 0 && (v.ordinary() || v.SkippedSources == nil):
		sources = []string{v.short(v.Outcome.Message)}
	}
	return &sources
}

// helperPayload is what stands at top level beside the fixed members: the
// child's own object, or its output under "stdout".
func (v *view) helperPayload() Fields {
	var payload Fields
	switch s := &v.Stdout; {
	case v.hasPayload():
		payload = v.atTopLevel(v.payload())
	case jsontext.Kind(s.JSON) == '{' && s.Artifact == "" && !s.Truncated && v.hasRoom(s.JSON):
		payload = v.atTopLevel(s.JSON)
	case v.Outcome.Kind != NotStarted || s.Bytes > 0:
		payload.add("stdout", mustEncode(v.plain(s)))
	}
	if r := v.ran(); r != nil {
		payload.add("exec", mustEncode(v.exec(r)))
	}
	return payload
}

// atTopLevel are the members of object; the whole goes under "payload" where
// it is none, or has a name that is taken.
func (v *view) atTopLevel(object json.RawMessage) Fields {
	payload := fieldsIn(object)
	taken := func(f Field) bool {
		return slices.ContainsFunc(helperNames, func(name string) bool { return strings.EqualFold(name, f.Name) }) ||
			f.Name == "exec" && (v.ran() != nil || isExec(f.Value) && !v.tellsOfRun(payload)) ||
			f.Name == "stdout" && v.ran() != nil && len(payload) == 1 && isStream(f.Value) && !v.holdsRun()
	}
	if jsontext.Kind(object) != '{' || slices.ContainsFunc(payload, taken) {
		return Fields{{"payload", object}}
	}
	return payload
}

// holdsRun reports whether the run that printed an adopted envelope was itself
// one of envwrap, whose payload is what that had run.
func (v *view) holdsRun() bool { return v.Exec != nil && v.Exec.Extra.Get("exec") != nil }

// tellsOfRun reports whether the exec of a payload, and what goes with it, could
// be of a run of ours.
func (v *view) tellsOfRun(payload Fields) bool {
	var p problems
	w := helper{TS: v.ts(), Payload: payload}
	if !v.Outcome.OK() {
		w.Error = new(helperFailure)
	}
	p.helperRun(&w)
	return p.faults == nil
}

func (w *helper) check(p *problems) {
	w.order(p)
	if isExec(w.Payload.Get("exec")) {
		p.helperRun(w)
	}
	if w.Status == helperOK && w.Error != nil {
		p.add("/error", "helper/ok-with-error", "status is ok, and error is not null")
	}
	if w.Status != helperOK && w.Status.known() && w.Error == nil {
		p.add("/error", "helper/error-missing", "status is %s, and error is null", w.Status)
	}
	if w.Status == helperPartial && w.SkippedSources == nil {
		p.add("/skipped_sources", "helper/partial-without-sources", "status is partial, and nothing says what was skipped")
	}
}

// order checks "Stable JSON ordering" of the document.
func (w *helper) order(p *problems) {
	if p.strict && p.late != "" {
		p.add("/"+p.late, "helper/order", "the member comes too late; the order is schema_version, status, error, agent, ts")
	}
}

func (s helperStatus) known() bool { return slices.Contains(s.limits().enum, string(s)) }

// Of most helpers nothing tells what was run.
const (
	helperCommand = "helper/output"
	helperTool    = "helper"
)

func (w *helper) result() *Result {
	r := &Result{
		Command: helperCommand, Tool: helperTool, Agent: string(w.Agent), Payload: unwrapped(encodeObject(w.Payload)),
	}
	if w.SkippedSources != nil {
		r.SkippedSources = *w.SkippedSources
	}
	for _, program := range jsontext.Elements(fieldsIn(w.Payload.Get("exec")).Get("argv")) {
		r.Tool = baseName(stringIn(program))
		r.Command = CommandName(r.Tool)
		break
	}
	if w.SchemaVersion != "1.0.0" {
		r.Extra.put("schema_version", w.SchemaVersion)
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
	if r := w.result(); r.readJobs(encodeObject(w.Payload), "") {
		return r
	}
	var exec wireExec
	if !readInto(w.Payload.Get("exec"), &exec) || exec.Exec != nil {
		return nil
	}
	r := w.result()
	r.Payload = nil
	exec.into(r)
	own := w.Payload.without("exec")
	switch {
	case len(own) == 1 && own[0].Name == "stdout" && (jsontext.Kind(own[0].Value) != '{' || readInto(own[0].Value, new(wireStream))):
		r.Stdout = plainStream(own[0].Value)
	case len(own) == 1 && own[0].Name == "payload":
		r.Stdout = jsonStream(own[0].Value)
	case len(own) > 0 || r.Outcome.Kind != NotStarted:
		r.Stdout = jsonStream(encodeObject(own))
	}
	return r
}

func jsonStream(raw json.RawMessage) Stream {
	return Stream{JSON: raw, Bytes: int64(len(raw)), Lines: lineCount(raw)}
}

// helperOwn tells what envwrap itself wrote.
func helperOwn(doc []byte) func(path []jsontext.Step) bool {
	own := helperOwnMembers(doc)
	return func(path []jsontext.Step) bool { return len(path) > 0 && slices.Contains(own, string(path[0].Name)) }
}

// helperOwnMembers are the members of a helper/v1 envelope that envwrap itself writes:
// exec, and beside it the stream that is the whole payload; what an answer about
// jobs has. Any other member is what the helper printed.
func helperOwnMembers(doc []byte) []string {
	f := fieldsIn(doc)
	payload := f.without(append(slices.Clone(helperNames), "exec")...)
	switch {
	case isExec(f.Get("exec")) && len(payload) == 1 && payload[0].Name == "stdout" && isStream(payload[0].Value):
		return []string{"exec", "stdout"}
	case isExec(f.Get("exec")):
		return []string{"exec"}
	case strings.HasPrefix(stringIn(f.Get("command")), "jobs/"):
		return []string{"job", "jobs", "stdout", "stderr"}
	}
	return nil
}
