package envelope

import (
	"cmp"
	"encoding/json"
	"strings"
	"time"

	"github.com/envwrap/envwrap/envelope/internal/wire"
	"github.com/envwrap/envwrap/internal/shared/jsontext"
)

// wireExec are the facts of a run beside a payload of another's making: the
// exec member of helper/v1, and of an adopted envelope in any dialect.
type wireExec struct {
	Argv       []string         `json:"argv" doc:"the command line, redacted"`
	ExitCode   *int             `json:"exit_code" doc:"the command's own status; null where it has none"`
	Signal     wire.Signal      `json:"signal,omitempty" doc:"name of the signal that ended the command"`
	DurationMS wire.Count       `json:"duration_ms" doc:"wall time in milliseconds"`
	Outcome    outcomeWord      `json:"outcome" doc:"how the run ended, in one word"`
	Stderr     any              `json:"stderr" doc:"standard error: its text, or a stream object"`
	Artifacts  []wire.Digest    `json:"artifacts,omitempty" doc:"digests of the streams that are in the store"`
	Redactions *wire.Redactions `json:"redactions,omitempty" doc:"how much was masked, by rule"`
	Warnings   []string         `json:"warnings,omitempty" doc:"what the caller should know beside the result"`
	Hint       string           `json:"hint,omitempty" doc:"what the caller can do"`
	Cache      *wire.Cache      `json:"cache,omitempty" doc:"how it was remembered, where it was not run now"`
	Exec       any              `json:"exec,omitempty" is:"object" doc:"the run within, of whose envelope it printed an envelope"`
	Rest       wire.Fields      `json:",inline"`
}

// isExec reports whether raw is meant to be a wireExec: it has three of the four
// members that all of those have.
func isExec(raw json.RawMessage) bool {
	f, n := wire.FieldsIn(raw), 0
	for _, name := range []string{"argv", "exit_code", "outcome", "duration_ms"} {
		if f.Get(name) != nil {
			n++
		}
	}
	return n >= 3
}

// exec spells the facts of run r with the limits of v.
func (v *view) exec(r *Result) *wireExec {
	x := newView(r, v.opt)
	x.cut = v.cut
	w := &wireExec{
		Argv: x.argv(), ExitCode: x.Outcome.ExitCode, Signal: wire.Signal(x.signal()), DurationMS: x.ms(),
		Outcome: outcomeWord(x.Outcome.Kind), Stderr: x.plain(&x.Stderr), Artifacts: x.artifacts(),
		Redactions: x.redactions(), Warnings: x.texts(x.notes()), Hint: x.short(x.Outcome.Hint),
		Cache: v.cache(true),
	}
	if within := r.Extra.Get("exec"); within != nil && v.hasRoom(within) {
		w.Exec = within
	}
	return w
}

// execs spells the facts of the run that envwrap made and, innermost of those within it,
// of the run whose record it printed: for formats that have no other place for them.
func (v *view) execs() *wireExec {
	w := v.exec(v.ended())
	if !v.Nested {
		return w
	}
	inner := *v.Result
	inner.Exec, inner.Nested = nil, false
	facts := v.exec(&inner)
	facts.Hint = cmp.Or(facts.Hint, wire.StringIn(inner.Outcome.Details.Get("hint")))
	facts.Cache = nil // of the outermost
	raw := wire.MustEncode(facts)
	if v.knownArgv() == nil {
		raw = wire.EncodeObject(wire.FieldsIn(raw).Without("argv"))
	}
	if v.hasRoom(raw) {
		w.Exec = innermost(wire.RawIn(w.Exec), raw)
	}
	return w
}

// innermost returns exec, a run with those within it, with one more as the last.
func innermost(exec, last json.RawMessage) json.RawMessage {
	if exec == nil {
		return last
	}
	f := wire.FieldsIn(exec)
	f.Set("exec", innermost(f.Get("exec"), last))
	return wire.EncodeObject(f)
}

// splitExec is the reverse of [innermost]: it returns the innermost run of exec, and exec
// without that, nil if it is the only one.
func splitExec(exec json.RawMessage) (around, last json.RawMessage) {
	f := wire.FieldsIn(exec)
	inner := f.Get("exec")
	if inner == nil {
		return nil, exec
	}
	if inner, last = splitExec(inner); inner == nil {
		f = f.Without("exec")
	} else {
		f.Set("exec", inner)
	}
	return wire.EncodeObject(f), last
}

