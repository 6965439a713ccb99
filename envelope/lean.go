package envelope

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"github.com/envwrap/envwrap/envelope/internal/wire"
	"github.com/envwrap/envwrap/internal/shared/jsontext"
)

// The lean form of an envelope leaves out the optional members that say nothing
// new: what the reader knows, and what has its usual value. Both directions are
// one table a dialect: [dialect.lean] takes members out of what the dialect has
// written, and [dialect.full] puts them back before a document is looked at, so
// that nothing else knows of two forms. Only a run of envwrap's own is made lean.

// leanUsage is the CPU time from which on the lean form has it, in milliseconds.
const leanUsage = 1000

// leanForm returns a document of d without what says nothing new, where that is wanted.
func (d *dialect) leanForm(v *view, doc []byte) []byte {
	if d.lean == nil || v.opt.Detail != DetailLean || !v.leans() || v.Progress {
		return doc
	}
	return wire.EncodeObject(d.lean(v, wire.FieldsIn(doc)))
}

// leans reports whether r has a lean form.
func (r *Result) leans() bool { return r.ordinary() && r.Exec == nil }

// fullForm returns a lean document with the members that it leaves out, nil where
// doc, whose members are top, is not one.
func (d *dialect) fullForm(top jsontext.Object) []byte {
	if d.full == nil {
		return nil
	}
	f := make(wire.Fields, 0, len(top))
	for _, m := range top {
		f = append(f, wire.Field{Name: string(m.Name), Value: m.Value})
	}
	if f = d.full(f); f == nil {
		return nil
	}
	return wire.EncodeObject(f)
}

// leanRun takes out what says nothing new of the data of a run.
func leanRun(data *wire.Fields) {
	*data = data.Without("argv")
	data.Drop("exit_code", "0")
	if n := wire.FieldsIn(data.Get("usage")); millisIn(n.Get("user_ms"))+millisIn(n.Get("sys_ms")) < leanUsage {
		*data = data.Without("usage")
	}
	for _, name := range []string{"stdout", "stderr"} {
		data.Edit(name, leanStream)
		data.Drop(name, `{}`)
	}
	// The outcome stays where nothing else says that this is a run.
	if data.Get("exit_code") == nil || isContent(data.Get("stdout")) || isContent(data.Get("stderr")) {
		data.Drop("outcome", `"success"`)
	}
}

func millisIn(raw json.RawMessage) int {
	if n := wire.IntIn(raw); n != nil {
		return *n
	}
	return 0
}

// leanStream takes the counts out of a stream that is shown whole, and all of an
// empty one.
func leanStream(s *wire.Fields) {
	if s.Get("artifact") != nil || s.Get("truncated") != nil || s.Get("exact") != nil {
		return
	}
	var w wireStream
	if !wire.ReadInto(wire.EncodeObject(*s), &w) {
		return
	}
	n, lines := w.measure()
	if int64(w.Bytes) != n || int64(w.Lines) != lines {
		return
	}
	*s = s.Without("bytes", "lines")
	s.Drop("text", `""`)
}

// measure returns the length and the lines of the content that is here.
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
func fullStream(s *wire.Fields) {
	if s.Get("bytes") != nil || s.Get("artifact") != nil || s.Get("truncated") != nil {
		return
	}
	var w wireStream
	wire.ReadInto(wire.EncodeObject(append(wire.Fields{{Name: "bytes", Value: json.RawMessage("0")}, {Name: "lines", Value: json.RawMessage("0")}}, *s...)), &w)
	n, lines := w.measure()
	*s = append(wire.Fields{{Name: "bytes", Value: wire.MustEncode(wire.Count(n))}, {Name: "lines", Value: wire.MustEncode(wire.Count(lines))}}, *s...)
}

// fullRun puts back into the data of a run what the lean form leaves out.
func fullRun(data *wire.Fields) {
	data.Default("argv", `[]`)
	data.Default("exit_code", `0`)
	data.Default("outcome", `"success"`)
	for _, name := range []string{"stdout", "stderr"} {
		data.Default(name, `{"bytes":0,"lines":0,"text":""}`)
		data.Edit(name, fullStream)
	}
	*data = data.Ordered(wire.OutlineOf(reflect.TypeFor[wireRun]()))
}

// isRunOutcome reports whether members say how a run ended.
func isRunOutcome(f wire.Fields) bool { return isOutcome(wire.StringIn(f.Get("outcome"))) }

// isContent reports whether a value is a stream object in its lean form.
func isContent(raw json.RawMessage) bool {
	if jsontext.Kind(raw) != '{' {
		return false
	}
	f := wire.FieldsIn(raw)
	return f.Get("text") != nil || f.Get("json") != nil || f.Get("base64") != nil || f.Get("artifact") != nil
}

// leanProtocol returns the lean form of protocol/v1 and foxctl/v1.
func leanProtocol(v *view, f wire.Fields) wire.Fields {
	status := wire.FieldsIn(f.Get("data")).Get("exit_code")
	details := func(d *wire.Fields) {
		if own := d.Get("exit_code"); own != nil && string(own) == string(status) {
			*d = d.Without("exit_code")
		}
	}
	f.Edit("data", func(data *wire.Fields) {
		leanRun(data)
		*data = data.Without("agent") // in foxctl/v1
		if v.TraceMade {
			*data = data.Without("trace_id")
		}
		data.Edit("details", details)
	})
	f.Edit("meta", func(meta *wire.Fields) {
		*meta = meta.Without("workspace", "profiles", "runner", "agent")
		meta.Drop("source", `"run"`)
		if v.TraceMade {
			*meta = meta.Without("trace_id")
		}
	})
	f.Edit("error", func(e *wire.Fields) { e.Edit("details", details) })
	return f
}

// fullProtocol puts back what [leanProtocol] leaves out that the data of a run
// must have; nil where f is not lean.
func fullProtocol(f wire.Fields) wire.Fields {
	data, meta, status := wire.FieldsIn(f.Get("data")), wire.FieldsIn(f.Get("meta")), wire.StringIn(f.Get("status"))
	if jsontext.Kind(f.Get("data")) != '{' || status != "ok" && status != "error" || data.Get("argv") != nil {
		return nil
	}
	for _, name := range []string{"workspace", "profiles", "runner", "agent"} {
		if meta.Get(name) != nil {
			return nil
		}
	}
	if !isLeanRun(data, wire.FieldsIn(wire.FieldsIn(f.Get("error")).Get("details")), status == "ok", wire.StringIn(f.Get("command"))) {
		return nil
	}
	f.Edit("data", func(data *wire.Fields) {
		fullRun(data)
		data.Edit("details", fullDetails(data.Get("exit_code")))
	})
	f.Edit("error", func(e *wire.Fields) { e.Edit("details", fullDetails(wire.FieldsIn(f.Get("data")).Get("exit_code"))) })
	return f
}

// fullDetails puts the exit status back, which data has.
func fullDetails(status json.RawMessage) func(*wire.Fields) {
	return func(d *wire.Fields) {
		if d.Get("exit_code") == nil && wire.IntIn(status) != nil {
			*d = append(wire.Fields{{Name: "exit_code", Value: status}}, *d...)
		}
	}
}

// isLeanRun reports whether data, and the details of an error, are the lean form of a run.
func isLeanRun(data, details wire.Fields, ok bool, command string) bool {
	if !ok && !(isRunOutcome(data) && (isClassified(details) || isClassified(wire.FieldsIn(data.Get("details"))))) {
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

func isClassified(details wire.Fields) bool {
	return slices.Contains(classifiers(), Classifier(wire.StringIn(details.Get("classified_by"))))
}
