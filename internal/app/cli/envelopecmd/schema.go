package envelopecmd

import (
	"context"
	"fmt"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli"
)

// SchemaVerb returns the verb schema.
func SchemaVerb(*cli.Env) *cli.Verb {
	return &cli.Verb{
		Name:    "schema",
		Args:    "[DIALECT]",
		Choices: cli.DialectNames,
		Summary: "print the JSON Schema of a format",
		Text: `It is JSON Schema 2020-12, with an $id that never changes; of protocol/v1 unless
DIALECT names another. A schema cannot say everything: envwrap validate also finds
repeated names, broken encodings, and faults of a stream as a whole.`,
		Example: "envwrap schema helper > helper-v1.json",
		Run: func(_ context.Context, c *cli.Call) error {
			d, err := cli.Dialect(append(c.Operands(), "protocol/v1")[0])
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
