package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/envwrap/envwrap/internal/term"
	"github.com/envwrap/envwrap/redact"
	"github.com/envwrap/envwrap/redact/gitleaks"
)

func redactVerb(*World) *verb {
	o := &redactOptions{}
	return &verb{
		name:    "redact",
		args:    "[FILE]",
		takes:   aFile,
		summary: "copy a file, or standard input, with its secrets masked",
		text: `A filter for pipes: each line is passed on as soon as it is complete, and memory
stays constant whatever comes. What is masked, and what is not, is told in
docs/redaction.md; it is a safety net, not a boundary. FILE may be - for
standard input.`,
		example: "make 2>&1 | envwrap redact | tee build.log\nenvwrap redact --check --report app.log > /dev/null",
		options: []*option{
			{
				name: "redact", value: "WHAT", def: "all", help: "mask all secrets, or only known values: all, known, off",
				choices: names(redactWords), set: into(&o.known.redact, choice(redactWords)),
			},
			o.known.secretOption(""),
			o.known.secretFileOption(""),
			redactConfigOption("", &o.known.redactConfig),
			{name: "report", noEnv: true, help: "print what was masked, by rule, as JSON on stderr", set: into(&o.report, boolean)},
			{name: "explain", noEnv: true, help: "say on stderr, for each line, what was masked by which rule, and how sure that is", set: into(&o.explain, boolean)},
			{name: "check", noEnv: true, help: "status 1 where something was masked", set: into(&o.check, boolean)},
			rawOption(&o.raw),
		},
		run: func(_ context.Context, c *call) error { return c.redact(o) },
	}
}

type redactOptions struct {
	known                       runOptions // what a run is told about secrets, too
	report, explain, check, raw bool
}

// redactConfigOption is the option that names a file of rules.
func redactConfigOption(group string, dst *string) *option {
	return &option{
		name: "redact-config", value: "FILE", group: group,
		help: "more rules, in the format of gitleaks", takes: aFile, set: into(dst, text), reads: true,
	}
}

// redact copies the input to stdout, masked.
func (c *call) redact(o *redactOptions) error {
	r, err := c.redactor(&o.known)
	if err != nil {
		return err
	}
	in, err := c.input()
	if err != nil {
		return err
	}
	defer in.Close()
	out, end := term.Content(c.Stdout, o.raw)
	w := r.Writer(out)
	if o.explain {
		err = c.explain(w, in)
	} else {
		err = mask(w, in)
	}
	if err := errors.Join(err, w.Close(), end()); err != nil {
		return err
	}
	total := 0
	for _, n := range w.Counts() {
		total += n
	}
	if o.report {
		if err := c.report(total, w.Counts()); err != nil {
			return err
		}
	}
	if o.check && total > 0 {
		return status(statusFound)
	}
	return nil
}

// mask copies in to w as it comes.
func mask(w *redact.Writer, in io.Reader) error {
	b := make([]byte, 256<<10)
	for {
		n, readErr := in.Read(b)
		if _, err := w.Write(b[:n]); err != nil {
			return fmt.Errorf("write the masked text: %w", err)
		}
		if errors.Is(readErr, io.EOF) {
			return nil
		}
		if readErr != nil {
			return readErr
		}
	}
}

// report prints what was masked on stderr.
func (c *call) report(total int, byRule redact.Counts) error {
	text, err := json.Marshal(struct {
		Total  int           `json:"total"`
		ByRule redact.Counts `json:"by_rule"`
	}{total, byRule})
	if err != nil {
		return fmt.Errorf("encode the report: %w", err)
	}
	_, err = fmt.Fprintf(c.Stderr, "%s\n", text)
	return err
}

// redactor makes what masks secrets, as the options say.
func (w *World) redactor(o *runOptions) (*redact.Redactor, error) {
	values, err := knownValues(w, o)
	if err != nil {
		return nil, err
	}
	rules, err := w.redactRules(o.redactConfig)
	if err != nil {
		return nil, err
	}
	return redact.New(redact.Options{Mode: o.redact, Values: values, Rules: rules}), nil
}

// redactRules reads the rules of --redact-config; no file has none. What is
// ignored in it is told on stderr.
func (w *World) redactRules(file string) ([]redact.Rule, error) {
	if file == "" {
		return nil, nil
	}
	text, err := w.readNamed(w.path(file), configLimit)
	if err != nil {
		return nil, &usageError{
			text: fmt.Sprintf("option --redact-config: read %q: %v", file, err),
			hint: "Name a file that can be read, with rules in the format of gitleaks.",
		}
	}
	rules, notices, err := gitleaks.Load(file, text)
	for _, n := range notices {
		w.complain(errors.New(n))
	}
	if err != nil {
		return nil, usagef("option --redact-config: %v", err)
	}
	return rules, nil
}
