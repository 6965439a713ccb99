package envelopecmd

import (
	"context"
	"fmt"
	"strings"

	"github.com/envwrap/envwrap/detect"
	"github.com/envwrap/envwrap/internal/app/cli"
)

// DetectVerb returns the verb detect.
func DetectVerb(*cli.Env) *cli.Verb {
	var explain bool
	return &cli.Verb{
		Name:    "detect",
		Summary: "print which coding agent is calling",
		Text: "The answer is one word, unknown where no agent is seen. ENVWRAP_AGENT overrides.\n" +
			"It is a hint and no authorisation: anybody can set a variable.",
		Example: "envwrap detect\nenvwrap detect --explain",
		Has:     cli.HasJSON,
		Options: []*cli.Option{
			{Name: "explain", NoEnv: true, Help: "print which variables decided; names, never values", Set: cli.Into(&explain, cli.Boolean)},
		},
		Run: func(_ context.Context, c *cli.Call) error {
			found := detect.Detect(c.Lookup, c.Ancestors)
			return c.Answer(viewDetected(found), func(b *strings.Builder) {
				if explain {
					writeDetected(b, found)
				} else {
					b.WriteString(found.Agent + "\n")
				}
			})
		},
	}
}

// writeDetected writes the explanation that people read.
func writeDetected(b *strings.Builder, r detect.Result) {
	line := func(name, value string) {
		if value != "" {
			fmt.Fprintf(b, "%-11s %s\n", name+":", value)
		}
	}
	line("agent", r.Agent)
	switch {
	case !r.Found && len(r.Signals) > 0:
		line("found", "no agent, as "+r.Signals[0]+" says")
	case !r.Found:
		line("found", "no agent")
	case r.Ambiguous:
		line("found", "several agents; which one is calling is not known")
	default:
		line("found", "an agent")
	}
	line("seen in", strings.Join(r.Signals, ", "))
	line("candidates", strings.Join(r.Candidates, ", "))
	line("host", r.Host)
}

// viewDetected returns the explanation that programs read, as JSON.
func viewDetected(r detect.Result) any {
	return struct {
		Agent      string   `json:"agent"`
		Found      bool     `json:"found"`
		Signals    []string `json:"signals"`
		Candidates []string `json:"candidates,omitempty"`
		Ambiguous  bool     `json:"ambiguous"`
		Host       string   `json:"host,omitempty"`
	}{r.Agent, r.Found, append([]string{}, r.Signals...), r.Candidates, r.Ambiguous, r.Host}
}