// within makes r the record of a run that was printed by another, whose facts are exec;
// it does nothing if exec is not the facts of a run.
func (r *Result) within(exec json.RawMessage) {
	if r.Exec = execIn(exec, r.Ended); r.Exec != nil {
		r.Nested = true
		r.codeExec()
	}
}

// codeExec gives the run that printed the envelope r a code where it failed: exec does not
// say which.
func (r *Result) codeExec() {
	if o := &r.Exec.Outcome; !o.Kind.OK() {
		o.Code = cmp.Or(r.Outcome.Code, ERUNTIME)
	}
}

// into takes what w says of a run into r.
func (w *wireExec) into(r *Result) {
	r.Argv, r.Warnings = w.Argv, w.Warnings
	if len(w.Argv) > 0 {
		r.Tool = baseName(w.Argv[0])
		r.Command = CommandName(r.Tool)
	}
	r.setTimes(string(wire.Stamp(r.Ended)), int64(w.DurationMS))
	r.Outcome.Kind, r.Outcome.ExitCode, r.Outcome.Signal = Kind(w.Outcome), w.ExitCode, string(w.Signal)
	r.Outcome.Hint = w.Hint
	r.readNotes(w.Redactions, w.Cache)
	r.Stderr = plainStream(wire.RawIn(w.Stderr))
}

// read reads an exec member, which may lack the command line (see [view.knownArgv]), and reports
// whether there was no other problem.
func (w *wireExec) read(raw json.RawMessage) bool {
	f := wire.FieldsIn(raw)
	f.Default("argv", `[]`)
	return wire.ReadInto(wire.EncodeObject(f), w)
}

// execIn returns the run described by an exec member, or nil if raw is absent or no such
// member. ended is when the run ended.
func execIn(raw json.RawMessage, ended time.Time) *Result {
	var w wireExec
	if !isExec(raw) || !w.read(raw) {
		return nil
	}
	r := &Result{Ended: ended}
	w.into(r)
	for _, digest := range w.Artifacts {
		if string(digest) != r.Stderr.Artifact {
			r.Stdout.Artifact = string(digest)
		}
	}
	if w.Exec != nil {
		r.Extra = wire.Fields{{Name: "exec", Value: wire.RawIn(w.Exec)}}
	}
	return r
}

// repeats reports whether x, the run that printed the envelope r, says nothing new to a reader
// who knows its command line: it ended as r did, or well if r is another's, and printed
// nothing else.
func (x *Result) repeats(r *Result) bool {
	if x == nil || x.Stderr.Bytes > 0 || x.Stdout.Artifact != "" || x.Outcome.Hint != "" || x.Redactions.Total > 0 || len(x.Warnings)+len(x.Kept) > 0 || x.Source == sourceCache || r.Source == sourceCache || x.Runner != "" {
		return false
	}
	status := x.Outcome.ExitCode
	if r.Nested {
		if own := r.Outcome.ExitCode; status == nil || own == nil || *status != *own || x.Outcome.Kind.OK() != r.Outcome.Kind.OK() {
			return false
		}
	} else if !endedWell(&x.Outcome) || !r.Outcome.Kind.OK() {
		return false
	}
	return isQuiet(x.Extra)
}

// isQuiet reports whether the exec member in a run's own says of all runs within no more than
// how they ended.
func isQuiet(extra wire.Fields) bool {
	for _, m := range extra {
		if m.Name != "exec" {
			return false
		}
		f := wire.FieldsIn(m.Value)
		f.Drop("stderr", `""`)
		inner := f.Without("argv", "exit_code", "duration_ms", "outcome")
		if len(inner) > 0 && !isQuiet(inner) {
			return false
		}
	}
	return true
}

