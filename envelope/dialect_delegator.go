package envelope

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/envwrap/envwrap/envelope/internal/delegator"
	"github.com/envwrap/envwrap/envelope/internal/wire"
)

// delegator/v3.6: "JSON Schema Specification - MCP Delegator v3.6". A direct
// run is of category wait_result.
var delegatorV36 = dialect{
	name:     "delegator/v3.6",
	known:    []string{"version", "schema_id", "tool", "tool_category", "request_id", "ts", "status", "meta"},
	members:  []string{"schema_id", "tool_category"},
	keep:     delegatorKeeps,
	complete: delegatorCompletes,
	rules:    delegator.Rules,
	blank:    func() wireDoc { return new(delegatorEnvelope) },
}

type delegatorEnvelope delegator.Envelope

func (w *delegatorEnvelope) check(p *wire.Problems) { (*delegator.Envelope)(w).Check(p) }

func (w *delegatorEnvelope) fill(plain *view) {
	v := newDelegatorView(plain)
	*w = delegatorEnvelope{
		Version: "3.6", ToolCategory: v.category, Tool: wire.Filled(v.toolName()),
		RequestID: v.requestID(), TS: v.ts(), Status: "ok",
	}
	w.SchemaID = wire.Filled(w.ToolCategory.SchemaID())
	switch {
	case v.Jobs != nil && v.Outcome.OK():
		w.Meta, w.Data = newDelegatorAnswer(v).metaAndData()
		return
	case v.Outcome.OK() || v.task:
		w.Meta, w.Data = v.envelopeMeta(), v.envelopeData()
		return
	}
	w.Status, w.Meta = "error", v.envelopeMeta()
	w.Error = &delegator.Error{
		Code: v.errorCode(), Message: wire.Filled(v.short(v.Outcome.Message)), Details: v.errorDetails(),
	}
	ms := v.ms()
	w.Error.DurationMS = &ms
	w.Error.Retryable = v.Outcome.Retryable && !slices.Contains(delegator.NeverRetryable, w.Error.Code)
}

// toolName returns the tool that answers. A program that has the name of one of
// the document's tools and answers in another category is not that tool; it
// goes without the underscore.
func (v *delegatorView) toolName() string {
	if c := delegator.CategoryOf(v.Tool); c != "" && c != v.category {
		return strings.TrimLeft(v.Tool, "_")
	}
	return v.Tool
}

// envelopeMeta returns meta as another's envelope had it, with what a wait_result
// or a result_set must have.
func (v *delegatorView) envelopeMeta() wire.Fields {
	var f wire.Fields
	warnings := v.notes()
	switch {
	case v.Dialect == delegatorV36.name && v.task: // its times and status are of another task
		warnings = append(wire.StringsIn(v.Extra.Get("warnings")), warnings...)
	case v.Dialect == delegatorV36.name:
		f = append(f, v.roomy(v.Extra)...)
	}
	var own any
	switch c := v.category; {
	case c == delegator.WaitResult:
		code := v.Outcome.ExitCode
		if v.task {
			code = v.exitCode()
		}
		own = &delegator.Meta{
			StartedTS: wire.Stamp(v.Started), CompletedTS: wire.Stamp(v.Ended), DurationMS: v.ms(),
			ExitCode: code, Warnings: v.texts(warnings),
		}
	case c == delegator.ResultSet && v.task:
		own = &delegator.ResultMeta{Count: 1, Warnings: v.texts(warnings)}
	default:
		f.Put("warnings", v.texts(warnings))
		return f
	}
	for _, m := range wire.FieldsIn(wire.MustEncode(own)) {
		f.Add(m.Name, m.Value)
	}
	return f
}

func (v *delegatorView) envelopeData() any {
	if v.task && v.Dialect == delegatorV36.name {
		return v.nestedTask()
	}
	if v.Payload != nil && (v.Dialect == delegatorV36.name || wire.ReadInto(v.Payload, new(delegator.Data))) {
		var exec wire.Fields
		if v.Exec != nil {
			exec.Add("exec", wire.MustEncode(v.exec(v.Exec)))
		}
		return withMembers(v.payload(), exec)
	}
	if v.category == delegator.ResultSet {
		return v.resultSet()
	}
	return v.waitResult()
}

