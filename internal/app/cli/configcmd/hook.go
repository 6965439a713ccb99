package configcmd

import (
	"context"

	"github.com/envwrap/envwrap/internal/app/cli"
)

// HookVerb returns the verb hook, which agents call before they run a command. It runs
// the companion program, which has the parser of shell texts.
func HookVerb(*cli.Env) *cli.Verb {
	return &cli.Verb{
		Name:    "hook",
		Args:    "VERB",
		Summary: "rewrite the commands that an agent runs",
		Text:    "An agent calls it by itself, after `envwrap hook install`.",
		Example: "envwrap hook install claude-code\nenvwrap hook status",
		Verbs: []cli.Row{
			{Name: "claude-code", Make: answerHook("claude-code", "Claude Code", "PreToolUse")},
			{Name: "codex", Make: answerHook("codex", "Codex", "PreToolUse")},
			{Name: "cursor", Make: answerHook("cursor", "Cursor", "preToolUse")},
			{Name: "gemini", Make: answerHook("gemini", "Gemini CLI", "BeforeTool")},
			{Name: "install", Make: manageHook("install", "write the hook into the settings of an agent", true)},
			{Name: "remove", Make: manageHook("remove", "take the hook out of the settings of an agent", true)},
			{Name: "status", Make: manageHook("status", "say whether agents have the hook in their settings", false)},
		},
	}
}

// answerHook returns the verb that an agent calls.
func answerHook(name, agent, event string) func(*cli.Env) *cli.Verb {
	return func(*cli.Env) *cli.Verb {
		args := []string{"hook"}
		return &cli.Verb{
			Name:    name,
			Summary: "make a shell command of " + agent + " run under envwrap",
			Text: `It reads a ` + event + ` event on stdin and answers with the command as it runs under
envwrap: a pipeline or list of commands as a whole, by a shell of its own. What is
interactive, in the background, wrapped already, or cheap stays as it is, and so does
what cannot be parsed. Nothing is rewritten unless the permission rules of ` + agent + `
allow the original, and no rule that denies or asks could match a part of it.`,
			Example: "envwrap hook " + name + " <event.json",
			Options: []*cli.Option{{Name: "all", NoEnv: true, Help: "also rewrite cheap commands such as ls and pwd", Set: passOn(&args, "--all")}},
			Run:     func(_ context.Context, c *cli.Call) error { return c.BecomeCompanion(append(args, name)) },
		}
	}
}

// manageHook returns a verb for the settings of an agent.
func manageHook(name, summary string, edits bool) func(*cli.Env) *cli.Verb {
	return func(*cli.Env) *cli.Verb {
		args := []string{"hook"}
		v := &cli.Verb{
			Name: name, Args: "CLIENT", Summary: summary,
			Text:    "Clients: claude-code, codex, cursor, gemini.",
			Example: "envwrap hook " + name + " claude-code",
			Run: func(_ context.Context, c *cli.Call) error {
				words := c.Operands()
				for _, w := range words {
					if w != "claude-code" && w != "codex" && w != "cursor" && w != "gemini" {
						return cli.Usagef("there is no client %q: give claude-code, codex, cursor or gemini", w)
					}
				}
				return c.BecomeCompanion(append(append(args, name), words...))
			},
		}
		if edits {
			v.Text += "\nIt shows the lines that it takes out (-) and adds (+), and leaves everything else in the file as it is."
			v.Options = []*cli.Option{{Name: "dry-run", NoEnv: true, Help: "only show the change", Set: passOn(&args, "--dry-run")}}
		} else {
			v.Args = "[CLIENT]"
			v.Text += " Without one: all. The status is 1 if the\nnamed one has no hook."
		}
		return v
	}
}

// passOn hands an option on to the companion program, before its words.
func passOn(args *[]string, flag string) func([]string) error {
	return cli.Each(func(value string) error {
		on, err := cli.Boolean(value)
		if err == nil && on {
			*args = append(*args, flag)
		}
		return err
	})
}
