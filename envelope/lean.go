package envelope

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/envwrap/envwrap/internal/jsontext"
)

// The lean form of an envelope leaves out the optional members that say nothing
// new: what the reader knows, and what has its usual value. Both directions are
// one table a dialect: [dialect.lean] takes members out of what the dialect has
// written, and [dialect.full] puts them back before a document is looked at, so
// that nothing else knows of two forms. Only a run of envwrap's own is made lean.

// Detail chooses between all members and the lean form.
type Detail int

const (
	DetailFull Detail = iota // all members
	DetailLean               // without those that say nothing new
)

// leanUsage is the CPU time from which on the lean form has it, in milliseconds.
const leanUsage = 1000

// runMembers are the members that data has in protocol/v1 for a run that went
// well.
var runMembers = []string{
	"argv", "exit_code", "signal", "outcome", "pipeline", "stdout", "stderr", "summary", "artifact", "artifacts", "hint",
	"skipped_sources", "usage", "leftovers", "cache", "attempts", "backoff", "retry_after", "tries",
	"details", "trace_id", "agent", "redactions", "warnings", "meta",
}

// lean makes a document of d, the members of f, lean.
func (d *dialect) leanForm(v *view, doc []byte) []byte {
	if d.lean == nil || v.opt.Detail != DetailLean || !v.ordinary() || v.Progress {
		return doc
	}
	return encodeObject(d.lean(v, fieldsIn(doc)))
}

// fullForm is a lean document with the members that it leaves out, nil where
// doc, whose members are top, is not one.
func (d *dialect) fullForm(top jsontext.Object) []byte {
	if d.full == nil {
		return nil
	}
	f := make(Fields, 0, len(top))
	for _, m := range top {
		f = append(f, Field{string(m.Name), m.Value})
	}
	if f = d.full(f); f == nil {
		return nil
	}
	return encodeObject(f)
}

// drop takes a member out where it has a value.
func (f *Fields) drop(name, value string) {
	if string(f.Get(name)) == value {
		*f = f.without(name)
	}
}

// edit replaces an object among the members.
func (f Fields) edit(name string, change func(*Fields)) {
	i := f.index(name)
	if i < 0 || jsontext.Kind(f[i].Value) != '{' {
		return
	}
	object := fieldsIn(f[i].Value)
	change(&object)
	f[i].Value = encodeObject(object)
}

// lacks adds a member that is missing.
func (f *Fields) lacks(name, value string) {
	if f.Get(name) == nil {
		f.add(name, json.RawMessage(value))
	}
}

// leanRun takes out what says nothing new of the data of a run.
func leanRun(data *Fields) {
	*data = data.without("argv")
	data.drop("exit_code", "0")
	data.drop("outcome", `"success"`)
	if n := fieldsIn(data.Get("usage")); millisIn(n.Get("user_ms"))+millisIn(n.Get("sys_ms")) < leanUsage {
		*data = data.without("usage")
	}
	for _, name := range []string{"stdout", "stderr"} {
		data.edit(name, leanStream)
		data.drop(name, `{}`)
	}
}

func millisIn(raw json.RawMessage) int {
	if n := intIn(raw); n != nil {
		return *n
	}
	return 0
}

// leanStream takes the counts out of a stream that is shown whole, and all of an
// empty one.
func leanStream(s *Fields) {
	if s.Get("artifact") != nil || s.Get("truncated") != nil || s.Get("exact") != nil {
		return
	}
	var w wireStream
	if !readInto(encodeObject(*s), &w) {
		return
	}
	n, lines := w.measure()
	if int64(w.Bytes) != n || int64(w.Lines) != lines {
		return
	}
	*s = s.without("bytes", "lines")
	s.drop("text", `""`)
}

// measure is the length and the lines of the content that is here.
func (w *wireStream) measure() (n, lines int64) {
	content := []byte(w.JSON)
	switch {
	case w.Text != nil:
		content = []byte(*w.Text)
	case w.Base64 != nil:
		content = w.Base64
	}
	return int64(len(content)), lineCount(content)
}

