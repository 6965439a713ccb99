package envelope

import (
	"encoding/json"
	"slices"

	"github.com/envwrap/envwrap/envelope/internal/wire"
)

// What a dialect's members have to do with each other, as far as a schema can
// say it. The same is checked by the check functions of the wire structs.

func protocolRules() []json.RawMessage {
	artifact := wire.Both(`{"required":["data"]}`, wire.At(wire.Has("artifact"), "data"))
	rules := []json.RawMessage{
		wire.When(wire.Is("status", "ok"), wire.Both(wire.At(wire.SchemaNull, "error", "code"), wire.At(wire.SchemaNull, "error", "message"))),
		wire.When(wire.Is("status", "error"), wire.Both(wire.At(wire.SchemaText, "error", "code"), wire.At(wire.SchemaText, "error", "message"))),
		wire.When(wire.Is("status", "progress"), wire.Both(wire.At(wire.Has("seq"), "meta"), wire.At(`{"type":"number","minimum":0,"maximum":100}`, "data", "pct"))),
		wire.When(wire.Both(wire.Is("status", "progress"), wire.Has("data"), wire.At(wire.Both(wire.Has("stage"), wire.Has("message"), wire.Has("metrics")), "data")), wire.At(wire.SchemaOf[wireProgress](), "data")),
		wire.When(wire.Both(wire.Has("meta"), wire.At(wire.Is("source", "cache"), "meta")), wire.At(wire.Has("cache_key"), "meta")),
		wire.When(wire.Both(wire.Has("meta"), wire.At(wire.Has("cas_digest"), "meta")), artifact),
		wire.When(artifact, wire.Both(wire.At(wire.Has("cas_digest"), "meta"), wire.At(wire.Has("summary"), "data"),
			wire.At(wire.SchemaOf[wireSummary](), "data", "summary"), wire.At(wire.SchemaOf[wire.Digest](), "data", "artifact"))),
		wire.When(wire.At(`{"const":true}`, "meta", "partial"), `{"if":`+wire.At(wire.Has("partial"), "meta")+`,"then":`+wire.At(`{"const":"error"}`, "status")+`}`),
		json.RawMessage(wire.At(`{"enum":["wasi","exec","oci",null]}`, "meta", "runner")),
	}
	full := `{"anyOf":[` + wire.At(wire.Has("argv"), "data") + `,` + wire.At(`{"anyOf":[`+wire.Has("runner")+`,`+wire.Has("workspace")+`,`+wire.Has("profiles")+`,`+wire.Has("agent")+`]}`, "meta") + `]}`
	isRun := wire.Both(wire.Has("data"), wire.Has("meta"), full, wire.At(atLeast(4, wire.Has("argv"), wire.Has("exit_code"), wire.Has("outcome"), hasObject("stdout"), hasObject("stderr")), "data"))
	failed := wire.Both(isRun, wire.Is("status", "error"))
	return append(rules,
		wire.When(isRun, wire.Both(wire.At(wire.SchemaOf[wireRun](), "data"), wire.At(schemaStream, "data", "stdout"), wire.At(schemaStream, "data", "stderr"),
			wire.At(wire.SchemaOf[wirePreview](), "data", "summary", "preview"), wire.At(wire.SchemaOf[wirePreview](), "data", "stderr", "summary", "preview"))),
		wire.When(wire.Both(failed, wire.At(wire.Has("details"), "error")), wire.At(classified(), "error", "details")),
		wire.When(wire.Both(failed, wire.At(wire.Has("details"), "data")), wire.At(classified(), "data", "details")))
}

// schemaStream is what the members of a stream object have to do with each
// other.
const schemaStream = `{"oneOf":[{"required":["text"]},{"required":["json"]},{"required":["base64"]},{"required":["artifact"]}],` +
	`"if":{"required":["artifact"]},"then":{"required":["excerpt","read"]},"dependentRequired":{"replaced":["text"],"exact":["text"]}}`

func classified() string {
	return wire.Both(`{"required":["classified_by"],"properties":{"classified_by":{"enum":`+string(wire.MustEncode(classifierNames()))+`}}}`, wire.SchemaOf[runDetails]())
}

func classifierNames() []string {
	var names []string
	for _, c := range classifiers() {
		names = append(names, string(c))
	}
	return names
}

// atLeast is a schema for what fits n of several.
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

// hasObject is a schema for an object with a member that is an object.
func hasObject(name string) string {
	return `{"properties":{"` + name + `":{"type":"object"}},"required":["` + name + `"]}`
}

// streamObject is the schema of a stream object.
func streamObject() string { return wire.Both(wire.SchemaOf[wireStream](), schemaStream) }

// plainText is the schema of what [view.plain] writes of a text: that, or a stream
// object.
func plainText() string {
	return `{"if":{"type":"object"},"then":` + streamObject() + `,"else":{"type":"string"}}`
}

// plainValue is that of an output, which may be any other value too.
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

func agentRules() []json.RawMessage {
	failed := wire.Both(wire.At(wire.SchemaNull, "response"), wire.At(wire.SchemaText, "error_message"), wire.At(wire.SchemaText, "error_type"))
	run := wire.Both(wire.Has("metadata"), wire.At(wire.Both(`{"type":"object"}`, wire.Has("argv"), wire.Has("outcome")), "metadata"))
	return []json.RawMessage{
		wire.When(run, wire.At(wire.SchemaOf[agentMetadata](), "metadata")),
		json.RawMessage(wire.At(`{"minimum":0}`, "duration_seconds")),
		wire.When(wire.Is("status", "success"), wire.Both(wire.At(`{"type":"string"}`, "response"), wire.At(wire.SchemaNull, "error_message"), wire.At(wire.SchemaNull, "error_type"))),
		wire.When(wire.Is("status", "error"), failed),
		wire.When(wire.Is("status", "timeout"), failed),
	}
}
