package envelope

import (
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/envwrap/envwrap/envelope/internal/wire"
	"github.com/envwrap/envwrap/internal/shared/jsontext"
)

// tool-envelope/v1: "ToolEnvelope V1 Specification". Two blocks: markdown for
// people, and one line with the JSON in base64.
var toolEnvelopeV1 = dialect{
	name:    "tool-envelope/v1",
	members: []string{"payload", "meta"},
	keep:    func(EncodeOptions) Keep { return KeepBeside },
	rules:   toolEnvelopeRules,
	blank:   func() wireDoc { return new(toolEnvelope) },
	frame:   frameBlocks,
	unframe: unframeBlocks,
	mark:    toolMark,
	own:     toolOwn,
	lean:    leanTool,
	full:    fullTool,
}

type toolEnvelope struct {
	Payload any      `json:"payload" doc:"what the tool has to say, or an error payload"`
	Meta    toolMeta `json:"meta" doc:"circumstances"`

	markdown string // the block for people
}

type toolMeta struct {
	Tool    wire.Filled    `json:"tool" doc:"name of the tool"`
	TS      wire.Timestamp `json:"ts" doc:"when the envelope was made"`
	Version wire.One       `json:"version" doc:"version of the format"`
	// Deprecations has an object for each member that a later version will lack, as real
	// servers write it.
	Deprecations []json.RawMessage `json:"deprecations,omitempty" doc:"members that a later version will lack"`
}

// toolRun is the payload of a command that printed no JSON, or JSON that would
// say there what the command did not mean.
type toolRun struct {
	Argv       []string         `json:"argv" doc:"the command line, redacted"`
	ExitCode   *int             `json:"exit_code,omitempty" doc:"the command's own status"`
	Outcome    outcomeWord      `json:"outcome" doc:"how the run ended, in one word"`
	Stdout     any              `json:"stdout" doc:"standard output: its text, or a stream object"`
	Stderr     any              `json:"stderr" doc:"standard error: its text, or a stream object"`
	Artifacts  []wire.Digest    `json:"artifacts,omitempty" doc:"digests of the streams that are in the store"`
	Warnings   []string         `json:"warnings,omitempty" doc:"what the caller should know beside the result"`
	Redactions *wire.Redactions `json:"redactions,omitempty" doc:"how much was masked, by rule"`
	Cache      *wire.Cache      `json:"cache,omitempty" doc:"how it was remembered, where it was not run now"`
	Rest       wire.Fields      `json:",inline" is:"open"`
}

// toolError is the payload of an error.
type toolError struct {
	Category        wire.Filled `json:"category" doc:"kind of error"`
	Code            wire.Filled `json:"code" doc:"code that a caller can branch on"`
	Message         string      `json:"message" doc:"one line for people"`
	Details         string      `json:"details,omitempty" doc:"what happened, the end of stderr, where the output is"`
	Recoverable     bool        `json:"recoverable" doc:"whether running it again may help"`
	SuggestedAction string      `json:"suggestedAction,omitempty" doc:"what the caller can do"`
	NextTool        string      `json:"nextTool,omitempty" doc:"tool to call next"`
	Exec            any         `json:"exec,omitempty" is:"object" doc:"the run that printed an envelope of this error"`
	Rest            wire.Fields `json:",inline"`
}

// toolWorkflow is the payload of a workflow instruction.
type toolWorkflow struct {
	DisplayName     wire.Filled       `json:"displayName" doc:"name of the instruction for people"`
	InstructionID   wire.Filled       `json:"instructionId" doc:"id of the tool"`
	Model           toolModel         `json:"model" doc:"the model that was used"`
	Steps           []toolStep        `json:"steps" doc:"steps to take"`
	Recommendations []json.RawMessage `json:"recommendations" doc:"recommended actions"`
	Artifacts       []json.RawMessage `json:"artifacts" doc:"what was made"`
	Rest            wire.Fields       `json:",inline"`
}

type toolModel struct {
	ID    wire.Filled `json:"id" doc:"id of the model"`
	Label string      `json:"label" doc:"its name for people"`
	Rest  wire.Fields `json:",inline"`
}

type toolStep struct {
	Kind    wire.Filled `json:"kind" doc:"kind of step"`
	Label   string      `json:"label" doc:"title of the step"`
	Summary string      `json:"summary" doc:"what it does"`
	Rest    wire.Fields `json:",inline"`
}

