package delegator

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/envwrap/envwrap/envelope/internal/wire"
)

// Rules returns the rules of the schema beside its members.
func Rules() []json.RawMessage {
	rules := []json.RawMessage{
		wire.When(wire.Is("status", "ok"), wire.Both(wire.Has("data"), wire.At(wire.SchemaNone, "error"))),
		wire.When(wire.Is("status", "error"), wire.Both(wire.Has("error"), wire.At(wire.SchemaNone, "data"))),
		wire.When(wire.Both(wire.Has("error"), wire.At(wire.Is("code", "TIMEOUT"), "error")), wire.At(wire.Both(wire.Has("details"), wire.At(wire.SchemaOf[Timeout](), "details")), "error")),
		wire.When(wire.Both(wire.Is("tool_category", string(WaitResult)), wire.Is("status", "error")), wire.At(wire.SchemaOf[ErrorMeta](), "meta")),
		json.RawMessage(wire.At(string(wire.When(wire.Both(`{"anyOf":[`+wire.Has("hint")+`,`+wire.Both(wire.Has("stdout_tail"), wire.Has("stderr_tail"))+`]}`, `{"anyOf":[`+wire.Has("exit_code")+`,`+wire.Has("timeout_type")+`]}`), wire.SchemaOf[RunDetails]())), "error", "details")),
		json.RawMessage(wire.At(wire.Both(wire.SchemaOf[Details](), wire.At(`{"maxLength":1024}`, "stderr_tail"), wire.At(`{"maxLength":1024}`, "stdout_tail")), "error", "details")),
		wire.When(wire.At(`{"properties":{"code":{"enum":["VALIDATION","NOT_FOUND","UNSUPPORTED"]}},"required":["code"]}`, "error"), wire.At(`{"const":false}`, "error", "retryable")),
	}
	for i := range categories {
		c := &categories[i]
		data := wire.Describe(c.data())
		if c.rules != nil {
			data = wire.Both(append([]string{data}, c.rules()...)...)
		}
		category := wire.Is("tool_category", string(c.name))
		rules = append(rules,
			wire.When(wire.Both(category, wire.Is("status", "ok")), wire.Both(wire.At(wire.Describe(c.meta()), "meta"), wire.At(data, "data"))),
			wire.When(category, wire.At(`{"const":"`+c.name.SchemaID()+`"}`, "schema_id")))
	}
	excluded := `{"if":{"properties":{"included":{"const":false}},"required":["included"]},"then":{"properties":{"stdout":false,"stderr":false}}}`
	shown := `{"if":{"properties":{"state":{"enum":["failed","timeout"]}},"required":["state","output"]},"then":` + wire.At(`{"const":true}`, "output", "included") + `}`
	rules = append(rules, json.RawMessage(wire.At(excluded, "data", "output")), wire.When(wire.Both(wire.Has("data"), wire.At(`{"type":"object"}`, "data")), wire.At(exceptServers(shown), "data")))
	rules = append(rules, wire.When(wire.Is("tool_category", "status_snapshot"), wire.At(snapshotLists(), "data")))
	output := `{"if":{"properties":{"truncated":{"const":true}},"required":["truncated"]},"then":` + wire.Has("original_size") + `,"else":` + wire.At(wire.SchemaNone, "original_size") + `}`
	rules = append(rules, json.RawMessage(wire.At(`{"if":{"type":"object"},"then":`+output+`}`, "data", "output")))
	return append(rules, toolRules()...)
}

// toolRules give each tool of the document its category.
func toolRules() []json.RawMessage {
	sorted := slices.Clone(categories[:])
	slices.SortFunc(sorted, func(a, b categoryRow) int { return strings.Compare(string(a.name), string(b.name)) })
	var rules []json.RawMessage
	for _, c := range sorted {
		named := `{"properties":{"tool":{"enum":` + string(wire.MustEncode(c.tools)) + `}},"required":["tool"]}`
		rules = append(rules, wire.When(named, wire.At(`{"const":"`+string(c.name)+`"}`, "tool_category")))
	}
	cloud := wire.Both(`{"properties":{"tool":{"pattern":"^`+cloudTools+`"}},"required":["tool"]}`, wire.Is("tool_category", string(ExecutionAck)))
	return append(rules, wire.When(cloud, wire.At(`{"not":{"const":"foreground"}}`, "data", "capability")))
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
