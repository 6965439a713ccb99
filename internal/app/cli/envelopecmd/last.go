package envelopecmd

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/runlog"
	"github.com/envwrap/envwrap/internal/shared/term"
)

// lastOptions are the options of last.
type lastOptions struct {
	format          envelope.Dialect // nil is the default
	pretty, compact bool
	back            int
}

// LastVerb returns the verb last.
func LastVerb(*cli.Env) *cli.Verb {
	o := &lastOptions{}
	return &cli.Verb{
		Name:    "last",
		Args:    "[N|ID]",
		Summary: "print the envelope of the last run",
		Text: `N counts back: 1 is the last run, 2 the one before it; envwrap history lists them.
ID is the id of a run (history --json). A run that still shows its output, or whose envwrap
was killed, is answered with what it has printed so far.
The output is there of runs that stored some, of runs with -f brief, and of those
whose output was passed on as it was. Of others, whose envelope was printed, only
how they ended is recorded. Secrets are masked, whatever was passed on.`,
		Has:     cli.HasStore,
		Prints:  true,
		Example: "envwrap last\nenvwrap last -n 3 -f helper/v1",
		Options: []*cli.Option{
			{Name: "format", Short: "f", Value: "DIALECT", Def: "protocol/v1, on a terminal brief/v1", NoEnv: true, Help: "dialect of the envelope", Choices: cli.OutputNames, Set: cli.Into(&o.format, cli.Format)},
			{Name: "number", Short: "n", Value: "N", Def: "1", NoEnv: true, Help: "print the run before N-1 others, as the word N does", Set: cli.Into(&o.back, back)},
			{Name: "pretty", NoEnv: true, Help: "indent the envelope", Set: cli.Into(&o.pretty, cli.Boolean)},
			{Name: "compact", NoEnv: true, Help: "write the envelope on one line", Set: cli.Into(&o.compact, cli.Boolean)},
		},
		Run: func(_ context.Context, c *cli.Call) error { return o.print(c) },
	}
}

func (o *lastOptions) print(c *cli.Call) error {
	run, err := o.find(c)
	if err != nil {
		return err
	}
	doc, err := envelopeOf(c, run)
	if err != nil {
		return err
	}
	format := o.format
	switch {
	case format != nil:
	case term.IsTerminal(c.Stdout) && !o.pretty && !o.compact:
		format, _ = envelope.Lookup("brief/v1")
	default:
		format = envelope.Dialects()[0]
	}
	layout := cli.Layout(o.pretty, o.compact, term.IsTerminal(c.Stdout))
	doc, _, err = envelope.Convert(envelope.Dialects()[0], format, doc, envelope.EncodeOptions{Layout: layout})
	if err != nil {
		return fmt.Errorf("read the envelope of run %s: %w", run.ID, err)
	}
	if _, err := c.Out().Write(term.Painted(c.Stdout, c.Lookup, doc)); err != nil {
		return fmt.Errorf("print the envelope: %w", err)
	}
	c.ReportNested(doc, cli.StatusOK)
	return nil
}

// idLength is the length of a run's id, a ULID.
const idLength = 26

// find returns the run that the word or the option names.
func (o *lastOptions) find(c *cli.Call) (*cli.Recorded, error) {
	n := max(o.back, 1)
	if words := c.Operands(); len(words) > 0 {
		if len(words[0]) == idLength {
			return c.RunByID(c.Store(), words[0])
		}
		var err error
		if n, err = back(words[0]); err != nil {
			return nil, err
		}
	}
	var run *cli.Recorded
	count := 0
	err := c.Runs(c.Store(), time.Time{}, func(r cli.Recorded) bool {
		if count = r.N; r.N == n {
			run = &r
		}
		return run == nil
	}, nil)
	if err == nil && run == nil {
		err = fmt.Errorf("%s recorded\n`envwrap history` lists them.", areRuns(count))
	}
	return run, err
}

