// Package verbs is the table of envwrap's verbs.
package verbs

import (
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/cli/artifactcmd"
	"github.com/envwrap/envwrap/internal/app/cli/cachecmd"
	"github.com/envwrap/envwrap/internal/app/cli/completion"
	"github.com/envwrap/envwrap/internal/app/cli/configcmd"
	"github.com/envwrap/envwrap/internal/app/cli/envelopecmd"
	"github.com/envwrap/envwrap/internal/app/cli/jobcmd"
	"github.com/envwrap/envwrap/internal/app/cli/redactcmd"
	"github.com/envwrap/envwrap/internal/app/cli/runcmd"
)

// All returns the verbs of envwrap.
func All() cli.Table {
	return cli.Table{Root: runcmd.RunVerb, Verbs: []cli.Row{
		{Name: "run", Make: runcmd.RunVerb},
		{Name: "validate", Make: envelopecmd.ValidateVerb},
		{Name: "convert", Make: envelopecmd.ConvertVerb},
		{Name: "schema", Make: envelopecmd.SchemaVerb},
		{Name: "explain", Make: envelopecmd.ExplainVerb},
		{Name: "redact", Make: redactcmd.Verb},
		{Name: "detect", Make: envelopecmd.DetectVerb},
		{Name: "artifact", Make: artifactcmd.Verb},
		{Name: "last", Make: envelopecmd.LastVerb},
		{Name: "history", Make: envelopecmd.HistoryVerb},
		{Name: "stats", Make: envelopecmd.StatsVerb},
		{Name: "report", Make: envelopecmd.ReportVerb},
		{Name: "job", Make: jobcmd.Verb},
		{Name: "cache", Make: cachecmd.Verb},
		{Name: "remote", Make: artifactcmd.RemoteVerb},
		{Name: "runner", Make: runcmd.RunnerVerb},
		{Name: "config", Make: configcmd.ConfigVerb},
		{Name: "shim", Make: configcmd.ShimVerb},
		{Name: "hook", Make: configcmd.HookVerb},
		{Name: "mcp", Make: configcmd.MCPVerb},
		{Name: "completion", Make: completion.Verb},
		{Name: "version", Make: cli.VersionVerb},
		{Name: "help", Make: completion.HelpVerb},
	}}
}
