// Package cachecmd has the verbs that list, explain and remove remembered runs.
package cachecmd

import (
	"github.com/envwrap/envwrap/internal/app/cli"
)

// Verb returns the group of verbs about remembered runs.
func Verb(*cli.Env) *cli.Verb {
	return &cli.Verb{
		Name:    "cache",
		Args:    "VERB",
		Summary: "list, explain and forget remembered runs",
		Text: `A run with --cache TTL is remembered, and answers the same run until TTL has
passed. A KEY is what meta.cache_key says, or the first 8 or more of its digits.`,
		Example: "envwrap --cache 10m --cache-input go.mod -- go list -m all\nenvwrap cache ls",
		Verbs: []cli.Row{
			{Name: "ls", Make: cacheLsVerb},
			{Name: "explain", Make: cacheExplainVerb},
			{Name: "keygen", Make: cacheKeygenVerb},
			{Name: "rm", Make: cacheRmVerb},
			{Name: "clear", Make: cacheClearVerb},
		},
	}
}