// baseName returns the last part of a path, in the ways of all systems.
func baseName(path string) string {
	return path[strings.LastIndexAny(path, `/\`)+1:]
}

// plainStream reads what [view.plain] writes.
func plainStream(raw json.RawMessage) Stream {
	var w wireStream
	switch {
	case raw == nil:
		return Stream{}
	case jsontext.Kind(raw) == '"':
		text := wire.StringIn(raw)
		return Stream{Text: text, Bytes: int64(len(text)), Lines: lineCount([]byte(text))}
	case jsontext.Kind(raw) == '{' && wire.ReadInto(raw, &w):
		return w.result(nil)
	}
	return jsonStream(raw)
}

// plain returns a stream as its bare content where that says all: text as a string,
// JSON as the value, anything else as the stream object.
func (v *view) plain(s *Stream) any {
	w := v.stream(s)
	switch {
	case w.Truncated || w.Exact != "":
		return w
	case w.Text != nil:
		return *w.Text
	case w.JSON != nil:
		return w.JSON
	}
	return w
}

// checkExec checks the exec member of an envelope: the facts of a run of ours.
func checkExec(p *wire.Problems, pointer string, raw json.RawMessage) {
	var w wireExec
	p.SubAnd(pointer, raw, &w, func(p *wire.Problems) { checkPlain(p, pointer+"/stderr", wire.RawIn(w.Stderr), false) })
}

// checkPlain checks what [view.plain] writes: a text or a stream object, and where
// json says so any other value too.
func checkPlain(p *wire.Problems, pointer string, raw json.RawMessage, json bool) {
	switch k := jsontext.Kind(raw); {
	case raw == nil || k == '"':
	case k == '{' && (!json || isStream(raw)):
		var w wireStream
		p.SubAnd(pointer, raw, &w, func(p *wire.Problems) { checkStream(p, pointer, &w) })
	case string(raw) == "null" && !json:
		p.Add(pointer, "member/null", "null is where a string or a stream object should be")
	case !json:
		p.Add(pointer, "member/type", "%s is where a string or a stream object should be", wire.Found(raw))
	}
}

// checkOutcome checks that the word for how a run ended goes with the status.
func checkOutcome(p *wire.Problems, pointer string, word outcomeWord, ok bool) {
	if Kind(word).OK() != ok {
		p.Add(pointer, "run/outcome", "the outcome is %q, and the status says otherwise", wire.Shorten(string(word), 80))
	}
}

// checkStamp checks that a valid time is spelled as envwrap does it.
func checkStamp(p *wire.Problems, pointer, ts string) {
	if wire.IsTimestamp(ts) && (len(ts) != len(wire.StampLayout) || !strings.HasSuffix(ts, "Z")) {
		p.Add(pointer, "run/timestamp", "%q is where a time with milliseconds and Z should be", wire.Shorten(ts, 80))
	}
}

// Rules about several members of a dialect, as far as a schema can express them. The check
// functions of the wire structs check the same.

// schemaStream is the rule of a JSON Schema for the members of a stream object that depend
// on each other.
const schemaStream = `{"oneOf":[{"required":["text"]},{"required":["json"]},{"required":["base64"]},{"required":["artifact"]}],` +
	`"if":{"required":["artifact"]},"then":{"required":["excerpt","read"]},"dependentRequired":{"replaced":["text"],"exact":["text"]}}`

func classified() string {
	return wire.Both(`{"required":["classified_by"],"properties":{"classified_by":{"enum":`+string(wire.MustEncode(classifiers()))+`}}}`, wire.SchemaOf[runDetails]())
}

// atLeast returns a schema for what fits n of several.
func atLeast(n int, schemas ...string) string {
	if n == len(schemas) {
		return wire.Both(schemas...)
	}
	if n == 0 {
		return `true`
	}
	first, rest := schemas[0], schemas[1:]
	return `{"anyOf":[` + wire.Both(first, atLeast(n-1, rest...)) + `,` + atLeast(n, rest...) + `]}`
}

// hasObject returns a schema for an object with a member that is an object.
func hasObject(name string) string {
	return `{"properties":{"` + name + `":{"type":"object"}},"required":["` + name + `"]}`
}

// streamObject returns the schema of a stream object.
func streamObject() string { return wire.Both(wire.SchemaOf[wireStream](), schemaStream) }

// plainText returns the schema of what [view.plain] writes of a text: that, or a stream
// object.
func plainText() string {
	return `{"if":{"type":"object"},"then":` + streamObject() + `,"else":{"type":"string"}}`
}

// plainValue returns the schema of an output, which may be any other value too.
func plainValue() string {
	members := wire.Both(`{"type":"object"}`, wire.Has("bytes"), wire.Has("lines"), `{"anyOf":[`+wire.Has("artifact")+`,`+wire.Has("base64")+`,`+wire.Has("truncated")+`,`+wire.Has("exact")+`]}`)
	return string(wire.When(members, streamObject()))
}

// execRule says what the facts of a run within an envelope are, where they are
// meant to be that.
func execRule() string {
	meant := wire.Both(`{"type":"object"}`, wire.Has("argv"), atLeast(2, wire.Has("exit_code"), wire.Has("outcome"), wire.Has("duration_ms")))
	return string(wire.When(meant, wire.Both(wire.SchemaOf[wireExec](), wire.At(plainText(), "stderr"))))
}