// envelopeOf returns the kept envelope of a run, in protocol/v1, or that of its far end, or one
// with what the record has.
func envelopeOf(c *cli.Call, run *cli.Recorded) ([]byte, error) {
	kept, err := c.Envelopes(run.Store)
	if err != nil {
		return nil, err
	}
	var result *envelope.Result
	of := func(id string) int {
		return slices.IndexFunc(kept, func(e runlog.Envelope) bool { return e.ID != "" && e.ID == id })
	}
	if i := of(run.ID); i >= 0 {
		if run.Late == nil {
			return kept[i].Doc, nil
		}
		if result, err = envelope.Decode(envelope.Dialects()[0], kept[i].Doc); err != nil {
			return nil, fmt.Errorf("read the envelope of run %s: %w", run.ID, err)
		}
	} else {
		result = resultOf(run.Run)
		if i := of(run.Far); i >= 0 {
			if far, err := envelope.Decode(envelope.Dialects()[0], kept[i].Doc); err == nil {
				far.Runner, far.JobID = result.Runner, result.JobID
				result = far
			}
		}
	}
	switch {
	case run.Outcome == cli.Unfinished:
		addParts(c, run.Run, result)
	case run.Late != nil:
		addLate(c, run.Late, result)
	}
	return envelope.Encode(envelope.Dialects()[0], result, envelope.EncodeOptions{Layout: envelope.LayoutCompact})
}

// resultOf returns what the record has of a run whose envelope was printed and not kept.
func resultOf(run *runlog.Run) *envelope.Result {
	argv := slices.Clone(run.Argv)
	for i, w := range argv {
		if w == "" && run.Text != "" {
			argv[i] = run.Text
		}
	}
	o := envelope.Outcome{
		Kind: envelope.Kind(run.Outcome), Code: envelope.Code(run.Code), Message: run.Message,
		ExitCode: run.ExitCode, Signal: run.Signal, ClassifiedBy: envelope.ByEnvwrap,
	}
	note := "its output was printed and is not kept; the rest is from the record of runs"
	if run.Outcome == cli.Unfinished {
		o.Kind, o.Code = envelope.Failure, envelope.EIO
		o.Message = "the run has no end on record: it still runs, or envwrap was killed"
		note = ""
	}
	duration := time.Duration(run.Duration) * time.Millisecond
	result := &envelope.Result{
		Command: run.Command, Argv: argv, Workspace: cmp.Or(run.Workspace, run.Dir), Agent: run.Agent, Runner: run.Runner,
		Started: run.Time.Add(-duration), Ended: run.Time, Duration: duration, Outcome: o,
		Stdout: unkept(run.StdoutBytes, run.StdoutLines), Stderr: unkept(run.StderrBytes, run.StderrLines),
	}
	if n := int64(len(run.Excerpt)); run.Outcome == cli.Unfinished && n > 0 { // what was shown first
		result.Stdout = envelope.Stream{Text: run.Excerpt, Bytes: n, Lines: int64(strings.Count(run.Excerpt, "\n")), Truncated: true}
	}
	if len(argv) > 0 {
		result.Tool = filepath.Base(argv[0])
	}
	if run.Job {
		result.JobID = run.ID
	}
	if note != "" {
		result.Warnings = []string{note}
	}
	for rule, n := range run.Masked {
		if result.Redactions.ByRule == nil {
			result.Redactions.ByRule = map[string]int{}
		}
		result.Redactions.Total += n
		result.Redactions.ByRule[rule] = n
	}
	return result
}

