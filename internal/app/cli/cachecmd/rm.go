package cachecmd

import (
	"context"
	"strings"

	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/shared/term"
)

func cacheRmVerb(*cli.Env) *cli.Verb {
	return &cli.Verb{
		Name:    "rm",
		Args:    "KEY...",
		Takes:   cli.ARun,
		Summary: "forget remembered runs",
		Text:    "Their artifacts stay until the collector takes them.",
		Has:     cli.HasStore,
		Example: "envwrap cache rm sha256:2cf24dba5fb0\nenvwrap cache rm 2cf24dba",
		Run: func(_ context.Context, c *cli.Call) error {
			all, done, err := openMemories(c)
			if err != nil {
				return err
			}
			defer done()
			return c.Each(func(key string) error { return forgetKey(c, all, key) })
		},
	}
}

// forgetKey removes the run of a key, from every place that has it.
func forgetKey(c *cli.Call, all []*memory, id string) error {
	_, e, err := match(all, id)
	if err != nil {
		return err
	}
	for _, m := range all {
		for _, other := range m.entries {
			if other.Key != e.Key {
				continue
			}
			if err := m.forget(other); err != nil {
				return err
			}
		}
	}
	return c.Show(func(b *strings.Builder) { b.WriteString(string(e.Key) + "\n") })
}

func cacheClearVerb(*cli.Env) *cli.Verb {
	var expired bool
	return &cli.Verb{
		Name:    "clear",
		Summary: "forget all remembered runs",
		Text:    "Their artifacts stay until the collector takes them.",
		Has:     cli.HasStore,
		Example: "envwrap cache clear\nenvwrap cache clear --expired",
		Options: []*cli.Option{
			{Name: "expired", NoEnv: true, Help: "forget only runs that are too old to be used", Set: cli.Into(&expired, cli.Boolean)},
		},
		Run: func(_ context.Context, c *cli.Call) error {
			all, done, err := openMemories(c)
			if err != nil {
				return err
			}
			defer done()
			n := 0
			for _, m := range all {
				for _, e := range m.entries {
					if expired && e.Parts != nil && stateOf(e, c.Now()) != "expired" {
						continue
					}
					if err := m.forget(e); err != nil {
						return err
					}
					n++
				}
			}
			return c.Show(func(b *strings.Builder) { b.WriteString("forgot " + term.Plural(n, "run") + "\n") })
		},
	}
}
