// Package envelopecmd has the verbs that read and explain envelopes: validate,
// convert, schema, explain, last, history and detect.
package envelopecmd

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/platform/safefs"
	"github.com/envwrap/envwrap/internal/shared/errtext"
	"github.com/envwrap/envwrap/internal/shared/term"
	"github.com/envwrap/envwrap/redact"
)

// ValidateVerb returns the verb validate.
func ValidateVerb(*cli.Env) *cli.Verb {
	o := &validateOptions{}
	return &cli.Verb{
		Name:    "validate",
		Args:    "[FILE...]",
		Takes:   cli.AFile,
		Summary: "check envelopes and report all faults",
		Text: `Takes one envelope, a stream of them (NDJSON), the two blocks of tool-envelope/v1,
or an MCP result that holds envelopes. FILE may be - for standard input.

A fault is one line on stdout: a JSON Pointer, the name of the rule that is
broken, and what is wrong. If there are several documents the line ends with the
place of the one that has the fault. The status is 1 if there is a fault.
docs/reference/rules.md explains each rule.`,
		Has:     cli.HasStore,
		Example: "some-helper | envwrap validate --format helper\nenvwrap validate --strict run.json events.ndjson",
		Options: []*cli.Option{
			formatOption("format", "f", "check against this format; without it each document says its own", &o.format),
			{Name: "strict", NoEnv: true, Help: "also report unknown members, secrets in the clear, and artifacts that are missing or corrupt", Set: cli.Into(&o.strict, cli.Boolean)},
			{Name: "json", NoEnv: true, Help: "print one envelope with the faults in its data", Set: cli.Into(&o.asJSON, cli.Boolean)},
		},
		Run: func(_ context.Context, c *cli.Call) error { return validate(c, o) },
	}
}

type validateOptions struct {
	format         envelope.Dialect // nil: the documents say
	strict, asJSON bool
}

// formatOption chooses one of the dialects.
func formatOption(name, short, help string, dst *envelope.Dialect) *cli.Option {
	return &cli.Option{
		Name: name, Short: short, Value: "DIALECT", NoEnv: true, Help: help,
		Choices: cli.DialectNames, Set: cli.Into(dst, cli.Dialect),
	}
}

// outputOption chooses the format of the output: a dialect, or brief/v1.
func outputOption(name, short, help string, dst *envelope.Dialect) *cli.Option {
	o := formatOption(name, short, help, dst)
	o.Choices, o.Set = cli.OutputNames, cli.Into(dst, cli.Format)
	return o
}

// validate checks each file. A file that cannot be read is reported, and the others
// are checked all the same.
func validate(c *cli.Call, o *validateOptions) error {
	checks, done, err := checks(c, o)
	if err != nil {
		return err
	}
	defer done()
	debug.SetGCPercent(400) // next to nothing is kept of a document, and memory is small
	started := c.Now()
	out, end := term.Content(c.Stdout, false)
	r := &report{out: bufio.NewWriter(out), keep: o.asJSON, Formats: map[string]int{}, Faults: []faultLine{}}
	files := c.Operands()
	for _, name := range orStdin(files) {
		in, err := open(c, name)
		if err == nil {
			err = r.file(in, shownFile(name, len(files) > 1), envelope.Checker{Dialect: o.format, Options: checks})
		}
		if err != nil {
			c.Complain(unreadable("validate", name, err))
			r.Unread = append(r.Unread, unreadFile{name, safefs.Cause(err).Error()})
			if r.unreadCode = envelope.EIO; errors.Is(err, fs.ErrNotExist) {
				r.unreadCode = envelope.ENOTFOUND
			}
		}
	}
	if o.asJSON {
		err = printReport(c, r, started)
	} else {
		err = errors.Join(r.out.Flush(), end())
	}
	switch {
	case err != nil:
		return fmt.Errorf("print the faults: %w", err)
	case r.Unread != nil || r.FaultCount > 0:
		return cli.Status(cli.StatusFound)
	case term.IsTerminal(c.Stdout) && !o.asJSON:
		c.Complain(fmt.Errorf("%s, no fault", term.Plural(r.Documents, "envelope")))
	}
	return nil
}

// unreadable returns the error of a file that verb cannot read, with what to do.
func unreadable(verb, name string, err error) error {
	hint := "Name a file that can be read, or - for standard input."
	if name == "-" {
		hint = "Name a FILE to read."
	}
	return &cli.UsageError{Text: fmt.Sprintf("%s %q: %v", verb, name, safefs.Cause(err)), Hint: hint}
}

// orStdin returns the files that were named, or standard input.
func orStdin(files []string) []string {
	if len(files) == 0 {
		return []string{"-"}
	}
	return files
}

// open opens a file, or standard input for "-".
func open(c *cli.Call, name string) (io.ReadCloser, error) {
	if name != "-" {
		return os.Open(c.Path(name))
	}
	if c.Stdin == nil {
		return nil, errors.New("standard input is closed")
	}
	return io.NopCloser(c.Stdin), nil
}

// shownFile returns a file's name where there are several.
func shownFile(name string, several bool) string {
	if !several {
		return ""
	}
	return name
}

