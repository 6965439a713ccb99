package envelopecmd

import (
	"context"
	"fmt"
	"strconv"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/shared/term"
)

// lastOptions are the options of last.
type lastOptions struct {
	format          envelope.Dialect
	pretty, compact bool
}

// LastVerb returns the verb last.
func LastVerb(*cli.Env) *cli.Verb {
	o := &lastOptions{format: envelope.Dialects()[0]}
	return &cli.Verb{
		Name:    "last",
		Args:    "[N]",
		Summary: "print the envelope of the last recorded run",
		Text: `The store records the envelopes of runs that stored output, of runs with -f brief,
and of those with --emit agent or auto that passed on the command's own bytes.
N counts back: 1 is the last one, 2 the one before it; envwrap history lists them.
Secrets are masked in the record, whatever was passed on.`,
		Has:     cli.HasStore,
		Example: "envwrap last\nenvwrap last 2 -f helper/v1",
		Options: []*cli.Option{
			{Name: "format", Short: "f", Value: "DIALECT", Def: "protocol/v1", NoEnv: true, Help: "dialect of the envelope", Choices: cli.OutputNames, Set: cli.Into(&o.format, cli.Format)},
			{Name: "pretty", NoEnv: true, Help: "indent the envelope", Set: cli.Into(&o.pretty, cli.Boolean)},
			{Name: "compact", NoEnv: true, Help: "write the envelope on one line", Set: cli.Into(&o.compact, cli.Boolean)},
		},
		Run: func(_ context.Context, c *cli.Call) error { return o.print(c) },
	}
}

func (o *lastOptions) print(c *cli.Call) error {
	n, err := back(c)
	if err != nil {
		return err
	}
	lines, err := c.Runs(c.Store())
	if err != nil {
		return err
	}
	if n > len(lines) {
		return fmt.Errorf("%s recorded\n`envwrap history` lists them, `envwrap help last` says which runs are recorded.", areRuns(len(lines)))
	}
	layout := cli.Layout(o.pretty, o.compact, term.IsTerminal(c.Stdout))
	doc, _, err := envelope.Convert(envelope.Dialects()[0], o.format, lines[n-1], envelope.EncodeOptions{Layout: layout})
	if err != nil {
		return fmt.Errorf("read run %d: %w", n, err)
	}
	if _, err := c.Stdout.Write(term.Painted(c.Stdout, c.Lookup, doc)); err != nil {
		return fmt.Errorf("print the envelope: %w", err)
	}
	c.ReportNested(doc, cli.StatusOK)
	return nil
}

// back returns how many runs back the only word says.
func back(c *cli.Call) (int, error) {
	word := append(c.Operands(), "1")[0]
	n, err := strconv.Atoi(word)
	if err != nil || n < 1 {
		return 0, cli.BadValue(word, "number of a run", "1 is the last one.")
	}
	return n, nil
}

func areRuns(n int) string {
	switch n {
	case 0:
		return "no run is"
	case 1:
		return "only 1 run is"
	}
	return "only " + strconv.Itoa(n) + " runs are"
}
