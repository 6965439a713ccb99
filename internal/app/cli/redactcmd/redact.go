// Package redactcmd has the verb redact, and the options about secrets that other
// verbs have as well.
package redactcmd

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/shared/term"
	"github.com/envwrap/envwrap/redact"
	"github.com/envwrap/envwrap/redact/gitleaks"
)

// Verb returns the verb redact.
func Verb(*cli.Env) *cli.Verb {
	o := &redactOptions{}
	return &cli.Verb{
		Name:    "redact",
		Args:    "[FILE]",
		Takes:   cli.AFile,
		Summary: "copy a file, or standard input, with its secrets masked",
		Text: `A filter for pipes: each line is passed on as soon as it is complete, and memory
stays constant whatever comes. What is masked, and what is not, is in
docs/redaction.md; it is a safety net, not a boundary. FILE may be - for
standard input.`,
		Has:     cli.HasRaw,
		Example: "make 2>&1 | envwrap redact | tee build.log\nenvwrap redact --check --report json app.log > /dev/null",
		Options: []*cli.Option{
			{
				Name: "redact", Value: "WHAT", Def: "all", Help: "mask all secrets, or only known values: all, known, off",
				Choices: cli.Names(RedactWords), Set: cli.Into(&o.mode, cli.Choice(RedactWords)),
			},
			o.known.SecretOption(""),
			o.known.SecretFileOption(""),
			RedactConfigOption("", &o.known.Rules),
			{
				Name: "report", Value: "FORMAT", NoEnv: true, Help: "print how much was masked, by rule, on stderr: json",
				Choices: cli.Names(reportWords), Set: cli.Into(&o.report, cli.Choice(reportWords)),
			},
			{Name: "explain", NoEnv: true, Help: "print for each masked span, on stderr, its place, the rule and how sure it is", Set: cli.Into(&o.explain, cli.Boolean)},
			{Name: "check", NoEnv: true, Help: "end with status 1 if something was masked", Set: cli.Into(&o.check, cli.Boolean)},
		},
		Run: func(_ context.Context, c *cli.Call) error { return copyMasked(c, o) },
	}
}

type redactOptions struct {
	known                  Redaction
	mode                   redact.Mode
	report, explain, check bool
}

// reportWords returns the formats of the report on what was masked.
func reportWords() []cli.Word[bool] { return []cli.Word[bool]{{Name: "json", Value: true}} }

// RedactConfigOption returns the option --redact-config, which names a file of rules.
func RedactConfigOption(group string, dst *string) *cli.Option {
	return &cli.Option{
		Name: "redact-config", Value: "FILE", Group: group, Key: cli.NotInKey,
		Help: "more rules, in the format of gitleaks", Takes: cli.AFile, Set: cli.Into(dst, cli.Text), Reads: true,
	}
}

// copyMasked copies the input to stdout, masked.
func copyMasked(c *cli.Call, o *redactOptions) error {
	r, err := Redactor(c.Env, &o.known, o.mode)
	if err != nil {
		return err
	}
	in, err := c.Input()
	if err != nil {
		return err
	}
	defer in.Close()
	out, end := term.Content(c.Stdout, c.Raw())
	w := r.Writer(out)
	if o.explain {
		err = explain(c, w, in)
	} else {
		err = maskStream(w, in)
	}
	if err := cmp.Or(err, w.Close(), end()); err != nil {
		return err
	}
	total := 0
	for _, n := range w.Counts() {
		total += n
	}
	if o.report {
		if err := report(c, total, w.Counts()); err != nil {
			return err
		}
	}
	if o.check && total > 0 {
		return cli.Status(cli.StatusFound)
	}
	return nil
}

// maskStream copies in to w as it comes.
func maskStream(w *redact.Writer, in io.Reader) error {
	b := make([]byte, 1<<20)
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
func report(c *cli.Call, total int, byRule redact.Counts) error {
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

// Redactor returns the redactor that the options describe, which masks what mode says.
func Redactor(env *cli.Env, o *Redaction, mode redact.Mode) (*redact.Redactor, error) {
	values, err := knownValues(env, o)
	if err != nil {
		return nil, err
	}
	rules, err := RedactRules(env, o.Rules)
	if err != nil {
		return nil, err
	}
	return redact.New(redact.Options{Mode: mode, Values: values, Rules: rules}), nil
}

// RedactRules reads the rules of a file, or none if its name is "". Rules that are
// ignored are reported on stderr.
func RedactRules(env *cli.Env, file string) ([]redact.Rule, error) {
	if file == "" {
		return nil, nil
	}
	text, err := env.ReadNamed(env.Path(file), cli.ConfigLimit)
	if err != nil {
		return nil, &cli.UsageError{
			Text: fmt.Sprintf("option --redact-config: read %q: %v", file, err),
			Hint: "Name a file that can be read, with rules in the format of gitleaks.",
		}
	}
	rules, notices, err := gitleaks.Load(file, text)
	for _, n := range notices {
		env.Complain(errors.New(n))
	}
	if err != nil {
		return nil, cli.Usagef("option --redact-config: %v", err)
	}
	return rules, nil
}
