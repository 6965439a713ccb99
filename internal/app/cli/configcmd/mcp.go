package configcmd

import (
	"context"

	"github.com/envwrap/envwrap/internal/app/cli"
)

// MCPVerb returns the verb mcp.
func MCPVerb(*cli.Env) *cli.Verb {
	args := []string{"mcp"}
	pass := func(name string) func([]string) error {
		return cli.Each(func(value string) error {
			args = append(args, "--"+name+"="+value)
			return nil
		})
	}
	options := []*cli.Option{
		{Name: "shell", Help: "add the tool shell, which takes a text for bash"},
		{Name: "structured", Help: "answer with structured content, too, for programs; several clients show a model that, and not the text"},
		{Name: "wait", Value: "DURATION", Def: "45s", Help: "how long a call waits before its command goes on as a job"},
		{Name: "format", Short: "f", Value: "FORMAT", Def: "brief/v1", Help: "format of the text in answers", Choices: cli.OutputNames},
		{Name: "listen", Value: "HOST:PORT", Help: "serve over HTTP on a loopback address"},
		{Name: "token-file", Value: "FILE", Def: "the variable ENVWRAP_MCP_TOKEN", Help: "file with the bearer token for --listen", Takes: cli.AFile},
		{Name: "origin", Value: "URL", Many: true, Help: "with --listen, accept requests of web pages from this origin"},
	}
	for _, o := range options {
		o.NoEnv, o.Set = true, pass(o.Name)
	}
	return &cli.Verb{
		Name:    "mcp",
		Summary: "serve the Model Context Protocol to an agent",
		Text: `An agent starts it and talks to it on standard input and output. Tools: run, job,
read, explain, and shell with --shell. Answers have the text of brief/v1 and, with
--structured, the envelope of protocol/v1. Any command can be run: the agent
decides which ones are allowed. The program envwrap-net, beside envwrap, is needed.`,
		Example: "claude mcp add envwrap -- envwrap mcp\nenvwrap mcp --shell --wait 20s\nenvwrap mcp --listen 127.0.0.1:7331 --token-file ~/.envwrap-token",
		Options: options,
		Run:     func(_ context.Context, c *cli.Call) error { return c.BecomeCompanion(args) },
	}
}
