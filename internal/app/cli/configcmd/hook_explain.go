package configcmd

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/envwrap/envwrap/internal/app/below"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/shared/pipeline"
	"github.com/envwrap/envwrap/internal/shared/shell"
)

func explainVerb(*cli.Env) *cli.Verb {
	client := below.ClaudeCode
	return &cli.Verb{
		Name: "explain", Args: "'COMMAND'",
		Summary: "say what would be done with a command, and why",
		Text:    "It runs nothing.",
		Example: "envwrap hook explain 'make 2>&1 | tail -5'\nenvwrap hook explain --client codex 'npm test'",
		Options: []*cli.Option{{Name: "client", Value: "CLIENT", Def: client, NoEnv: true, Help: "the client that runs it", Choices: clientNames, Set: cli.Into(&client, cli.Text)}},
		Run: func(_ context.Context, c *cli.Call) error {
			known, ok := below.Lookup(client)
			words := c.Operands()
			switch {
			case !ok:
				return cli.Usagef("there is no client %q: give %s", client, clients())
			case len(words) != 1:
				return cli.Usagef("give one command, in quotes")
			}
			_, err := io.WriteString(c.Stdout, explanation(known, words[0]))
			return err
		},
	}
}

// explanation says what becomes of a command of a client's.
func explanation(client *below.Client, command string) string {
	var b strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	say("%s judges the command as it is. envwrap has no part in that.", client.Title)
	if client.Name == below.Cursor {
		say("Then Cursor's own shell runs it: only programs with a shim run under envwrap.")
		return b.String()
	}
	say("Then it runs under envwrap, in the shell and the text that %s starts.", client.Title)
	line, known := pipeline.Read([]string{"bash", "-c", command}, nil)
	text, err := shell.Parse(command, shell.Bash)
	switch {
	case known && line.LastPipeline != nil:
		names := make([]string, len(line.Stages))
		for i, s := range line.Stages {
			if names[i] = s.Name(); names[i] == "" {
				names[i] = "(...)"
			}
		}
		say("It ends with a pipeline: how each stage ends is known (%s).", strings.Join(names, " | "))
	case err != nil:
		say("It cannot be read for certain (%v): nothing is said of its stages.", err)
	case strings.Contains(command, "|"):
		_, fault := text.Last()
		if fault == nil {
			say("It does not end with a pipeline: it has the status of its last command.")
		} else {
			say("Of stages nothing is said: %v.", fault)
		}
	default:
		say("It has no pipeline: it has the status of its last command.")
	}
	if err == nil {
		if only, ok := text.Only(); ok && only.Name() != "" {
			say("The status is read as that of %s (envwrap explain %s N).", only.Name(), only.Name())
		}
	}
	say("Of a success that fits, the model reads the output and nothing else; above %d characters an excerpt, and the command that shows the rest.", client.Limit)
	return b.String()
}
