package envelope

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/envwrap/envwrap/envelope/internal/wire"
)

func delegatorRules() []json.RawMessage {
	rules := []json.RawMessage{
		wire.When(wire.Is("status", "ok"), wire.Both(wire.Has("data"), wire.At(wire.SchemaNone, "error"))),
		wire.When(wire.Is("status", "error"), wire.Both(wire.Has("error"), wire.At(wire.SchemaNone, "data"))),
		wire.When(wire.Both(wire.Has("error"), wire.At(wire.Is("code", "TIMEOUT"), "error")), wire.At(wire.Both(wire.Has("details"), wire.At(wire.SchemaOf[delegatorTimeout](), "details")), "error")),
		wire.When(wire.Both(wire.Is("tool_category", string(waitResult)), wire.Is("status", "error")), wire.At(wire.SchemaOf[delegatorErrorMeta](), "meta")),
		json.RawMessage(wire.At(string(wire.When(wire.Both(`{"anyOf":[`+wire.Has("hint")+`,`+wire.Both(wire.Has("stdout_tail"), wire.Has("stderr_tail"))+`]}`, `{"anyOf":[`+wire.Has("exit_code")+`,`+wire.Has("timeout_type")+`]}`), wire.SchemaOf[delegatorRunDetails]())), "error", "details")),
		json.RawMessage(wire.At(wire.Both(wire.SchemaOf[delegatorDetails](), wire.At(`{"maxLength":1024}`, "stderr_tail"), wire.At(`{"maxLength":1024}`, "stdout_tail")), "error", "details")),
		wire.When(wire.At(`{"properties":{"code":{"enum":["VALIDATION","NOT_FOUND","UNSUPPORTED"]}},"required":["code"]}`, "error"), wire.At(`{"const":false}`, "error", "retryable")),
	}
	for _, c := range []struct {
		category   delegatorCategory
		meta, data string
	}{
		{executionAck, wire.SchemaOf[delegatorAckMeta](), wire.Both(wire.SchemaOf[delegatorAck](), withoutOutput)},
		{waitResult, wire.SchemaOf[delegatorMeta](), wire.Both(wire.SchemaOf[delegatorData](), wire.At(wire.SchemaOf[delegatorMetadata](), "metadata"), contextRule())},
		{statusSnapshot, wire.SchemaOf[delegatorSnapshotMeta](), wire.Both(wire.SchemaOf[delegatorSnapshot](), withoutOutput, snapshotTasks())},
		{resultSet, wire.SchemaOf[delegatorResultMeta](), wire.Both(wire.SchemaOf[delegatorResult](), wire.At(wire.SchemaOf[delegatorMetadata](), "metadata"), contextRule(), resultRule())},
		{registryInfo, wire.SchemaOf[delegatorRegistryMeta](), wire.SchemaOf[delegatorRegistry]()},
	} {
		category := wire.Is("tool_category", string(c.category))
		rules = append(rules,
			wire.When(wire.Both(category, wire.Is("status", "ok")), wire.Both(wire.At(c.meta, "meta"), wire.At(c.data, "data"))),
			wire.When(category, wire.At(`{"const":"`+c.category.schemaID()+`"}`, "schema_id")))
	}
	excluded := `{"if":{"properties":{"included":{"const":false}},"required":["included"]},"then":{"properties":{"stdout":false,"stderr":false}}}`
	shown := `{"if":{"properties":{"state":{"enum":["failed","timeout"]}},"required":["state","output"]},"then":` + wire.At(`{"const":true}`, "output", "included") + `}`
	rules = append(rules, json.RawMessage(wire.At(excluded, "data", "output")), wire.When(wire.Both(wire.Has("data"), wire.At(`{"type":"object"}`, "data")), wire.At(shown, "data")))
	rules = append(rules, wire.When(wire.Is("tool_category", "status_snapshot"), wire.At(snapshotLists(), "data")))
	output := `{"if":{"properties":{"truncated":{"const":true}},"required":["truncated"]},"then":` + wire.Has("original_size") + `,"else":` + wire.At(wire.SchemaNone, "original_size") + `}`
	rules = append(rules, json.RawMessage(wire.At(`{"if":{"type":"object"},"then":`+output+`}`, "data", "output")))
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
		named := `{"properties":{"tool":{"enum":` + string(wire.MustEncode(tools[c])) + `}},"required":["tool"]}`
		rules = append(rules, wire.When(named, wire.At(`{"const":"`+string(c)+`"}`, "tool_category")))
	}
	cloud := wire.Both(`{"properties":{"tool":{"pattern":"^_codex_cloud_"}},"required":["tool"]}`, wire.Is("tool_category", string(executionAck)))
	return append(rules, wire.When(cloud, wire.At(`{"not":{"const":"foreground"}}`, "data", "capability")))
}

// withoutOutput is a schema for what has none.
const withoutOutput = `{"properties":{"stdout":false,"stderr":false,"output":false}}`

// contextRule says when there is an error_context, and what it has to have.
func contextRule() string {
	context := `{"required":["error_context"],"properties":{"error_context":{"not":{"type":"null"}}}}`
	wrong := `{"properties":{"state":{"enum":["failed","timeout"]}},"required":["state"]}`
	fine := `{"properties":{"state":{"enum":["completed","cancelled"]}},"required":["state"]}`
	return wire.Both(
		string(wire.When(wrong, wire.At(context, "metadata"))),
		string(wire.When(fine, wire.At(wire.SchemaNull, "metadata", "error_context"))),
		string(wire.When(wire.Is("state", "timeout"), wire.At(wire.Has("partial_results"), "metadata", "error_context"))),
	)
}

// resultRule says what stands in results only.
func resultRule() string {
	wrong := `{"properties":{"state":{"enum":["failed","timeout"]}},"required":["state"]}`
	over := `{"properties":{"state":{"enum":["completed","failed","cancelled","timeout"]}},"required":["state"]}`
	begun := `{"properties":{"state":{"enum":["working","queued"]}},"required":["state"]}`
	return wire.Both(
		string(wire.When(wrong, wire.Has("output"))),
		string(wire.When(over, wire.Has("completed_ts"))),
		string(wire.When(begun, wire.At(wire.SchemaNone, "completed_ts"))),
		wire.At(`{"maxItems":50}`, "events", "events"),
	)
}

// snapshotTasks says what the tasks of a snapshot do not have.
func snapshotTasks() string {
	task := wire.Both(withoutOutput, wire.At(`{"maxItems":5}`, "last_lines"))
	return wire.Both(wire.At(`{"items":`+task+`}`, "tasks"), wire.At(`{"items":`+wire.At(`{"maxItems":5}`, "last_lines")+`}`, "recently_completed"))
}

// snapshotLists says that a list is there exactly when it is counted.
func snapshotLists() string {
	var rules []string
	for list, counted := range map[string]string{"tasks": "running", "queue": "queued", "recently_completed": "recently_completed"} {
		some := `{"properties":{"summary":{"properties":{"` + counted + `":{"minimum":1}},"required":["` + counted + `"]}},"required":["summary"]}`
		rules = append(rules, `{"if":`+some+`,"then":`+wire.Has(list)+`,"else":{"properties":{"`+list+`":false}}}`)
	}
	slices.Sort(rules)
	return wire.Both(rules...)
}