// toolCategories are the codes that are more than a failed execution.
var toolCategories = [...]struct {
	code     Code
	category string
}{
	{EARG, "validation"},
	{ETIMEOUT, "timeout"},
	{EAUTH, "authorization"},
	{EPOLICY, "authorization"},
	{ERATELIMIT, "rate_limit"},
	{ENOTFOUND, "not_found"},
	{EIO, "internal"},
	{EENVELOPE, "internal"},
}

func toolCategory(v *view) wire.Filled {
	if v.Outcome.Network {
		return "network"
	}
	for _, c := range toolCategories {
		if c.code == v.Outcome.Code {
			return wire.Filled(c.category)
		}
	}
	return "execution"
}

func (w *toolEnvelope) fill(v *view) {
	w.Meta = toolMeta{Tool: wire.Filled(v.Tool), TS: v.ts(), Version: 1}
	if list := v.roomy(v.Extra).Get("deprecations"); v.Dialect == toolEnvelopeV1.name && list != nil {
		wire.ReadInto(list, &w.Meta.Deprecations)
	}
	switch s := &v.Stdout; {
	case !v.Outcome.OK() && !(isToolError(v.Payload) && wire.ReadInto(v.Payload, new(toolError))):
		w.Payload = newToolError(v)
	case v.hasPayload():
		w.Payload = toolPayload(v)
	case s.isJSON() && v.hasRoom(s.JSON) && !misleads(s.JSON):
		w.Payload = v.besideExec(s.JSON)
	default:
		run := &toolRun{
			Argv: v.argv(), ExitCode: v.Outcome.ExitCode, Outcome: outcomeWord(v.Outcome.Kind), Stdout: v.plain(s),
			Stderr: v.plain(&v.Stderr), Artifacts: v.artifacts(), Warnings: v.texts(v.notes()),
			Redactions: v.redactions(), Cache: v.cache(true),
		}
		if w.Payload = run; v.Exec == nil {
			return
		}
		run.Rest.Add("exec", wire.MustEncode(v.exec(v.Exec)))
		if v.knownArgv() == nil {
			w.Payload = wire.FieldsIn(wire.MustEncode(run)).Without("argv")
		}
	}
}

// toolPayload returns the payload of another's envelope, with the facts of the
// run that printed it.
func toolPayload(v *view) any {
	payload := v.payload()
	f := wire.FieldsIn(payload)
	if isToolError(payload) && v.hasCommandsHint("suggestedAction", f) {
		f = append(f.Without("suggestedAction"), wire.Field{Name: "payload", Value: wire.EncodeObject(wire.Fields{{Name: "suggestedAction", Value: f.Get("suggestedAction")}})})
		payload = wire.EncodeObject(f)
	}
	var e toolError
	if v.Dialect != toolEnvelopeV1.name && !v.Outcome.OK() && isToolError(payload) && wire.ReadInto(payload, &e) && len(e.Rest) > 0 {
		e.SuggestedAction = cmp.Or(e.SuggestedAction, wire.StringIn(e.Rest.Get("hint")))
		e.Rest = nil
		payload = wire.MustEncode(&e) // the document names all members of an error
	}
	if v.Dialect != toolEnvelopeV1.name && (v.Outcome.OK() && isToolError(payload) || f.Get("instructionId") != nil || isToolRun(f) && !soundToolRun(payload) || isLeanToolRun(f)) {
		payload = wire.EncodeObject(wire.Fields{{Name: "payload", Value: payload}}) // it would say what it does not mean
	}
	return v.besideExec(payload)
}

// besideExec returns a payload with the facts of the run that printed the adopted
// envelope, if there is one.
func (v *view) besideExec(payload json.RawMessage) any {
	if v.Exec == nil {
		return payload
	}
	return withMembers(payload, wire.Fields{{Name: "exec", Value: wire.MustEncode(v.execs())}})
}

func newToolError(v *view) *toolError {
	o := &v.Outcome
	w := &toolError{
		Category: toolCategory(v), Code: v.foreignCode(), Message: v.short(o.Message), Details: toolDetails(v),
		Recoverable: o.Retryable, SuggestedAction: v.hintReading(func(s namedStream) bool { return s.Stream == &v.Stderr && v.tailHolds(s.Stream) }),
	}
	if v.Exec != nil {
		w.Exec = v.execs()
	}
	return w
}

// toolDetails returns what happened, the end of stderr and the digests, in lines.
func toolDetails(v *view) string {
	var lines []string
	if v.Outcome.Meaning != "" {
		lines = append(lines, v.short(v.Outcome.Meaning))
	}
	if tail := v.tail(&v.Stderr); tail != "" {
		lines = append(lines, "stderr: "+strings.TrimSuffix(tail, "\n"))
	}
	for _, s := range v.stored() {
		lines = append(lines, fmt.Sprintf("%s: %s (%s)", s.name, s.Artifact, spokenBytes(s.Bytes)))
	}
	return strings.Join(lines, "\n")
}

