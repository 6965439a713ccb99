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
		when(both(has("meta"), at(has("cas_digest"), "meta")), artifact),
		when(artifact, both(at(has("cas_digest"), "meta"), at(has("summary"), "data"),
			at(typed[wireSummary](), "data", "summary"), at(string(mustEncode(schemaOf(digestType))), "data", "artifact"))),
		when(at(`{"const":true}`, "meta", "partial"), `{"if":`+at(has("partial"), "meta")+`,"then":`+at(`{"const":"error"}`, "status")+`}`),
		json.RawMessage(at(`{"enum":["wasi","exec","oci",null]}`, "meta", "runner")),
		json.RawMessage(at(`{"pattern":"^(/|[A-Za-z]:[\\\\/]|\\\\\\\\|$)"}`, "meta", "workspace")),
	}
	return append(rules, when(both(run, runMust), at(typed[wireRun](), "data")))
}

func helperRules() []json.RawMessage {
	return []json.RawMessage{
		when(is("status", "ok"), at(schemaNull, "error")),
		when(`{"properties":{"status":{"enum":["partial","error","tool-missing"]}},"required":["status"]}`, at(`{"type":"object"}`, "error")),
		when(is("status", "partial"), has("skipped_sources")),
	}
}

func delegatorRules() []json.RawMessage {
	rules := []json.RawMessage{
		when(is("status", "ok"), both(has("data"), at(schemaNone, "error"))),
		when(is("status", "error"), both(has("error"), at(schemaNone, "data"))),
		when(at(is("code", "TIMEOUT"), "error"), at(typed[delegatorTimeout](), "error", "details")),
		when(at(`{"properties":{"code":{"enum":["VALIDATION","NOT_FOUND","UNSUPPORTED"]}},"required":["code"]}`, "error"), at(`{"const":false}`, "error", "retryable")),
	}
	for _, c := range []struct{ category, meta, data string }{
		{"execution_ack", typed[delegatorAckMeta](), typed[delegatorAck]()},
		{"wait_result", typed[delegatorMeta](), typed[delegatorData]()},
		{"status_snapshot", typed[delegatorSnapshotMeta](), typed[delegatorSnapshot]()},
		{"result_set", typed[delegatorResultMeta](), typed[delegatorResult]()},
	} {
		rules = append(rules,
			when(both(is("tool_category", c.category), is("status", "ok")), both(at(c.meta, "meta"), at(c.data, "data"))),
			when(is("tool_category", c.category), at(`{"const":"codex/v3.6/`+c.category+`/v1"}`, "schema_id")))
	}
	rules = append(rules, when(is("tool_category", "registry_info"), at(`{"const":"codex/v3.6/registry_info/v1"}`, "schema_id")))
	output := `{"if":{"properties":{"truncated":{"const":true}},"required":["truncated"]},"then":` + has("original_size") + `,"else":` + at(schemaNone, "original_size") + `}`
	return append(rules, json.RawMessage(at(`{"if":{"type":"object"},"then":`+output+`}`, "data", "output")))
}

func toolEnvelopeRules() []json.RawMessage {
	object := `{"type":"object","required":["category","code","message"]}`
	return []json.RawMessage{
		when(at(object, "payload"), at(typed[toolError](), "payload")),
		when(at(`{"type":"object","required":["instructionId"],"not":`+object+`}`, "payload"), at(typed[toolWorkflow](), "payload")),
	}
}

func agentRules() []json.RawMessage {
	failed := both(at(schemaNull, "response"), at(`{"type":"string"}`, "error_message"), at(`{"type":"string"}`, "error_type"))
	return []json.RawMessage{
		json.RawMessage(at(`{"minimum":0}`, "duration_seconds")),
		when(is("status", "success"), both(at(`{"type":"string"}`, "response"), at(schemaNull, "error_message"), at(schemaNull, "error_type"))),
		when(is("status", "error"), failed),
		when(is("status", "timeout"), failed),
	}
}
