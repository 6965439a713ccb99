package cli

import (
	"context"
	"fmt"

	"github.com/envwrap/envwrap/envelope"
)

func schemaVerb(*World) *verb {
	return &verb{
		name:    "schema",
		args:    "[DIALECT]",
		choices: dialectNames,
		summary: "print the JSON Schema of a format",
		text: `JSON Schema 2020-12, with an $id that stays. Without a DIALECT it is that of
protocol/v1. A schema cannot say all: envwrap validate also finds repeated names,
broken encodings, and what is wrong with a stream as a whole.`,
		example: "envwrap schema helper > helper-v1.json",
		run: func(_ context.Context, c *call) error {
			name := "protocol/v1"
			if len(c.args()) > 0 {
				var err error
				if name, err = c.oneWord("DIALECT"); err != nil {
					return err
				}
			}
			d, err := dialect(name)
			if err != nil {
				return err
			}
			if _, err := c.Stdout.Write(envelope.Schema(d)); err != nil {
				return fmt.Errorf("print the schema: %w", err)
			}
			return nil
		},
	}
}