func (w *toolEnvelope) setText(text string) { w.markdown = text }

func (w *toolEnvelope) check(p *wire.Problems) {
	if p.Strict && strings.TrimSpace(w.markdown) == "" {
		p.Add("", "tool-envelope/no-text", "there is no text for people before the line with the JSON")
	}
	if guardMarks(w.markdown) != w.markdown {
		p.Add("", "tool-envelope/mark-in-text", "a line of the text begins with %q", toolMarks)
	}
	payload := wire.RawIn(w.Payload)
	switch f := wire.FieldsIn(payload); {
	case isToolError(payload):
		p.Sub("/payload", payload, new(toolError))
		if isExec(f.Get("exec")) {
			wire.CheckMessage(p, "/payload/message", wire.StringIn(f.Get("message")))
		}
		if category := wire.StringIn(f.Get("category")); p.Strict && !slices.Contains(toolErrorCategories(), category) {
			p.Add("/payload/category", "value/enum", "%q is not one of the document's categories", wire.Shorten(category, 80))
		}
	case f.Get("instructionId") != nil:
		p.Sub("/payload", payload, new(toolWorkflow))
	case isToolRun(f):
		checkToolRun(p, w, payload)
	}
}

// isToolError reports whether a payload is one of an error.
func isToolError(payload json.RawMessage) bool {
	f := wire.FieldsIn(payload)
	return f.Get("category") != nil && f.Get("code") != nil && f.Get("message") != nil
}

// misleads reports whether a reader would take what a command printed when all
// went well for an error, for a workflow that it is not, or for a run.
func misleads(payload json.RawMessage) bool {
	return isToolError(payload) || wire.FieldsIn(payload).Get("instructionId") != nil && !wire.ReadInto(payload, new(toolWorkflow)) ||
		isToolRun(wire.FieldsIn(payload)) && !soundToolRun(payload) || isLeanToolRun(wire.FieldsIn(payload))
}

// toolErrorCategories returns the document's error categories; consumers accept others.
func toolErrorCategories() []string {
	return []string{"validation", "execution", "timeout", "model", "network", "authorization", "rate_limit", "not_found", "internal"}
}

func (w *toolEnvelope) result() *Result {
	tool := string(w.Meta.Tool)
	r := &Result{Command: CommandName("tool/" + tool), Tool: tool, Payload: wire.RawIn(w.Payload), Markdown: w.markdown}
	r.Extra.Put("deprecations", w.Meta.Deprecations)
	r.setTimes(string(w.Meta.TS), -1)
	r.Outcome.Kind = Success
	if !isToolError(r.Payload) {
		return r
	}
	f := wire.FieldsIn(r.Payload)
	category := wire.StringIn(f.Get("category"))
	r.Outcome = Outcome{
		Kind: Failure, Message: wire.StringIn(f.Get("message")), Hint: wire.StringIn(f.Get("suggestedAction")),
		Retryable: string(f.Get("recoverable")) == "true", Network: category == "network",
	}
	none := ERUNTIME
	for _, c := range slices.Backward(toolCategories[:]) {
		if c.category == category {
			none = c.code
		}
	}
	r.Outcome.setCode(wire.StringIn(f.Get("code")), none)
	if r.Outcome.Code == ETIMEOUT {
		r.Outcome.Kind = Timeout
	}
	return r
}

func (w *toolEnvelope) run() *Result {
	if r := w.result(); r.readJobs(wire.RawIn(w.Payload), "") {
		return r
	}
	var run toolRun
	if !wire.ReadInto(wire.RawIn(w.Payload), &run) {
		return w.runInText()
	}
	r := w.result()
	r.Command, r.Payload, r.Argv, r.Warnings = CommandName(r.Tool), nil, run.Argv, run.Warnings
	r.Outcome.Kind, r.Outcome.ExitCode = Kind(run.Outcome), run.ExitCode
	r.readNotes(run.Redactions, run.Cache)
	r.Stdout, r.Stderr = plainStream(wire.RawIn(run.Stdout)), plainStream(wire.RawIn(run.Stderr))
	r.within(run.Rest.Take("exec"))
	return r
}

