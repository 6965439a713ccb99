package envelopecmd

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/envwrap/envwrap/detect"
	"github.com/envwrap/envwrap/internal/cli"
)

// DetectVerb returns the verb detect.
func DetectVerb(*cli.World) *cli.Verb {
	var explain, asJSON bool
	return &cli.Verb{
		Name:    "detect",
		Summary: "print which coding agent is calling",
		Text: "The answer is one word, unknown where no agent is seen. ENVWRAP_AGENT overrides.\n" +
			"It is a hint and no authorisation: anybody can set a variable.",
		Example: "envwrap detect\nenvwrap detect --explain",
		Options: []*cli.Option{
			{Name: "explain", NoEnv: true, Help: "print which variables decided; names, never values", Set: cli.Into(&explain, cli.Boolean)},
			{Name: "json", NoEnv: true, Help: "print one JSON object", Set: cli.Into(&asJSON, cli.Boolean)},
		},
		Run: func(_ context.Context, c *cli.Call) error {
			found := detect.Detect(c.Lookup, c.Ancestors)
			var err error
			switch {
			case asJSON:
				err = detectedJSON(c.Stdout, found)
			case explain:
				err = c.Print(detectedLines(found))
			default:
				err = c.Print(found.Agent + "\n")
			}
			if err != nil {
				return fmt.Errorf("print the agent: %w", err)
			}
			return nil
		},
	}
}

// detectedLines explains for people.
func detectedLines(r detect.Result) string {
	var b strings.Builder
	line := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&b, "%-11s %s\n", name+":", value)
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
	line("name", r.Raw)
	line("seen in", strings.Join(r.Signals, ", "))
	line("candidates", strings.Join(r.Candidates, ", "))
	line("host", r.Host)
	return b.String()
}

// detectedJSON explains for programs.
func detectedJSON(w io.Writer, r detect.Result) error {
	return json.NewEncoder(w).Encode(struct {
		Agent      string   `json:"agent"`
		Found      bool     `json:"found"`
		Name       string   `json:"name,omitempty"`
		Signals    []string `json:"signals"`
		Candidates []string `json:"candidates,omitempty"`
		Ambiguous  bool     `json:"ambiguous"`
		Host       string   `json:"host,omitempty"`
	}{r.Agent, r.Found, r.Raw, append([]string{}, r.Signals...), r.Candidates, r.Ambiguous, r.Host})
}
