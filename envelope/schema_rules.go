package envelope

import "encoding/json"

// What a dialect's members have to do with each other, as far as a schema can
// say it. The same is checked by the check functions of the wire structs.

const (
	schemaNull = `{"type":"null"}`
	schemaText = `{"type":"string","minLength":1}`
	schemaNone = `false`
)

func protocolRules() []json.RawMessage {
	artifact := both(`{"required":["data"]}`, at(has("artifact"), "data"))
	run := at(`{"required":["argv","outcome","exit_code"],"properties":{"stdout":{"type":"object"},"stderr":{"type":"object"}}}`, "data")
	runMust := at(both(has("stdout"), has("stderr")), "data")
	rules := []json.RawMessage{
		when(is("status", "ok"), both(at(schemaNull, "error", "code"), at(schemaNull, "error", "message"))),
		when(is("status", "error"), both(at(schemaText, "error", "code"), at(schemaText, "error", "message"))),
		when(is("status", "progress"), at(has("seq"), "meta")),
		when(both(has("meta"), at(is("source", "cache"), "meta")), at(has("cache_key"), "meta")),
		when(both(has("meta"), at(has("cas_digest"), "meta")), artifact),
		when(artifact, both(at(has("cas_digest"), "meta"), at(has("summary"), "data"),
			at(typed[wireSummary](), "data", "summary"), at(string(mustEncode(schemaOf(digestType))), "data", "artifact"))),
		when(at(`{"const":true}`, "meta", "partial"), `{"if":`+at(has("partial"), "meta")+`,"then":`+at(`{"const":"error"}`, "status")+`}`),
		json.RawMessage(at(`{"enum":["wasi","exec","oci",null]}`, "meta", "runner")),
	}
	isRun := both(run, runMust)
	failed := both(isRun, is("status", "error"))
	return append(rules,
		when(isRun, both(at(typed[wireRun](), "data"), at(schemaStream, "data", "stdout"), at(schemaStream, "data", "stderr"))),
		when(failed, at(both(has("hint"), at(schemaText, "hint")), "data")),
		when(both(failed, at(has("details"), "error")), at(classified(), "error", "details")),
		when(both(failed, at(has("details"), "data")), at(classified(), "data", "details")))
}

// schemaStream is what the members of a stream object have to do with each
// other.
const schemaStream = `{"oneOf":[{"required":["text"]},{"required":["json"]},{"required":["base64"]},{"required":["artifact"]}],` +
	`"if":{"required":["artifact"]},"then":{"required":["excerpt","read"]}}`

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

func helperRules() []json.RawMessage {
	return []json.RawMessage{
		when(is("status", "ok"), at(schemaNull, "error")),
		when(`{"properties":{"status":{"enum":["partial","error","tool-missing"]}},"required":["status"]}`, at(`{"type":"object"}`, "error")),
		when(is("status", "partial"), has("skipped_sources")),
	}
}

func toolEnvelopeRules() []json.RawMessage {
	object := `{"type":"object","required":["category","code","message"]}`
	return []json.RawMessage{
		when(at(object, "payload"), at(typed[toolError](), "payload")),
		when(at(`{"type":"object","required":["instructionId"],"not":`+object+`}`, "payload"), at(typed[toolWorkflow](), "payload")),
	}
}

func agentRules() []json.RawMessage {
	failed := both(at(schemaNull, "response"), at(schemaText, "error_message"), at(schemaText, "error_type"))
	return []json.RawMessage{
		json.RawMessage(at(`{"minimum":0}`, "duration_seconds")),
		when(is("status", "success"), both(at(`{"type":"string"}`, "response"), at(schemaNull, "error_message"), at(schemaNull, "error_type"))),
		when(is("status", "error"), failed),
		when(is("status", "timeout"), failed),
	}
}
