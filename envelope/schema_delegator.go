package envelope

import (
	"encoding/json"
	"maps"
	"slices"
)

func delegatorRules() []json.RawMessage {
	rules := []json.RawMessage{
		when(is("status", "ok"), both(has("data"), at(schemaNone, "error"))),
		when(is("status", "error"), both(has("error"), at(schemaNone, "data"))),
		when(both(has("error"), at(is("code", "TIMEOUT"), "error")), at(both(has("details"), at(typed[delegatorTimeout](), "details")), "error")),
		when(both(is("tool_category", string(waitResult)), is("status", "error")), at(typed[delegatorErrorMeta](), "meta")),
		json.RawMessage(at(string(when(both(`{"anyOf":[`+has("hint")+`,`+both(has("stdout_tail"), has("stderr_tail"))+`]}`, `{"anyOf":[`+has("exit_code")+`,`+has("timeout_type")+`]}`), typed[delegatorRunDetails]())), "error", "details")),
		json.RawMessage(at(both(typed[delegatorDetails](), at(`{"maxLength":1024}`, "stderr_tail"), at(`{"maxLength":1024}`, "stdout_tail")), "error", "details")),
		when(at(`{"properties":{"code":{"enum":["VALIDATION","NOT_FOUND","UNSUPPORTED"]}},"required":["code"]}`, "error"), at(`{"const":false}`, "error", "retryable")),
	}
	for _, c := range []struct {
		category   delegatorCategory
		meta, data string
	}{
		{executionAck, typed[delegatorAckMeta](), both(typed[delegatorAck](), withoutOutput)},
		{waitResult, typed[delegatorMeta](), both(typed[delegatorData](), at(typed[delegatorMetadata](), "metadata"), contextRule())},
		{statusSnapshot, typed[delegatorSnapshotMeta](), both(typed[delegatorSnapshot](), withoutOutput, snapshotTasks())},
		{resultSet, typed[delegatorResultMeta](), both(typed[delegatorResult](), at(typed[delegatorMetadata](), "metadata"), contextRule(), resultRule())},
		{registryInfo, typed[delegatorRegistryMeta](), typed[delegatorRegistry]()},
	} {
		category := is("tool_category", string(c.category))
		rules = append(rules,
			when(both(category, is("status", "ok")), both(at(c.meta, "meta"), at(c.data, "data"))),
			when(category, at(`{"const":"`+c.category.schemaID()+`"}`, "schema_id")))
	}
	excluded := `{"if":{"properties":{"included":{"const":false}},"required":["included"]},"then":{"properties":{"stdout":false,"stderr":false}}}`
	shown := `{"if":{"properties":{"state":{"enum":["failed","timeout"]}},"required":["state","output"]},"then":` + at(`{"const":true}`, "output", "included") + `}`
	rules = append(rules, json.RawMessage(at(excluded, "data", "output")), when(both(has("data"), at(`{"type":"object"}`, "data")), at(shown, "data")))
	rules = append(rules, when(is("tool_category", "status_snapshot"), at(snapshotLists(), "data")))
	output := `{"if":{"properties":{"truncated":{"const":true}},"required":["truncated"]},"then":` + has("original_size") + `,"else":` + at(schemaNone, "original_size") + `}`
	rules = append(rules, json.RawMessage(at(`{"if":{"type":"object"},"then":`+output+`}`, "data", "output")))
	return append(rules, toolRules()...)
}

// toolRules give each tool of the document its category.
func toolRules() []json.RawMessage {
	tools := map[delegatorCategory][]string{}
	for _, t := range delegatorTools {
		tools[t.category] = append(tools[t.category], t.name)
	}
	var rules []json.RawMessage
	for _, c := range slices.Sorted(maps.Keys(tools)) {
		named := `{"properties":{"tool":{"enum":` + string(mustEncode(tools[c])) + `}},"required":["tool"]}`
		rules = append(rules, when(named, at(`{"const":"`+string(c)+`"}`, "tool_category")))
	}
	cloud := both(`{"properties":{"tool":{"pattern":"^_codex_cloud_"}},"required":["tool"]}`, is("tool_category", string(executionAck)))
	return append(rules, when(cloud, at(`{"not":{"const":"foreground"}}`, "data", "capability")))
}

// withoutOutput is a schema for what has none.
const withoutOutput = `{"properties":{"stdout":false,"stderr":false,"output":false}}`

// contextRule says when there is an error_context, and what it has to have.
func contextRule() string {
	context := `{"required":["error_context"],"properties":{"error_context":{"not":{"type":"null"}}}}`
	wrong := `{"properties":{"state":{"enum":["failed","timeout"]}},"required":["state"]}`
	fine := `{"properties":{"state":{"enum":["completed","cancelled"]}},"required":["state"]}`
	return both(
		string(when(wrong, at(context, "metadata"))),
		string(when(fine, at(schemaNull, "metadata", "error_context"))),
		string(when(is("state", "timeout"), at(has("partial_results"), "metadata", "error_context"))),
	)
}

// resultRule says what stands in results only.
func resultRule() string {
	wrong := `{"properties":{"state":{"enum":["failed","timeout"]}},"required":["state"]}`
	over := `{"properties":{"state":{"enum":["completed","failed","cancelled","timeout"]}},"required":["state"]}`
	begun := `{"properties":{"state":{"enum":["working","queued"]}},"required":["state"]}`
	return both(
		string(when(wrong, has("output"))),
		string(when(over, has("completed_ts"))),
		string(when(begun, at(schemaNone, "completed_ts"))),
		at(`{"maxItems":50}`, "events", "events"),
	)
}

// snapshotTasks says what the tasks of a snapshot do not have.
func snapshotTasks() string {
	task := both(withoutOutput, at(`{"maxItems":5}`, "last_lines"))
	return both(at(`{"items":`+task+`}`, "tasks"), at(`{"items":`+at(`{"maxItems":5}`, "last_lines")+`}`, "recently_completed"))
}

// snapshotLists says that a list is there exactly when it is counted.
func snapshotLists() string {
	var rules []string
	for list, counted := range map[string]string{"tasks": "running", "queue": "queued", "recently_completed": "recently_completed"} {
		some := `{"properties":{"summary":{"properties":{"` + counted + `":{"minimum":1}},"required":["` + counted + `"]}},"required":["summary"]}`
		rules = append(rules, `{"if":`+some+`,"then":`+has(list)+`,"else":{"properties":{"`+list+`":false}}}`)
	}
	slices.Sort(rules)
	return both(rules...)
}
