package delegator

import (
	"slices"

	"github.com/envwrap/envwrap/envelope/internal/wire"
)

type categoryRow struct {
	name       Category
	tools      []string
	meta, data func() any
	rules      func() []string
}

// categories are the five kinds of answers: the tools of the document that give
// them ("Tool-to-Category Mapping"), meta and data, and what the schema says of
// data beyond its members. Other tools, such as the programs that envwrap runs,
// may be of any category.
var categories = [...]categoryRow{
	{
		ExecutionAck,
		[]string{"_codex_local_run", "_codex_local_exec", "_codex_local_resume", cloudTools + "submit"},
		fresh[AckMeta], fresh[Ack], func() []string { return []string{withoutOutput} },
	},
	{
		WaitResult,
		[]string{"_codex_local_wait", cloudTools + "wait"},
		fresh[Meta], fresh[Data], taskRules,
	},
	{
		StatusSnapshot,
		[]string{"_codex_local_status", cloudTools + "status"},
		fresh[SnapshotMeta], fresh[Snapshot], func() []string { return []string{withoutOutput, snapshotTasks()} },
	},
	{
		ResultSet,
		[]string{"_codex_local_results", cloudTools + "results"},
		fresh[ResultMeta], fresh[Result], func() []string { return append(taskRules(), resultRule()) },
	},
	{
		RegistryInfo,
		[]string{"_codex_local_cancel", cloudTools + "cancel", "_codex_cleanup_registry", cloudTools + "list_environments", cloudTools + "github_setup"},
		fresh[RegistryMeta], fresh[Registry], nil,
	},
}

// cloudTools begins the names of the tools whose tasks run in the cloud.
const cloudTools = "_codex_cloud_"

func fresh[T any]() any { return new(T) }

// CategoryOf returns the category of a tool of the document, "" for any other.
func CategoryOf(tool string) Category {
	for i := range categories {
		if slices.Contains(categories[i].tools, tool) {
			return categories[i].name
		}
	}
	return ""
}

func (c Category) known() bool { return slices.Contains(c.Limits().Enum, string(c)) }

// checkPayload checks meta and data by category.
func checkPayload(p *wire.Problems, w *Envelope) {
	for i := range categories {
		if c := &categories[i]; c.name == w.ToolCategory {
			if w.Meta != nil {
				p.Sub("/meta", wire.EncodeObject(w.Meta), c.meta())
			}
			data := c.data()
			p.Sub("/data", wire.RawIn(w.Data), data)
			if data, ok := data.(interface {
				check(*wire.Problems, *Envelope)
			}); ok {
				data.check(p, w)
			}
		}
	}
}

// Limits returns the names of the categories.
func (Category) Limits() wire.Limits {
	var names []string
	for i := range categories {
		names = append(names, string(categories[i].name))
	}
	return wire.OneOf(names...)
}
