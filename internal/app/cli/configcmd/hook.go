package configcmd

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/envwrap/envwrap/internal/app/below"
	"github.com/envwrap/envwrap/internal/app/cli"
)

// HookVerb returns the group of verbs that put envwrap below the clients of agents.
func HookVerb(*cli.Env) *cli.Verb {
	return &cli.Verb{
		Name:    "hook",
		Args:    "VERB",
		Summary: "run the commands of an agent's client under envwrap",
		Text: `A client starts envwrap instead of a shell. It judges each command before that, as
the model wrote it, so its rules, path checks and sandbox hold as without envwrap.
Clients: ` + clients() + `.`,
		Example: "envwrap hook install claude-code\nenvwrap hook check claude-code",
		Verbs: []cli.Row{
			{Name: "install", Make: installVerb},
			{Name: "remove", Make: removeVerb},
			{Name: "check", Make: checkVerb},
			{Name: "explain", Make: explainVerb},
		},
		Hidden: []cli.Row{
			{Name: below.ClaudeCode, Make: formerHook},
			{Name: below.Codex, Make: formerHook},
			{Name: below.Gemini, Make: formerHook},
			{Name: below.Cursor, Make: formerHook},
		},
	}
}

// formerHook returns the verb that settings call which an earlier version wrote. It leaves
// the command as it is: a client takes a status of 2 for a refusal.
func formerHook(*cli.Env) *cli.Verb {
	return &cli.Verb{
		Name: "former", Summary: "leave a command as it is",
		Options: []*cli.Option{{Name: "all", NoEnv: true, Help: "has no meaning any more", Set: cli.Into(new(bool), cli.Boolean)}},
		Run: func(_ context.Context, c *cli.Call) error {
			if c.Stdin != nil {
				_, _ = io.Copy(io.Discard, io.LimitReader(c.Stdin, 8<<20))
			}
			_, err := io.WriteString(c.Stdout, "{}\n")
			return err
		},
	}
}

func installVerb(*cli.Env) *cli.Verb {
	return changeVerb("install", "set envwrap below a client",
		"It shows the lines that it takes out (-) and adds (+); the rest of a file stays as it is, and\nhooks of earlier versions go. Links are followed to your own file.",
		installPlan, func(c *below.Client, p *below.Place) string {
			text := c.Shows + "\n"
			if c.After != nil {
				if steps := c.After(p); steps != "" {
					text = steps + "\n" + text
				}
			}
			if c.Name != below.Cursor {
				text += "To see it: envwrap hook check " + c.Name + "\n"
			}
			return text
		})
}

func removeVerb(*cli.Env) *cli.Verb {
	return changeVerb("remove", "take envwrap out of a client's settings again",
		"A file that nobody has changed since gets back what it had before, byte for byte.",
		(*below.Client).Remove, func(c *below.Client, _ *below.Place) string {
			return "From its next start on, " + c.Title + " runs its commands without envwrap.\n"
		})
}

// changeVerb returns a verb that changes a client's settings.
func changeVerb(name, summary, text string, plan func(*below.Client, *below.Place) (*below.Plan, error), closing func(*below.Client, *below.Place) string) *cli.Verb {
	var dry bool
	return &cli.Verb{
		Name: name, Args: "CLIENT", Choices: clientNames, Summary: summary,
		Text:    "Clients: " + clients() + ".\n" + text,
		Example: "envwrap hook " + name + " claude-code",
		Options: []*cli.Option{{Name: "dry-run", NoEnv: true, Help: "only show the change", Set: cli.Into(&dry, cli.Boolean)}},
		Run: func(_ context.Context, c *cli.Call) error {
			client, place, err := clientAndPlace(c)
			if err != nil {
				return err
			}
			p, err := plan(client, place)
			if err != nil {
				return fmt.Errorf("%s %s: %w", name, client.Name, err)
			}
			var b strings.Builder
			for _, change := range p.Changes {
				if change.Own {
					fmt.Fprintf(&b, "%s: a file of envwrap's\n", change.Path)
					continue
				}
				fmt.Fprintf(&b, "%s:\n%s", change.Path, change.Diff())
			}
			for _, link := range p.Links {
				fmt.Fprintf(&b, "%s: link to %s\n", link, place.Envwrap)
			}
			switch {
			case p.Empty():
				fmt.Fprintf(&b, "%s: nothing to change\n", client.Name)
			case dry:
				b.WriteString("Nothing was changed.\n")
			}
			if _, err := io.WriteString(c.Stdout, b.String()); err != nil || dry {
				return err // what could not be shown is not done
			}
			if err := p.Write(); err != nil {
				return fmt.Errorf("%s %s: %w", name, client.Name, err)
			}
			_, err = io.WriteString(c.Stdout, closing(client, place))
			return err
		},
	}
}
