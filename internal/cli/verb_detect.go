package cli

import "context"

func detectVerb(*World) *verb {
	return &verb{
		name:    "detect",
		summary: "say which coding agent is calling",
		example: "envwrap detect\nenvwrap detect --explain",
		run:     func(_ context.Context, c *call) error { return usagef("not there yet") },
	}
}
