package configcmd

import (
	"errors"
	"fmt"
	"runtime"
	"strings"

	"github.com/envwrap/envwrap/internal/app/below"
	"github.com/envwrap/envwrap/internal/app/cli"
)

// clients returns the names of clients, as a list in a sentence.
func clients() string {
	var names []string
	for _, c := range below.Clients {
		names = append(names, c.Name)
	}
	return strings.Join(names, ", ")
}

// clientNames returns the names of clients, for completion.
func clientNames() []string { return strings.Split(clients(), ", ") }

// clientAndPlace returns the client that the line names, and where its files are.
func clientAndPlace(c *cli.Call) (*below.Client, *below.Place, error) {
	words := c.Operands()
	if len(words) != 1 {
		return nil, nil, cli.Usagef("name one client: %s", clients())
	}
	client, ok := below.Lookup(words[0])
	if !ok {
		return nil, nil, cli.Usagef("there is no client %q: give %s", words[0], clients())
	}
	place, err := placeOf(c)
	return client, place, err
}

// placeOf returns where the files of clients are.
func placeOf(c *cli.Call) (*below.Place, error) {
	target, err := c.ShimTarget()
	if err != nil {
		return nil, fmt.Errorf("find envwrap: %w", err)
	}
	return below.NewPlace(c.Session().UserDir(".local/share", "XDG_DATA_HOME"), target, c.Lookup)
}

// installPlan returns what install does, or why it cannot.
func installPlan(c *below.Client, p *below.Place) (*below.Plan, error) {
	if runtime.GOOS == "windows" && c.Name != below.Cursor {
		return nil, errors.New("on Windows envwrap cannot take the place of a client's shell\nThe client can use its MCP server: docs/mcp.md; for Claude Code: claude mcp add envwrap -- envwrap mcp")
	}
	return c.Install(p)
}
