package cli

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

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/term"
)

func validateVerb(*World) *verb {
	o := &validateOptions{}
	return &verb{
		name:    "validate",
		args:    "[FILE...]",
		takes:   aFile,
		summary: "check envelopes and say all that is wrong with them",
		text: `Takes one envelope, a stream of them (NDJSON), the two blocks of tool-envelope/v1,
or an MCP result that holds envelopes. FILE may be - for standard input.

A fault is one line on stdout: a JSON Pointer, the name of the rule that is
broken, and what is wrong. Where there are several documents the line ends with
the place of the one that is meant. The status is 1 where there is a fault.
docs/rules.md explains each rule.`,
		example: "some-helper | envwrap validate --format helper\nenvwrap validate --strict run.json events.ndjson",
		options: []*option{
			formatOption("format", "f", "check against this format; without it each document says its own", &o.format),
			{name: "strict", noEnv: true, help: "also unknown members, secrets in the clear, and artifacts that are not whole", set: into(&o.strict, boolean)},
			{name: "json", noEnv: true, help: "answer with one envelope, the faults in its data", set: into(&o.asJSON, boolean)},
			archiveOption(&o.store),
		},
		run: func(_ context.Context, c *call) error { return c.validate(o) },
	}
}

type validateOptions struct {
	format         envelope.Dialect // nil: the documents say
	strict, asJSON bool
	store          string
}

// formatOption chooses one of the dialects.
func formatOption(name, short, help string, dst *envelope.Dialect) *option {
	return &option{
		name: name, short: short, value: "DIALECT", noEnv: true, help: help,
		choices: dialectNames, set: into(dst, dialect),
	}
}

// outputOption chooses what is written: a dialect, or brief/v1.
func outputOption(name, short, help string, dst *envelope.Dialect) *option {
	o := formatOption(name, short, help, dst)
	o.choices, o.set = outputNames, into(dst, format)
	return o
}

// validate checks each file. A file that cannot be read is told, and the others
// are checked all the same.
func (c *call) validate(o *validateOptions) error {
	checks, done, err := c.checks(o)
	if err != nil {
		return err
	}
	defer done()
	debug.SetGCPercent(400) // next to nothing is kept of a document, and memory is small
	started := c.Now()
	out, end := term.Content(c.Stdout, false)
	r := &report{out: bufio.NewWriter(out), keep: o.asJSON, Formats: map[string]int{}, Faults: []faultLine{}}
	files := c.args()
	for _, name := range orStdin(files) {
		in, err := c.open(name)
		if err == nil {
			err = r.file(in, shownFile(name, len(files) > 1), envelope.Checker{Dialect: o.format, Options: checks})
		}
		if err != nil {
			c.complain(unreadable("validate", name, err))
			r.Unread = append(r.Unread, unreadFile{name, cause(err).Error()})
			if r.unreadCode = envelope.EIO; errors.Is(err, fs.ErrNotExist) {
				r.unreadCode = envelope.ENOTFOUND
			}
		}
	}
	if o.asJSON {
		err = c.printReport(r, started)
	} else {
		err = errors.Join(r.out.Flush(), end())
	}
	switch {
	case err != nil:
		return fmt.Errorf("print the faults: %w", err)
	case r.Unread != nil || r.FaultCount > 0:
		return status(statusFound)
	case term.IsTerminal(c.Stdout) && !o.asJSON:
		c.complain(fmt.Errorf("%s, no fault", term.Plural(r.Documents, "envelope")))
	}
	return nil
}

// unreadable is the error of a file that verb cannot read, with what to do.
func unreadable(verb, name string, err error) error {
	hint := "Name a file that can be read, or - for standard input."
	if name == "-" {
		hint = "Name a FILE to read."
	}
	return &usageError{text: fmt.Sprintf("%s %q: %v", verb, name, cause(err)), hint: hint}
}

// orStdin is the files that were named, or standard input.
func orStdin(files []string) []string {
	if len(files) == 0 {
		return []string{"-"}
	}
	return files
}

// open opens a file, or standard input for "-".
func (c *call) open(name string) (io.ReadCloser, error) {
	if name != "-" {
		return os.Open(c.path(name))
	}
	if c.Stdin == nil {
		return nil, errors.New("standard input is closed")
	}
	return io.NopCloser(c.Stdin), nil
}

// shownFile is a file's name where there are several.
func shownFile(name string, several bool) string {
	if !several {
		return ""
	}
	return name
}

// A report is what validate found in all files.
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
		place.Fault = f
		r.FaultCount++
		if r.keep {
			r.Faults = append(r.Faults, place)
			continue
		}
		_, _ = fmt.Fprintf(r.out, "%s%s\n", f, place.where()) // Flush tells what went wrong
	}
}

// where is the place of a document, for the end of a line; "" where there is
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
func (c *call) printReport(r *report, started time.Time) error {
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
			Kind: envelope.Findings, Code: envelope.EENVELOPE, Hint: "docs/rules.md explains each rule.",
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