// toolOwn reports what in a payload envwrap itself wrote.
func toolOwn(doc []byte) func(path []jsontext.Step) bool {
	own := toolOwnMembers(wire.FieldsIn(doc).Get("payload"))
	return func(path []jsontext.Step) bool { return len(path) > 1 && slices.Contains(own, string(path[1].Name)) }
}

// toolOwnMembers returns the members of a tool-envelope's payload that envwrap itself
// writes: those of a run and of an error, and what an answer about jobs has.
func toolOwnMembers(payload json.RawMessage) []string {
	f := wire.FieldsIn(payload)
	switch {
	case isToolError(payload):
		return []string{"details", "exec"}
	case isToolRun(f):
		return []string{"artifacts", "stdout", "stderr"}
	case isExec(f.Get("exec")):
		return []string{"exec"}
	case strings.HasPrefix(wire.StringIn(f.Get("command")), "jobs/"):
		return []string{"job", "jobs", "stdout", "stderr"}
	}
	return nil
}

func toolEnvelopeRules() []json.RawMessage {
	object := `{"type":"object","required":["category","code","message"]}`
	run := wire.Both(`{"type":"object"}`, wire.Has("argv"), wire.Has("outcome"), wire.Has("stdout"), wire.Has("stderr"))
	other := `{"not":{"anyOf":[` + object + `,` + wire.Both(`{"type":"object"}`, wire.Has("instructionId")) + `]}}`
	return []json.RawMessage{
		wire.When(wire.Both(wire.Has("payload"), wire.At(wire.Both(run, other), "payload")),
			wire.At(wire.Both(wire.SchemaOf[toolRun](), wire.At(plainValue(), "stdout"), wire.At(plainText(), "stderr")), "payload")),
		wire.When(wire.At(object, "payload"), wire.At(wire.SchemaOf[toolError](), "payload")),
		wire.When(wire.At(`{"type":"object","required":["instructionId"],"not":`+object+`}`, "payload"), wire.At(wire.SchemaOf[toolWorkflow](), "payload")),
	}
}

// leanTool returns the lean form of tool-envelope/v1: its outcome stays, so that it
// is known for a run.
func leanTool(_ *view, f wire.Fields) wire.Fields {
	f.Edit("payload", func(p *wire.Fields) {
		if !isToolRun(*p) {
			return
		}
		*p = p.Without("argv")
		p.Drop("exit_code", "0")
		p.Drop("stderr", `""`)
	})
	return f
}

// fullTool returns the reverse of [leanTool]; nil where f is not lean.
func fullTool(f wire.Fields) wire.Fields {
	if !isLeanToolRun(wire.FieldsIn(f.Get("payload"))) {
		return nil
	}
	f.Edit("payload", func(p *wire.Fields) {
		p.Default("argv", `[]`)
		p.Default("exit_code", `0`)
		p.Default("stderr", `""`)
		*p = p.Ordered(wire.OutlineOf(reflect.TypeFor[toolRun]()))
	})
	return f
}

// isLeanToolRun reports whether a payload is the lean form of a run.
func isLeanToolRun(payload wire.Fields) bool {
	if payload.Get("argv") != nil || payload.Get("stdout") == nil || !isRunOutcome(payload) {
		return false
	}
	named := wire.OutlineOf(reflect.TypeFor[toolRun]())
	return !slices.ContainsFunc(payload, func(m wire.Field) bool {
		return named.Index([]byte(m.Name), 0) < 0 && !(m.Name == "exec" && isExec(m.Value))
	})
}

// checkToolRun checks the payload of a run of ours that went well.
func checkToolRun(p *wire.Problems, w *toolEnvelope, payload json.RawMessage) {
	var run toolRun
	p.SubAnd("/payload", payload, &run, func(p *wire.Problems) {
		checkOutcome(p, "/payload/outcome", run.Outcome, true)
		checkPlain(p, "/payload/stdout", wire.RawIn(run.Stdout), true)
		checkPlain(p, "/payload/stderr", wire.RawIn(run.Stderr), false)
		checkStamp(p, "/meta/ts", string(w.Meta.TS))
	})
}

// soundToolRun reports whether envwrap could have written the payload for a run.
func soundToolRun(payload json.RawMessage) bool {
	var p wire.Problems
	checkToolRun(&p, new(toolEnvelope), payload)
	return p.Faults == nil
}

// isToolRun reports whether envwrap wrote the payload for a run.
func isToolRun(payload wire.Fields) bool {
	for _, name := range []string{"argv", "outcome", "stdout", "stderr"} {
		if payload.Get(name) == nil {
			return false
		}
	}
	return true
}
