package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/term"
)

func convertVerb(*World) *verb {
	o := &convertOptions{}
	return &verb{
		name:    "convert",
		args:    "[FILE]",
		takes:   aFile,
		summary: "write an envelope in another format",
		text: `What the other format cannot carry is told on stderr, a line a member; it is
found by going back and comparing. A stream (NDJSON) is converted line by line.
FILE may be - for standard input.`,
		example: "envwrap convert --to helper run.json\nenvwrap -- make | envwrap convert --to agent-response",
		options: []*option{
			outputOption("to", "t", "the format to write (required)", &o.to),
			formatOption("from", "f", "the format to read; without it each document says its own", &o.from),
			{name: "strict", noEnv: true, help: "status 1 where something is lost", set: into(&o.strict, boolean)},
			{name: "pretty", noEnv: true, help: "indent the envelope", set: into(&o.pretty, boolean)},
			{name: "compact", noEnv: true, help: "write the envelope on one line", set: into(&o.compact, boolean)},
		},
		run: func(_ context.Context, c *call) error { return c.convert(o) },
	}
}

type convertOptions struct {
	to, from                envelope.Dialect
	strict, pretty, compact bool
}

func (o *convertOptions) encoding() (envelope.EncodeOptions, error) {
	switch {
	case o.to == nil:
		return envelope.EncodeOptions{}, &usageError{text: "option --to is missing", hint: "Name the format to write: envwrap convert --to helper run.json"}
	case o.pretty && o.compact:
		return envelope.EncodeOptions{}, usagef("--pretty and --compact contradict each other")
	case o.pretty:
		return envelope.EncodeOptions{Layout: envelope.LayoutPretty}, nil
	case o.compact:
		return envelope.EncodeOptions{Layout: envelope.LayoutCompact}, nil
	}
	return envelope.EncodeOptions{}, nil
}

// convert writes each document of the input in another dialect.
func (c *call) convert(o *convertOptions) error {
	encoding, err := o.encoding()
	if err != nil {
		return err
	}
	name := orStdin(c.args())[0]
	in, err := c.input()
	if _, usage := errors.AsType[*usageError](err); usage {
		return err
	}
	if err != nil {
		return c.unread(name, err)
	}
	defer in.Close()
	out := bufio.NewWriter(c.Stdout)
	lost, documents := 0, 0
	for doc, err := range envelope.Documents(in) {
		if err != nil {
			return errors.Join(out.Flush(), c.unread(name, err))
		}
		documents++
		losses, err := o.one(out, doc, encoding)
		if err != nil {
			return errors.Join(c.convertError(doc, err), out.Flush())
		}
		for _, l := range losses {
			c.complain(fmt.Errorf("lost: %s%s", l, (&faultLine{Line: doc.Line, In: doc.In}).where()))
		}
		lost += len(losses)
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("print the envelope: %w", err)
	}
	switch {
	case documents == 0:
		return errors.New("convert: there is no envelope in the input")
	case lost > 0 && o.strict:
		return status(statusFound)
	}
	return nil
}

// unread tells that the input cannot be read. The command line is sound, so the
// status is not that of a usage error.
func (c *call) unread(name string, err error) error {
	c.complain(unreadable("convert", name, err))
	return status(statusFound)
}

func (o *convertOptions) one(out *bufio.Writer, doc envelope.Document, encoding envelope.EncodeOptions) ([]envelope.Loss, error) {
	from := o.from
	if from == nil {
		var ok bool
		if from, ok = envelope.Guess(doc.Text); !ok {
			return nil, errors.New("it looks like no known envelope: name its format with --from")
		}
	}
	text, losses, err := envelope.Convert(from, o.to, doc.Text, encoding)
	if err == nil {
		_, err = out.Write(text)
	}
	return losses, err
}

// convertError tells all faults of a document that could not be read.
func (c *call) convertError(doc envelope.Document, err error) error {
	place := faultLine{Line: doc.Line, In: doc.In}
	broken, ok := errors.AsType[*envelope.FaultError](err)
	if !ok {
		return fmt.Errorf("convert%s: %w", place.where(), err)
	}
	for _, f := range broken.Faults {
		c.complain(fmt.Errorf("%s%s", f, place.where()))
	}
	return fmt.Errorf("convert: %s, so it is not a valid %s envelope", term.Plural(len(broken.Faults), "fault"), broken.Dialect)
}
