package completion

import (
	"context"
	"fmt"
	"io"

	"github.com/envwrap/envwrap/internal/app/cli"
)

// HelpVerb returns the verb help, which also prints manual pages.
func HelpVerb(env *cli.Env) *cli.Verb {
	var man, all bool
	return &cli.Verb{
		Name:    "help",
		Args:    "[VERB...]",
		Choices: func() []string { return cli.VerbNames(env.Table.Verbs) },
		Summary: "show help for envwrap or for a verb",
		Example: "envwrap help run\nenvwrap help --man artifact | man -l -",
		Options: []*cli.Option{
			{Name: "all", NoEnv: true, Help: "show all options of a run", Set: cli.Into(&all, cli.Boolean)},
			{Name: "man", NoEnv: true, Help: "print it as a manual page, for man(1)", Set: cli.Into(&man, cli.Boolean)},
		},
		Run: func(_ context.Context, c *cli.Call) error {
			v, err := cli.Find(c.Env, c.Operands())
			if err != nil {
				return err
			}
			if all {
				return cli.PrintAllHelp(c.Env, v)
			}
			if man {
				if _, err := io.WriteString(c.Stdout, manPage(c.Env, v)); err != nil {
					return fmt.Errorf("print the manual page: %w", err)
				}
				return nil
			}
			return cli.PrintHelp(c.Env, v)
		},
	}
}