// fullStream puts the counts back.
func fullStream(s *Fields) {
	if s.Get("bytes") != nil || s.Get("artifact") != nil || s.Get("truncated") != nil {
		return
	}
	var w wireStream
	readInto(encodeObject(append(Fields{{"bytes", json.RawMessage("0")}, {"lines", json.RawMessage("0")}}, *s...)), &w)
	n, lines := w.measure()
	*s = append(Fields{{"bytes", mustEncode(count(n))}, {"lines", mustEncode(count(lines))}}, *s...)
}

// fullRun puts back into the data of a run what the lean form leaves out.
func fullRun(data *Fields) {
	data.lacks("argv", `[]`)
	data.lacks("exit_code", `0`)
	data.lacks("outcome", `"success"`)
	for _, name := range []string{"stdout", "stderr"} {
		data.lacks(name, `{"bytes":0,"lines":0,"text":""}`)
		data.edit(name, fullStream)
	}
	*data = data.ordered(outlineOf(runType))
}

// ordered are the members in the order of a wire struct, those that it does not
// name last.
func (f Fields) ordered(s *shape) Fields {
	slices.SortStableFunc(f, func(a, b Field) int { return s.place(a.Name) - s.place(b.Name) })
	return f
}

// leanProtocol is the lean form of protocol/v1 and foxctl/v1.
func leanProtocol(v *view, f Fields) Fields {
	status := fieldsIn(f.Get("data")).Get("exit_code")
	details := func(d *Fields) {
		if said := d.Get("exit_code"); said != nil && string(said) == string(status) {
			*d = d.without("exit_code")
		}
	}
	f.edit("data", func(data *Fields) {
		leanRun(data)
		*data = data.without("agent") // in foxctl/v1
		if v.TraceMade {
			*data = data.without("trace_id")
		}
		data.edit("details", details)
	})
	f.edit("meta", func(meta *Fields) {
		*meta = meta.without("workspace", "profiles", "runner", "agent")
		meta.drop("source", `"run"`)
		if v.TraceMade {
			*meta = meta.without("trace_id")
		}
	})
	f.edit("error", func(e *Fields) { e.edit("details", details) })
	return f
}

// fullProtocol puts back what [leanProtocol] leaves out that the data of a run
// must have; nil where f is not lean.
func fullProtocol(f Fields) Fields {
	data, meta, status := fieldsIn(f.Get("data")), fieldsIn(f.Get("meta")), stringIn(f.Get("status"))
	if jsontext.Kind(f.Get("data")) != '{' || status != "ok" && status != "error" || data.Get("argv") != nil {
		return nil
	}
	for _, name := range []string{"workspace", "profiles", "runner", "agent"} {
		if meta.Get(name) != nil {
			return nil
		}
	}
	if !isLeanRun(data, fieldsIn(fieldsIn(f.Get("error")).Get("details")), status == "ok", stringIn(f.Get("command"))) {
		return nil
	}
	f.edit("data", func(data *Fields) {
		fullRun(data)
		data.edit("details", fullDetails(data.Get("exit_code")))
	})
	f.edit("error", func(e *Fields) { e.edit("details", fullDetails(fieldsIn(f.Get("data")).Get("exit_code"))) })
	return f
}

// fullDetails puts the exit status back, which data has.
func fullDetails(status json.RawMessage) func(*Fields) {
	return func(d *Fields) {
		if d.Get("exit_code") == nil && intIn(status) != nil {
			*d = append(Fields{{"exit_code", status}}, *d...)
		}
	}
}

// isLeanRun reports whether data, and the details of an error, are those of the
// lean form of a run.
func isLeanRun(data, details Fields, ok bool, command string) bool {
	if !ok && !(isRunOutcome(data) && (isClassified(details) || isClassified(fieldsIn(data.Get("details"))))) {
		return false
	}
	for _, m := range data {
		if !slices.Contains(runMembers, m.Name) {
			return false
		}
	}
	if !ok || len(data) == 0 {
		return !ok || strings.HasPrefix(command, "exec/")
	}
	return isContent(data.Get("stdout")) || isContent(data.Get("stderr")) || isRunOutcome(data)
}

