package delegator

import "github.com/envwrap/envwrap/envelope/internal/wire"

// taskRules returns the rules for a task that is over.
func taskRules() []string {
	return []string{wire.At(wire.SchemaOf[Metadata](), "metadata"), contextRule()}
}

// contextRule says when there is an error_context, and what it has to have.
func contextRule() string {
	context := `{"required":["error_context"],"properties":{"error_context":{"not":{"type":"null"}}}}`
	wrong := `{"properties":{"state":{"enum":["failed","timeout"]}},"required":["state"]}`
	fine := `{"properties":{"state":{"enum":["completed","cancelled"]}},"required":["state"]}`
	return exceptServers(wire.Both(
		string(wire.When(wrong, wire.At(context, "metadata"))),
		string(wire.When(fine, wire.At(wire.SchemaNull, "metadata", "error_context"))),
		string(wire.When(wire.Is("state", "timeout"), wire.At(wire.Has("partial_results"), "metadata", "error_context"))),
	))
}

// exceptServers returns a schema for data that does not hold for what real servers write; see
// [isServers].
func exceptServers(schema string) string {
	servers := `{"required":["metadata"],"properties":{"metadata":{"type":"object","required":["task_status"],"properties":{"task_status":{"type":"object"}}}}}`
	return string(wire.When(`{"not":`+servers+`}`, schema))
}

// resultRule returns the rules on the members of a result that depend on its state.
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

// withoutOutput is a schema for what has none.
const withoutOutput = `{"properties":{"stdout":false,"stderr":false,"output":false}}`
