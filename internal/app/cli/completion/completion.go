// Package completion generates completion scripts for bash, zsh, fish and PowerShell,
// and manual pages, from the table of verbs.
package completion

import (
	"context"
	"fmt"
	"io"

	"github.com/envwrap/envwrap/internal/app/cli"
)

// Verb returns the verb completion.
func Verb(*cli.Env) *cli.Verb {
	return &cli.Verb{
		Name:    "completion",
		Args:    "bash|zsh|fish|powershell",
		Choices: cli.Names(shells),
		Summary: "print a completion script for a shell",
		Text: "After -- the script completes commands and their arguments as if envwrap were\n" +
			"not there.",
		Example: "source <(envwrap completion bash)\n" +
			"envwrap completion zsh >\"${fpath[1]}/_envwrap\"\n" +
			"envwrap completion fish >~/.config/fish/completions/envwrap.fish\n" +
			"envwrap completion powershell | Out-String | Invoke-Expression",
		Run: func(_ context.Context, c *cli.Call) error {
			script, err := cli.Choice(shells)(c.Operands()[0])
			if err != nil {
				return err
			}
			if _, err := io.WriteString(c.Stdout, script(cli.Nodes(c.Env))); err != nil {
				return fmt.Errorf("print completion: %w", err)
			}
			return nil
		},
	}
}

// shells returns the shells and what makes their scripts.
func shells() []cli.Word[func([]cli.Node) string] {
	return []cli.Word[func([]cli.Node) string]{
		{Name: "bash", Value: bashCompletion},
		{Name: "zsh", Value: zshCompletion},
		{Name: "fish", Value: fishCompletion},
		{Name: "powershell", Value: powershellCompletion},
	}
}