// delegatorCodes are the codes of the catalog that have one of their own; all
// others are the tool's, since the wrapped command is the tool.
var delegatorCodes = [...]struct {
	code Code
	name delegator.Code
}{
	{ENOTFOUND, "NOT_FOUND"},
	{EARG, "VALIDATION"},
	{ETIMEOUT, "TIMEOUT"},
	{EIO, "INTERNAL"},
	{EENVELOPE, "INTERNAL"},
	{ERUNTIME, "TOOL_ERROR"},
	{ESKILLDOWN, "UNSUPPORTED"},
}

func (v *delegatorView) errorCode() delegator.Code {
	if foreign := delegator.Code(v.Outcome.ForeignCode); foreign.Known() {
		return foreign
	}
	for _, c := range delegatorCodes {
		if c.code == v.Outcome.Code && (c.name != "UNSUPPORTED" || v.Jobs != nil) {
			return c.name
		}
	}
	return "TOOL_ERROR"
}

func (v *delegatorView) errorDetails() wire.Fields {
	o := &v.Outcome
	var f wire.Fields
	if !v.ordinary() {
		f = append(f, v.roomy(v.adoptedErrorDetails())...)
	}
	if o.Code == ETIMEOUT {
		v.timeoutDetails(&f)
	}
	f.Put("exit_code", o.ExitCode)
	f.Put("signal", v.signal())
	f.Put("hint", v.hintReading(func(s namedStream) bool { return o.Code != ETIMEOUT && s.isWhole(v.shortTail(s.Stream)) }))
	f.Put("redactions", v.redactions())
	f.Put("cache", v.cache(true))
	if v.ordinary() && o.Code != ETIMEOUT {
		f.Add("stderr_tail", wire.MustEncode(v.shortTail(&v.Stderr)))
		f.Add("stdout_tail", wire.MustEncode(v.shortTail(&v.Stdout)))
	}
	f.Put("artifacts", v.artifactList())
	if v.Exec != nil {
		f.Add("exec", wire.MustEncode(v.exec(v.Exec)))
	}
	return f
}

// shortTail returns the end of a stream within both of the document's limits: 1000
// characters ("Error Object Structure") and 1024 bytes ("Truncation Limits").
func (v *delegatorView) shortTail(s *Stream) string {
	return tailBytes(v.tail(s), delegatorTailMost)
}

const delegatorTailMost = 1024

// adoptedErrorDetails returns the details of another's error. Details that are invalid in
// this format are put into an object of their own.
func (v *delegatorView) adoptedErrorDetails() wire.Fields {
	f := v.Outcome.Details
	if v.hasCommandsHint("hint", f) {
		f = append(f.Without("hint"), wire.Field{Name: "details", Value: wire.EncodeObject(wire.Fields{{Name: "hint", Value: f.Get("hint")}})})
	}
	if v.Dialect == delegatorV36.name || len(f) == 0 {
		return f
	}
	var p wire.Problems
	delegator.CheckDetails(&p, &delegator.Error{Details: f})
	if delegator.CheckRun(&p, &delegator.Error{Details: f}); p.Faults == nil {
		return f
	}
	return wire.Fields{{Name: "details", Value: wire.EncodeObject(f)}}
}

func (v *delegatorView) timeoutDetails(f *wire.Fields) {
	kind := v.Outcome.Timeout
	if kind == NoTimeout {
		kind = HardTimeout
	}
	f.Put("timeout_type", string(kind))
	f.Add("elapsed_seconds", wire.MustEncode(v.seconds()))
	f.Add("partial_results", wire.MustEncode(&delegator.Partial{Output: v.lastOutput()}))
}