// addParts adds to the result of an unfinished run what the store has of its output so far,
// and whether it still runs.
func addParts(c *cli.Call, run *runlog.Run, result *envelope.Result) {
	if run.Parts == nil {
		return
	}
	archive, err := c.OpenArchive()
	if err != nil {
		return // the record has the beginning
	}
	defer archive.Close()
	o := &result.Outcome
	o.Message = "envwrap was killed before the run ended; this is what the command had printed"
	if archive.PartAlive(run.Parts.First()) {
		o.Kind, o.Code = envelope.Partial, envelope.ERUNTIME
		o.Message = "it still runs; this is what it has printed so far"
		result.Ended = c.Now()
		result.Duration = result.Ended.Sub(result.Started)
	}
	placement := envelope.Dialects()[0].Placement(envelope.EncodeOptions{})
	for size := int64(partMost); ; size /= 2 {
		var more []string
		if readPart(archive, run.Parts.Stdout, &result.Stdout, size) {
			more = append(more, "`"+c.ReadCommand(c.Store())(run.Parts.Stdout)+"`")
		}
		if readPart(archive, run.Parts.Stderr, &result.Stderr, size) {
			more = append(more, "`"+c.ReadCommand(c.Store())(run.Parts.Stderr)+"`")
		}
		if o.Hint = ""; len(more) > 0 {
			o.Hint = strings.Join(more, " and ") + " prints all of it."
		}
		if part := run.Parts.Pipeline; part != "" {
			o.Hint = strings.TrimSpace(o.Hint + " `" + c.ReadCommand(c.Store())(part) + "` prints what an early stage of the pipeline printed.")
		}
		if size < partLeast || placement.Fits(result, partMost) {
			return
		}
	}
}

// addLate adds to the result of a run what its command printed after the answer was out: to a
// short text the text itself, else how to read it.
func addLate(c *cli.Call, late *runlog.Parts, result *envelope.Result) {
	archive, err := c.OpenArchive()
	if err != nil {
		return // the answer itself is there
	}
	defer archive.Close()
	for _, s := range []struct {
		name, part string
		stream     *envelope.Stream
	}{{"stdout", late.Stdout, &result.Stdout}, {"stderr", late.Stderr, &result.Stderr}} {
		var more envelope.Stream
		cut := readPart(archive, s.part, &more, partMost)
		switch {
		case more.Bytes == 0:
		case !cut && isText(&more) && isText(s.stream) && result.Exec == nil:
			s.stream.Text += more.Text
			s.stream.Bytes += more.Bytes
			s.stream.Lines += more.Lines
			result.Warnings = append(result.Warnings, fmt.Sprintf("the last %s of %s were printed after the answer", term.Bytes(more.Bytes), s.name))
		default:
			result.Warnings = append(result.Warnings, fmt.Sprintf("%s more of %s were printed after the answer: `%s` prints them", term.Bytes(more.Bytes), s.name, c.ReadCommand(c.Store())(s.part)))
		}
	}
}

// How many bytes of the output of an unfinished run are shown, of each stream.
const (
	partMost  = 32 << 10
	partLeast = 1 << 10
)

// readPart sets a stream to the output in a part, to at most size bytes of it, and reports
// whether that has more.
func readPart(archive *cli.Archive, part string, stream *envelope.Stream, size int64) (cut bool) {
	object, err := archive.Get(part)
	if err != nil {
		return false // also where the stream has no part
	}
	defer object.Close()
	sum := envelope.Summarizer{Parse: envelope.ParseText, ExcerptMax: int(size)}
	var content bytes.Buffer
	to := io.Writer(&sum)
	if object.Size() <= size {
		to = io.MultiWriter(&sum, &content)
	}
	if _, err := io.Copy(to, object); err != nil {
		return false
	}
	*stream = sum.Stream()
	if object.Size() <= size {
		_ = stream.Interpret(content.Bytes(), envelope.ParseText)
		return false
	}
	head, tail, left, lines := sum.Ends(int(size))
	stream.Text, stream.Truncated = fmt.Sprintf("%s\n... %d bytes (%d lines) ...\n%s", strings.TrimSuffix(head, "\n"), left, lines, tail), true
	return true
}

// isText reports whether a stream is in the envelope whole, as text.
func isText(s *envelope.Stream) bool {
	return int64(len(s.Text)) == s.Bytes && s.Replaced == 0 && s.JSON == nil && s.Binary == nil && s.Stored() == "" && !s.Truncated
}

// unkept returns a stream of which only the size is known.
func unkept(size, lines int64) envelope.Stream {
	return envelope.Stream{Bytes: size, Lines: lines, Truncated: size > 0}
}

// back reads how many runs back a word says.
func back(word string) (int, error) {
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
