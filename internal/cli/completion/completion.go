// Package completion makes what shells and man(1) read of the table of verbs:
// completion scripts for bash, zsh, fish and PowerShell, and manual pages.
package completion

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/envwrap/envwrap/internal/cli"
)

// Verb returns the verb completion.
func Verb(*cli.World) *cli.Verb {
	return &cli.Verb{
		Name:    "completion",
		Args:    "bash|zsh|fish|powershell",
		Choices: cli.Names(shells),
		Summary: "print a completion script for a shell",
		Text: "Behind -- the script completes commands and their arguments as if envwrap were\n" +
			"not there.",
		Example: "source <(envwrap completion bash)\n" +
			"envwrap completion zsh >\"${fpath[1]}/_envwrap\"\n" +
			"envwrap completion fish >~/.config/fish/completions/envwrap.fish\n" +
			"envwrap completion powershell | Out-String | Invoke-Expression",
		Run: func(_ context.Context, c *cli.Call) error {
			args := c.Operands()
			if len(args) != 1 {
				return cli.Usagef("name one shell: bash, zsh, fish or powershell")
			}
			script, err := cli.Choice(shells)(args[0])
			if err != nil {
				return err
			}
			if _, err := io.WriteString(c.Stdout, script(cli.Nodes(c.World))); err != nil {
				return fmt.Errorf("print completion: %w", err)
			}
			return nil
		},
	}
}

// shells are the shells and what makes their scripts.
func shells() []cli.Word[func([]cli.Node) string] {
	return []cli.Word[func([]cli.Node) string]{
		{Name: "bash", Value: bashCompletion},
		{Name: "zsh", Value: zshCompletion},
		{Name: "fish", Value: fishCompletion},
		{Name: "powershell", Value: powershellCompletion},
	}
}

// withValue are the spellings of all options that take one, in any node.
func withValue(list []cli.Node) []string {
	var names []string
	for _, n := range list {
		for _, o := range n.Options {
			if o.Value != "" && !slices.Contains(names, "--"+o.Name) {
				names = append(names, o.Spellings()...)
			}
		}
	}
	return names
}

// switches are the spellings that take no value at a node and do at another:
// what stands before a word of theirs is "artifact tail:-f".
func switches(list []cli.Node) []string {
	valued, names := withValue(list), []string(nil)
	for _, n := range list {
		for _, o := range n.Options {
			for _, s := range o.Spellings() {
				if o.Value == "" && slices.Contains(valued, s) {
					names = append(names, n.Path+":"+s)
				}
			}
		}
	}
	return names
}

// listing is a line of POSIX shell, and of fish, that prints what there is of a
// kind, a word a line; "" where nothing needs to be asked. Digests are short,
// and have no colon, at which bash would cut a word.
func listing(k cli.Kind) string {
	const digests = ` 2>/dev/null | sed 's/^sha256:\([0-9a-f]\{12\}\).*/\1/'`
	switch k {
	case cli.AShim:
		return "envwrap shim list 2>/dev/null | cut -d ' ' -f 1"
	case cli.AnArtifact:
		return "envwrap artifact ls -n 100" + digests
	case cli.ARun:
		return "envwrap cache ls" + digests
	case cli.AJob:
		return "envwrap job ls -n 100 --format protocol/v1 --compact 2>/dev/null | grep -oE '[0-9A-HJKMNP-TV-Z]{26}' | sort -u"
	}
	return ""
}
