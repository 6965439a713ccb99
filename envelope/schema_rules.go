package envelope

import (
	"encoding/json"
	"slices"
)

// What a dialect's members have to do with each other, as far as a schema can
// say it. The same is checked by the check functions of the wire structs.

const (
	schemaNull = `{"type":"null"}`
	schemaText = `{"type":"string","minLength":1}`
	schemaNone = `false`
)

func protocolRules() []json.RawMessage {
	artifact := both(`{"required":["data"]}`, at(has("artifact"), "data"))
	rules := []json.RawMessage{
		when(is("status", "ok"), both(at(schemaNull, "error", "code"), at(schemaNull, "error", "message"))),
		when(is("status", "error"), both(at(schemaText, "error", "code"), at(schemaText, "error", "message"))),
		when(is("status", "progress"), both(at(has("seq"), "meta"), at(`{"type":"number","minimum":0,"maximum":100}`, "data", "pct"))),
		when(both(is("status", "progress"), has("data"), at(both(has("stage"), has("message"), has("metrics")), "data")), at(typed[wireProgress](), "data")),
		when(both(has("meta"), at(is("source", "cache"), "meta")), at(has("cache_key"), "meta")),
		when(both(has("meta"), at(has("cas_digest"), "meta")), artifact),
		when(artifact, both(at(has("cas_digest"), "meta"), at(has("summary"), "data"),
			at(typed[wireSummary](), "data", "summary"), at(string(mustEncode(schemaOf(digestType))), "data", "artifact"))),
		when(at(`{"const":true}`, "meta", "partial"), `{"if":`+at(has("partial"), "meta")+`,"then":`+at(`{"const":"error"}`, "status")+`}`),
		json.RawMessage(at(`{"enum":["wasi","exec","oci",null]}`, "meta", "runner")),
	}
	full := `{"anyOf":[` + at(has("argv"), "data") + `,` + at(`{"anyOf":[`+has("runner")+`,`+has("workspace")+`,`+has("profiles")+`,`+has("agent")+`]}`, "meta") + `]}`
	isRun := both(has("data"), has("meta"), full, at(atLeast(4, has("argv"), has("exit_code"), has("outcome"), hasObject("stdout"), hasObject("stderr")), "data"))
	failed := both(isRun, is("status", "error"))
	return append(rules,
		when(isRun, both(at(typed[wireRun](), "data"), at(schemaStream, "data", "stdout"), at(schemaStream, "data", "stderr"),
			at(typed[wirePreview](), "data", "summary", "preview"), at(typed[wirePreview](), "data", "stderr", "summary", "preview"))),
		when(both(failed, at(has("details"), "error")), at(classified(), "error", "details")),
		when(both(failed, at(has("details"), "data")), at(classified(), "data", "details")))
}

// schemaStream is what the members of a stream object have to do with each
// other.
const schemaStream = `{"oneOf":[{"required":["text"]},{"required":["json"]},{"required":["base64"]},{"required":["artifact"]}],` +
	`"if":{"required":["artifact"]},"then":{"required":["excerpt","read"]},"dependentRequired":{"replaced":["text"],"exact":["text"]}}`

func classified() string {
	return both(`{"required":["classified_by"],"properties":{"classified_by":{"enum":`+string(mustEncode(classifierNames()))+`}}}`, typed[runDetails]())
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
		return both(schemas...)
	}
	if n == 0 {
		return `true`
	}
	first, rest := schemas[0], schemas[1:]
	return `{"anyOf":[` + both(first, atLeast(n-1, rest...)) + `,` + atLeast(n, rest...) + `]}`
}

// hasObject is a schema for an object with a member that is an object.
func hasObject(name string) string {
	return `{"properties":{"` + name + `":{"type":"object"}},"required":["` + name + `"]}`
}

// streamObject is the schema of a stream object.
func streamObject() string { return both(typed[wireStream](), schemaStream) }

// plainText is the schema of what [view.plain] writes of a text: that, or a stream
// object.
func plainText() string {
	return `{"if":{"type":"object"},"then":` + streamObject() + `,"else":{"type":"string"}}`
}

// plainValue is that of an output, which may be any other value too.
func plainValue() string {
	members := both(`{"type":"object"}`, has("bytes"), has("lines"), `{"anyOf":[`+has("artifact")+`,`+has("base64")+`,`+has("truncated")+`,`+has("exact")+`]}`)
	return string(when(members, streamObject()))
}

// execRule says what the facts of a run within an envelope are, where they are
// meant to be that.
func execRule() string {
	meant := both(`{"type":"object"}`, has("argv"), atLeast(2, has("exit_code"), has("outcome"), has("duration_ms")))
	return string(when(meant, both(typed[wireExec](), at(plainText(), "stderr"))))
}

func helperRules() []json.RawMessage {
	alone := `{"propertyNames":{"enum":` + string(mustEncode(append(slices.Clone(helperNames), "exec", "stdout"))) + `}}`
	ours := both(has("exec"), at(both(`{"type":"object"}`, atLeast(3, has("argv"), has("exit_code"), has("outcome"), has("duration_ms"))), "exec"))
	return []json.RawMessage{
		json.RawMessage(at(execRule(), "exec")),
		when(both(ours, alone), at(plainValue(), "stdout")),
		when(is("status", "ok"), at(schemaNull, "error")),
		when(`{"properties":{"status":{"enum":["partial","error","tool-missing"]}},"required":["status"]}`, at(`{"type":"object"}`, "error")),
		when(is("status", "partial"), has("skipped_sources")),
	}
}

func toolEnvelopeRules() []json.RawMessage {
	object := `{"type":"object","required":["category","code","message"]}`
	run := both(`{"type":"object"}`, has("argv"), has("outcome"), has("stdout"), has("stderr"))
	other := `{"not":{"anyOf":[` + object + `,` + both(`{"type":"object"}`, has("instructionId")) + `]}}`
	return []json.RawMessage{
		when(both(has("payload"), at(both(run, other), "payload")),
			at(both(typed[toolRun](), at(plainValue(), "stdout"), at(plainText(), "stderr")), "payload")),
		when(at(object, "payload"), at(typed[toolError](), "payload")),
		when(at(`{"type":"object","required":["instructionId"],"not":`+object+`}`, "payload"), at(typed[toolWorkflow](), "payload")),
	}
}

func agentRules() []json.RawMessage {
	failed := both(at(schemaNull, "response"), at(schemaText, "error_message"), at(schemaText, "error_type"))
	run := both(has("metadata"), at(both(`{"type":"object"}`, has("argv"), has("outcome")), "metadata"))
	return []json.RawMessage{
		when(run, at(typed[agentMetadata](), "metadata")),
		json.RawMessage(at(`{"minimum":0}`, "duration_seconds")),
		when(is("status", "success"), both(at(`{"type":"string"}`, "response"), at(schemaNull, "error_message"), at(schemaNull, "error_type"))),
		when(is("status", "error"), failed),
		when(is("status", "timeout"), failed),
	}
}
