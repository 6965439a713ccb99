package cli

import "context"

func runVerb(*World) *verb {
	return &verb{
		name:    "run",
		args:    "-- COMMAND [ARG...]",
		summary: "run a command and print one envelope (the default verb)",
		example: "envwrap -- git status\nenvwrap --timeout 5m -f helper/v1 -- npm test",
		run: func(_ context.Context, c *call) error {
			if c.fault != nil {
				return c.fault
			}
			return usagef("not there yet")
		},
	}
}