func (w *delegatorEnvelope) result() *Result {
	r := &Result{
		Command: CommandName("delegator/" + string(w.Tool)), Tool: string(w.Tool), RequestID: string(w.RequestID),
		Category: string(w.ToolCategory), Payload: wire.RawIn(w.Data), Extra: w.Meta,
	}
	if w.ToolCategory == delegator.WaitResult {
		r.Category = ""
	}
	ms, err := strconv.ParseInt(string(w.Meta.Get("duration_ms")), 10, 64)
	if w.Error != nil && w.Error.DurationMS != nil {
		ms, err = int64(*w.Error.DurationMS), nil
	}
	if err != nil {
		ms = -1
	}
	r.setTimes(string(w.TS), ms)
	if started := wire.TimeIn(wire.Timestamp(wire.StringIn(w.Meta.Get("started_ts")))); w.ToolCategory == delegator.WaitResult && !started.IsZero() {
		r.Started = started // both ends are cut to milliseconds, so that they may be one more apart
	}
	r.Outcome = Outcome{Kind: Success, ExitCode: wire.IntIn(w.Meta.Get("exit_code"))}
	if r.Payload == nil {
		r.Payload = json.RawMessage("{}")
	}
	if w.Error != nil {
		setDelegatorOutcome(w.Error, &r.Outcome)
	}
	return r
}

func setDelegatorOutcome(w *delegator.Error, o *Outcome) {
	o.Kind, o.Message, o.Retryable, o.Details = Failure, string(w.Message), w.Retryable, w.Details
	o.Hint = wire.StringIn(w.Details.Get("hint"))
	o.Code = ERUNTIME
	for _, c := range slices.Backward(delegatorCodes[:]) {
		if c.name == w.Code {
			o.Code = c.code
		}
	}
	if w.Code == "UNSUPPORTED" {
		o.ForeignCode = string(w.Code)
	}
	if w.Code == "TIMEOUT" {
		o.Kind = Timeout
		o.Timeout = TimeoutType(wire.StringIn(w.Details.Get("timeout_type")))
	}
	if code := wire.IntIn(w.Details.Get("exit_code")); code != nil {
		o.ExitCode = code
	}
}

func (w *delegatorEnvelope) run() *Result {
	r := w.result()
	r.Command, r.Payload, r.Extra = CommandName(r.Tool), nil, nil
	r.Warnings = wire.StringsIn(w.Meta.Get("warnings"))
	data := wire.RawIn(w.Data)
	var jobs *Jobs
	switch w.ToolCategory {
	case delegator.WaitResult:
		if w.Error == nil {
			return readTask((*delegator.Envelope)(w), r, data, new(delegator.Data))
		}
		readDelegatorError(w.Error, r)
		return r
	case delegator.ResultSet:
		if w.Error == nil {
			return readTask((*delegator.Envelope)(w), r, data, new(delegator.Result))
		}
	case delegator.ExecutionAck:
		jobs = readAck((*delegator.Envelope)(w), data)
	case delegator.StatusSnapshot:
		jobs = readSnapshot((*delegator.Envelope)(w), data)
	case delegator.RegistryInfo:
		jobs = readRegistry((*delegator.Envelope)(w), data)
	}
	if jobs == nil {
		return nil
	}
	r.Category, r.Jobs = "", jobs
	if w.Error != nil {
		r.Outcome.Details, r.Outcome.ForeignCode = nil, ""
	}
	return r
}

// readDelegatorError takes what an error says of a run into r.
func readDelegatorError(w *delegator.Error, r *Result) {
	var list []delegator.Artifact
	wire.ReadInto(w.Details.Get("artifacts"), &list)
	r.setArtifacts(list, wire.StringIn(w.Details.Get("hint")))
	stdout, stderr := wire.StringIn(w.Details.Get("stdout_tail")), wire.StringIn(w.Details.Get("stderr_tail"))
	if len(list) == 1 && stdout == "" && stderr != "" && r.Stderr.Artifact == "" {
		r.Stdout, r.Stderr = Stream{}, r.Stdout // the only artifact belongs to the only stream with output
	}
	r.Stdout.setTail(stdout)
	r.Stderr.setTail(stderr)
	r.Outcome.Signal = wire.StringIn(w.Details.Get("signal"))
	r.within(w.Details.Get("exec"))
	r.Outcome.Details = nil
	var masked wire.Redactions
	if wire.ReadInto(w.Details.Get("redactions"), &masked) {
		r.readNotes(&masked, nil)
	}
	var remembered wire.Cache
	if wire.ReadInto(w.Details.Get("cache"), &remembered) {
		r.readNotes(nil, &remembered)
	}
	if w.Code == "TIMEOUT" {
		r.Stdout.setTail(wire.StringIn(wire.FieldsIn(w.Details.Get("partial_results")).Get("last_output")))
	}
}