// A report lists the faults that validate found in all files.
type report struct {
	Documents  int            `json:"documents"`
	FaultCount int            `json:"fault_count"`
	Formats    map[string]int `json:"formats"`
	Faults     []faultLine    `json:"faults"`
	Unread     []unreadFile   `json:"unread,omitempty"`

	out        *bufio.Writer
	keep       bool          // the faults are kept and not printed
	unreadCode envelope.Code // of the last file in Unread
}

// An unreadFile is one that could not be read to its end.
type unreadFile struct {
	File string `json:"file"`
	Text string `json:"text"`
}

// A faultLine is a fault and where its document is.
type faultLine struct {
	File   string `json:"file,omitempty"`
	Line   int    `json:"line,omitempty"`
	In     string `json:"in,omitempty"`
	Format string `json:"format,omitempty"`
	envelope.Fault
}

// file checks the documents of one input.
func (r *report) file(in io.ReadCloser, name string, checker envelope.Checker) error {
	defer in.Close()
	err := checker.CheckAll(in, runtime.GOMAXPROCS(0), func(doc envelope.Document, checked envelope.Checked) {
		place := faultLine{File: name, Line: doc.Line, In: doc.In}
		if checked.Dialect != nil {
			place.Format = checked.Dialect.Name()
			r.Formats[place.Format]++
		}
		r.Documents++
		r.add(place, checked.Faults)
	})
	if err == nil {
		r.add(faultLine{File: name}, checker.End())
	}
	return err
}

func (r *report) add(place faultLine, faults []envelope.Fault) {
	for _, f := range faults {
		f.Pointer, f.Text = errtext.Bound(f.Pointer), errtext.Bound(f.Text)
		place.Fault = f
		r.FaultCount++
		if r.keep {
			r.Faults = append(r.Faults, place)
			continue
		}
		_, _ = fmt.Fprintf(r.out, "%s%s\n", f, place.where()) // Flush returns what went wrong
	}
}

// where returns the place of a document, for the end of a line; "" where there is
// but one.
func (f *faultLine) where() string {
	var parts []string
	if f.File != "" {
		parts = append(parts, f.File)
	}
	if f.Line > 1 {
		parts = append(parts, fmt.Sprintf("line %d", f.Line))
	}
	if f.In != "" {
		parts = append(parts, "in "+f.In)
	}
	if parts == nil {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

// printReport answers with an envelope of protocol/v1.
func printReport(c *cli.Call, r *report, started time.Time) error {
	data, err := json.Marshal(r)
	if err != nil {
		return err
	}
	res := &envelope.Result{
		Command: "envelope/validate", Tool: "envwrap", Dialect: "protocol/v1", Payload: data,
		Started: started, Ended: c.Now(), Outcome: envelope.Outcome{Kind: envelope.Success},
	}
	res.Duration = res.Ended.Sub(started)
	switch {
	case r.Unread != nil:
		res.Outcome = envelope.Outcome{
			Kind: envelope.Failure, Code: r.unreadCode, Hint: "Name files that can be read, or - for standard input; data.unread says what was wrong with which.",
			Message: fmt.Sprintf("%s not read, and %s in the rest", term.Plural(len(r.Unread), "file"), term.Plural(r.FaultCount, "fault")),
		}
	case r.FaultCount > 0:
		res.Outcome = envelope.Outcome{
			Kind: envelope.Findings, Code: envelope.EENVELOPE, Hint: "docs/reference/rules.md explains each rule.",
			Message: fmt.Sprintf("%s in %s", term.Plural(r.FaultCount, "fault"), term.Plural(r.Documents, "envelope")),
		}
	}
	d, _ := envelope.Lookup("protocol/v1")
	doc, err := envelope.Encode(d, res, envelope.EncodeOptions{})
	if err == nil {
		_, err = c.Stdout.Write(doc)
	}
	return err
}

// checks returns what an envelope is checked for. With --strict the store is opened
// for reading; done closes it.
func checks(c *cli.Call, o *validateOptions) (checks envelope.ValidateOptions, done func(), err error) {
	checks.Strict = o.strict
	if !o.strict {
		return checks, func() {}, nil
	}
	a, err := c.OpenArchive()
	if err != nil {
		return checks, nil, err
	}
	masker := redact.New(redact.Options{Values: redact.EnvValues(c.Environ)})
	checks.Mask = func(doc []byte) []byte {
		masked, _ := masker.Bytes(doc)
		return masked
	}
	checks.Artifact = func(digest string) envelope.ArtifactState { return artifactState(a, digest) }
	return checks, a.Close, nil
}

// artifactState reads an artifact and compares it with its digest.
func artifactState(a *cli.Archive, digest string) envelope.ArtifactState {
	o, err := a.Get(digest)
	if err == nil {
		_, err = io.Copy(io.Discard, o)
		_ = o.Close() // it was read only
	}
	switch {
	case err == nil:
		return envelope.ArtifactWhole
	case errors.Is(err, artifact.ErrNotFound):
		return envelope.ArtifactMissing
	}
	return envelope.ArtifactCorrupt
}
