package envelopecmd

import (
	"bufio"
	"context"
	"errors"
	"fmt"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/shared/term"
)

// ConvertVerb returns the verb convert.
func ConvertVerb(*cli.Env) *cli.Verb {
	o := &convertOptions{}
	return &cli.Verb{
		Name:    "convert",
		Args:    "[FILE]",
		Takes:   cli.AFile,
		Summary: "write an envelope in another format",
		Text: `What the other format cannot carry is reported on stderr, one line for each member:
what would be missing if the result were converted back. A stream (NDJSON) is converted line by line.
FILE may be - for standard input.`,
		Example: "envwrap convert --to helper run.json\nenvwrap -- make | envwrap convert --to agent-response",
		Options: []*cli.Option{
			outputOption("to", "t", "the format to write (required)", &o.to),
			formatOption("from", "f", "the format to read; without it each document says its own", &o.from),
			{Name: "strict", NoEnv: true, Help: "end with status 1 if something is lost", Set: cli.Into(&o.strict, cli.Boolean)},
			{Name: "pretty", NoEnv: true, Help: "indent the envelope", Set: cli.Into(&o.pretty, cli.Boolean)},
			{Name: "compact", NoEnv: true, Help: "write the envelope on one line", Set: cli.Into(&o.compact, cli.Boolean)},
		},
		Run: func(_ context.Context, c *cli.Call) error { return convert(c, o) },
	}
}

type convertOptions struct {
	to, from                envelope.Dialect
	strict, pretty, compact bool
}

func (o *convertOptions) encoding() (envelope.EncodeOptions, error) {
	switch {
	case o.to == nil:
		return envelope.EncodeOptions{}, &cli.UsageError{Text: "option --to is missing", Hint: "Name the format to write: envwrap convert --to helper run.json"}
	case o.pretty && o.compact:
		return envelope.EncodeOptions{}, cli.Usagef("--pretty and --compact contradict each other")
	case o.pretty:
		return envelope.EncodeOptions{Layout: envelope.LayoutPretty}, nil
	case o.compact:
		return envelope.EncodeOptions{Layout: envelope.LayoutCompact}, nil
	}
	return envelope.EncodeOptions{}, nil
}

// convert writes each document of the input in another dialect.
func convert(c *cli.Call, o *convertOptions) error {
	encoding, err := o.encoding()
	if err != nil {
		return err
	}
	name := orStdin(c.Operands())[0]
	in, err := c.Input()
	if _, usage := errors.AsType[*cli.UsageError](err); usage {
		return err
	}
	if err != nil {
		return unread(c, name, err)
	}
	defer in.Close()
	out := bufio.NewWriter(c.Stdout)
	lost, documents := 0, 0
	for doc, err := range envelope.Documents(in) {
		if err != nil {
			return errors.Join(out.Flush(), unread(c, name, err))
		}
		documents++
		losses, err := o.one(out, doc, encoding)
		if err != nil {
			return errors.Join(convertError(c, doc, err), out.Flush())
		}
		for _, l := range losses {
			c.Complain(fmt.Errorf("lost: %s%s", l, (&faultLine{Line: doc.Line, In: doc.In}).where()))
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
		return cli.Status(cli.StatusFound)
	}
	return nil
}

// unread reports that the input cannot be read. The command line is sound, so the
// status differs from a usage error's.
func unread(c *cli.Call, name string, err error) error {
	c.Complain(unreadable("convert", name, err))
	return cli.Status(cli.StatusFound)
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

// convertError reports all faults of a document that could not be read.
func convertError(c *cli.Call, doc envelope.Document, err error) error {
	place := faultLine{Line: doc.Line, In: doc.In}
	broken, ok := errors.AsType[*envelope.FaultError](err)
	if !ok {
		return fmt.Errorf("convert%s: %w", place.where(), err)
	}
	for _, f := range broken.Faults {
		c.Complain(fmt.Errorf("%s%s", f, place.where()))
	}
	return fmt.Errorf("convert: %s, so it is not a valid %s envelope", term.Plural(len(broken.Faults), "fault"), broken.Dialect)
}
