package cli

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/runlog"
	"github.com/envwrap/envwrap/internal/term"
)

// lastOptions are the options of last.
type lastOptions struct {
	store           string
	format          envelope.Dialect
	pretty, compact bool
}

func lastVerb(*World) *verb {
	o := &lastOptions{format: envelope.Dialects()[0]}
	return &verb{
		name:    "last",
		args:    "[N]",
		summary: "print the envelope of the last run that printed none, or not all",
		text: `Runs that stored output, runs with -f brief, and those with --emit agent or auto
that passed the command's own bytes on have left their envelope in the store. N counts them back: 1 is the last one, 2 the one
before it; envwrap history lists them. Secrets are masked there, whatever was
passed on.`,
		example: "envwrap last\nenvwrap last 2 -f helper/v1",
		options: []*option{
			{name: "format", short: "f", value: "DIALECT", def: "protocol/v1", noEnv: true, help: "dialect of the envelope", choices: outputNames, set: into(&o.format, format)},
			{name: "pretty", noEnv: true, help: "indent the envelope", set: into(&o.pretty, boolean)},
			{name: "compact", noEnv: true, help: "write the envelope on one line", set: into(&o.compact, boolean)},
			archiveOption(&o.store),
		},
		run: func(_ context.Context, c *call) error { return o.print(c) },
	}
}

func (o *lastOptions) print(c *call) error {
	n, err := c.back()
	if err != nil {
		return err
	}
	lines, err := c.runs(o.store)
	if err != nil {
		return err
	}
	if n > len(lines) {
		return fmt.Errorf("%s recorded\nRuns with --emit agent or auto are, where they print no envelope.", areRuns(len(lines)))
	}
	layout := (&runOptions{pretty: o.pretty, compact: o.compact}).layout(term.IsTerminal(c.Stdout))
	doc, _, err := envelope.Convert(envelope.Dialects()[0], o.format, lines[n-1], envelope.EncodeOptions{Layout: layout})
	if err != nil {
		return fmt.Errorf("read run %d: %w", n, err)
	}
	if _, err := c.Stdout.Write(term.Painted(c.Stdout, c.lookup, doc)); err != nil {
		return fmt.Errorf("print the envelope: %w", err)
	}
	return nil
}

// back is how many runs back the only word says.
func (c *call) back() (int, error) {
	if len(c.args()) == 0 {
		return 1, nil
	}
	word, err := c.oneWord("N")
	if err != nil {
		return 0, err
	}
	n, err := strconv.Atoi(word)
	if err != nil || n < 1 {
		return 0, badValue(word, "number of a run", "1 is the last one.")
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

// runs are the recorded envelopes, the newest first: those of the store that
// was named, or of the first of the usual places that has any.
func (w *World) runs(named string) ([][]byte, error) {
	var faults []error
	for _, dir := range w.storeDirs(named) {
		lines, err := runlog.Read(dir)
		if len(lines) > 0 {
			return lines, nil
		}
		faults = append(faults, err)
	}
	return nil, errors.Join(faults...)
}