func isClassified(details Fields) bool {
	return slices.Contains(classifiers(), Classifier(stringIn(details.Get("classified_by"))))
}

// isRunOutcome reports whether members say how a run ended.
func isRunOutcome(f Fields) bool { return Kind(stringIn(f.Get("outcome"))).known() }

// isContent reports whether a value is a stream object in its lean form.
func isContent(raw json.RawMessage) bool {
	if jsontext.Kind(raw) != '{' {
		return false
	}
	f := fieldsIn(raw)
	return f.Get("text") != nil || f.Get("json") != nil || f.Get("base64") != nil || f.Get("artifact") != nil
}

// leanHelper is the lean form of helper/v1. Its document wants the five members;
// the rest is the payload.
func leanHelper(_ *view, f Fields) Fields {
	f.edit("exec", func(exec *Fields) {
		*exec = exec.without("argv")
		exec.drop("exit_code", "0")
		exec.drop("outcome", `"success"`)
		exec.drop("stderr", `""`)
	})
	return f
}

// fullHelper is the way back; nil where f is not lean.
func fullHelper(f Fields) Fields {
	exec := fieldsIn(f.Get("exec"))
	if exec.Get("duration_ms") == nil || exec.Get("argv") != nil {
		return nil
	}
	named := outlineOf(execType)
	for _, m := range exec {
		if named.index([]byte(m.Name), 0) < 0 {
			return nil
		}
	}
	f.edit("exec", func(exec *Fields) {
		exec.lacks("argv", `[]`)
		exec.lacks("exit_code", `0`)
		exec.lacks("outcome", `"success"`)
		exec.lacks("stderr", `""`)
		*exec = exec.ordered(named)
	})
	return f
}

// leanTool is the lean form of tool-envelope/v1: its outcome stays, so that it
// is known for a run.
func leanTool(_ *view, f Fields) Fields {
	f.edit("payload", func(p *Fields) {
		if !isToolRun(*p) {
			return
		}
		*p = p.without("argv")
		p.drop("exit_code", "0")
		p.drop("stderr", `""`)
	})
	return f
}

// fullTool is the way back; nil where f is not lean.
func fullTool(f Fields) Fields {
	if !isLeanToolRun(fieldsIn(f.Get("payload"))) {
		return nil
	}
	f.edit("payload", func(p *Fields) {
		p.lacks("argv", `[]`)
		p.lacks("exit_code", `0`)
		p.lacks("stderr", `""`)
		*p = p.ordered(outlineOf(toolRunType))
	})
	return f
}

// isLeanToolRun reports whether a payload is that of a run in its lean form.
func isLeanToolRun(payload Fields) bool {
	if payload.Get("argv") != nil || payload.Get("stdout") == nil || !isRunOutcome(payload) {
		return false
	}
	named := outlineOf(toolRunType)
	return !slices.ContainsFunc(payload, func(m Field) bool { return named.index([]byte(m.Name), 0) < 0 })
}

// leanAgent is the lean form of agent-response/v1, whose metadata may be empty.
func leanAgent(_ *view, f Fields) Fields {
	f.edit("metadata", func(m *Fields) {
		*m = m.without("argv", "agent")
		m.drop("exit_code", "0")
		m.drop("outcome", `"success"`)
	})
	return f
}

// fullAgent is the way back; nil where f is not lean, or does not say of what it
// is.
func fullAgent(f Fields) Fields {
	m := fieldsIn(f.Get("metadata"))
	if m.Get("argv") != nil || !isRunOutcome(m) {
		return nil
	}
	f.edit("metadata", func(m *Fields) {
		m.lacks("argv", `[]`)
		*m = m.ordered(outlineOf(agentMetadataType))
	})
	return f
}
