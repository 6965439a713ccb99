package cli

import (
	"context"
	"strings"

	"github.com/envwrap/envwrap/internal/cache"
	"github.com/envwrap/envwrap/internal/term"
)

func cacheRmVerb(*World) *verb {
	var store string
	return &verb{
		name:    "rm",
		args:    "KEY...",
		takes:   aRun,
		summary: "forget remembered runs",
		text:    "Their artifacts stay until the collector takes them.",
		example: "envwrap cache rm sha256:2cf24dba5fb0\nenvwrap cache rm 2cf24dba",
		options: []*option{archiveOption(&store)},
		run: func(_ context.Context, c *call) error {
			keys := c.args()
			if len(keys) == 0 {
				return usagef("a KEY is missing")
			}
			all, done, err := c.openMemories(store)
			if err != nil {
				return err
			}
			defer done()
			var first error
			for _, key := range keys {
				err := c.forget(all, key)
				if err != nil && first != nil {
					c.complain(err)
				} else if err != nil {
					first = err
				}
			}
			return first
		},
	}
}

// forget removes the run of a key, from every place that has it.
func (c *call) forget(all []*memory, id string) error {
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
	return c.answer(false, nil, func(b *strings.Builder) { b.WriteString(string(e.Key) + "\n") })
}

func cacheClearVerb(*World) *verb {
	var store string
	var expired bool
	return &verb{
		name:    "clear",
		summary: "forget all remembered runs",
		text:    "Their artifacts stay until the collector takes them.",
		example: "envwrap cache clear\nenvwrap cache clear --expired",
		options: []*option{
			archiveOption(&store),
			{name: "expired", noEnv: true, help: "only those that answer nobody any more", set: into(&expired, boolean)},
		},
		run: func(_ context.Context, c *call) error {
			if err := c.noWords(); err != nil {
				return err
			}
			all, done, err := c.openMemories(store)
			if err != nil {
				return err
			}
			defer done()
			n := 0
			for _, m := range all {
				for _, e := range m.entries {
					if expired && !c.useless(e) {
						continue
					}
					if err := m.forget(e); err != nil {
						return err
					}
					n++
				}
			}
			return c.answer(false, nil, func(b *strings.Builder) { b.WriteString("forgot " + term.Plural(n, "run") + "\n") })
		},
	}
}

// useless reports whether an entry answers nobody any more.
func (c *call) useless(e *cache.Entry) bool {
	return e.Parts == nil || stateOf(e, c.Now()) == "expired"
}
