package wrap

import (
	"fmt"
	"slices"
	"strings"

	"github.com/envwrap/envwrap/artifact"
	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/redact"
	"github.com/envwrap/envwrap/wrap/internal/program"
)

// record makes the neutral record of the run. What must or should not stay
// inline goes to the store first, since its failure is part of the record.
func (r *run) record() *envelope.Result {
	r.stopLate()
	res := r.facts()
	res.Stdout, r.parseErr = r.inline(r.stdout, r.c.Parse)
	res.Stderr, _ = r.inline(r.stderr, envelope.ParseText)
	res.Outcome = r.judge(res)
	res.ExitStatus = r.exitStatus(&res.Outcome)
	res = r.adopt(res)
	r.spill(res)
	r.shareExcerpts(res)
	if r.storeErr != nil && res.Exec == nil {
		res.Outcome = r.judge(res)
	}
	r.mask.outcome(&res.Outcome)
	if len(r.store.warning) > 0 {
		r.warn(r.store.warning)
	}
	r.fillRecording()
	res.Warnings = r.mask.texts(r.warnings)
	if res.Exec != nil {
		res.Exec.Warnings, res.Warnings = res.Warnings, nil
	}
	return res
}

// stopLate judges a child that printed too much and ended before --on-overflow
// kill could stop it as one that was stopped: what a run means does not depend
// on which of the two was first.
func (r *run) stopLate() {
	if r.failure == nil && r.stopped.cause == stopNone && r.c.OnOverflow == OverflowKill && r.over(r.stdout.capture) {
		r.stopped = stop{cause: stopOverflow, late: true}
	}
}

// facts returns what is known without looking at the output.
func (r *run) facts() *envelope.Result {
	argv, counts := r.mask.commandLine(r.c.Argv)
	for _, s := range []*stream{r.stdout, r.stderr} {
		for rule, n := range s.counts() {
			if counts == nil {
				counts = redact.Counts{}
			}
			counts[rule] += n
		}
	}
	res := r.outline(argv, counts)
	res.Duration, res.Usage, res.Leftovers = r.ended.Sub(r.started), r.usage, r.left
	return res
}

// outline returns what a record says whether or not the command has run. argv is the
// masked command line; counts says what was masked.
func (r *run) outline(argv []string, counts redact.Counts) *envelope.Result {
	res := &envelope.Result{
		Command: r.command(own), Tool: own, Argv: []string{},
		RequestID: r.c.RequestID, TraceID: r.mask.text(r.c.TraceID), TraceMade: r.c.TraceMade,
		Workspace: r.mask.text(r.c.Workspace), Agent: r.c.Agent,
		Started: r.started, Ended: r.ended, Redactions: redactions(counts),
	}
	if len(r.c.Argv) > 0 {
		tool := r.mask.text(program.Name(r.c.Argv[0]))
		res.Command, res.Tool, res.Argv = r.command(tool), tool, argv
	}
	return res
}

// command returns the record's command without secrets: tool is masked already, and a
// given name that has a secret in it is masked and made to fit the form of a command
// again.
func (r *run) command(tool string) string {
	if r.c.Name == "" {
		return envelope.CommandName(tool)
	}
	if masked := r.mask.text(r.c.Name); masked != r.c.Name {
		return envelope.CommandName(masked)
	}
	return r.c.Name
}

// inline returns the stream with its content where memory has all of it.
func (r *run) inline(s *stream, parse envelope.Parse) (envelope.Stream, error) {
	c := s.capture
	out := c.sum.Stream()
	if !c.whole {
		return out, c.sum.Err()
	}
	err := out.Interpret(c.memory, parse)
	return out, err
}

// adopt takes over an envelope that the child itself printed.
func (r *run) adopt(res *envelope.Result) *envelope.Result {
	if r.c.Parse == envelope.ParseText || !r.stdout.capture.whole || r.stopped.cause != stopNone || r.failure != nil {
		return res
	}
	adopted, claims, err := envelope.Adopt(res, r.stdout.capture.memory)
	switch {
	case !claims:
		return res
	case err != nil:
		res.Outcome = brokenEnvelope(res, err)
		return res
	}
	adopted.ExitStatus = res.ExitStatus
	return adopted
}

// spill moves to the store what may not stay inline: what is over the capture
// limit or not in memory, what the dialect wants there, and then the largest
// until the rest fits.
func (r *run) spill(res *envelope.Result) {
	if res.Exec != nil && r.c.Placement.Keep != envelope.KeepLarge && !res.Outcome.OK() {
		r.keepPrinted(res)
	}
	slots := r.slots(res)
	for _, s := range slots {
		if !s.capture.whole || r.over(s.capture) || r.keeps(res, s) {
			r.move(res, s)
		}
	}
	envelope.MakeRoom(slots, slot.weight,
		func() bool { return r.c.Placement.Fits(res, r.c.inlineLimit()) },
		func(s slot) { r.move(res, s) })
	for _, s := range r.slots(res) {
		r.keepExact(res, s)
	}
}

// keepExact puts a stream that the envelope shows as text into the store where
// that text is not what was printed, byte for byte. Without a store the envelope
// has the bytes.
func (r *run) keepExact(res *envelope.Result, s slot) {
	if !r.c.Placement.Keep.WantsExact(s.stream) {
		return
	}
	c := s.capture
	digest, err := c.commit(artifact.Info{Kind: c.sum.Summary().Kind, Command: res.Command, Stream: c.name})
	switch {
	case err == nil && !c.clipped:
		s.stream.Exact, s.stream.Read = digest, r.read(digest)
	case s.stream.Replaced > 0:
		s.stream.Text, s.stream.Replaced, s.stream.Binary = "", 0, c.memory
	default:
		r.warn(c.name + " could not be stored as it was printed")
	}
}

// A slot is a place in the record that can hold a stream inline.
type slot struct {
	capture *capture
	stream  *envelope.Stream
	payload bool // the adopted envelope's payload replaces the stream
}

// weight returns how many bytes of the record moving the slot to the store would save; 0
// if it was moved already.
func (s slot) weight() int64 {
	if s.stream.Artifact != "" {
		return -1
	}
	return s.capture.bytes
}

func (r *run) slots(res *envelope.Result) []slot {
	out := slot{capture: r.stdout.capture, stream: &res.Stdout}
	errs := slot{capture: r.stderr.capture, stream: &res.Stderr}
	if res.Exec != nil {
		out.payload = true
		errs.stream = &res.Exec.Stderr
	}
	return []slot{out, errs}
}

// keeps reports whether the dialect wants the stream in the store although it is
// small. An adopted envelope stays as it is.
func (r *run) keeps(res *envelope.Result, s slot) bool {
	if s.capture.bytes == 0 || res.Exec != nil {
		return false
	}
	return r.c.Placement.Keep.Wants(res, s.stream)
}

// keepPrinted puts a failed envelope that the child printed into the store, as
// any failed command's output: a dialect that shows no payload beside an error
// would lose the child's.
func (r *run) keepPrinted(res *envelope.Result) {
	r.move(res, slot{capture: r.stdout.capture, stream: &res.Exec.Stdout})
}

// move puts a stream into the store and leaves an excerpt. Where the store
// fails, what cannot stay inline is cut to head and tail.
func (r *run) move(res *envelope.Result, s slot) {
	c := s.capture
	if c.bytes == 0 || s.stream.Artifact != "" {
		return
	}
	out := c.sum.Spilled("", "", r.excerptSize(res)) // while the bytes go to the disk
	if c.kept != nil {
		out.Summary = c.kept.Summary()
	}
	digest, err := c.commit(artifact.Info{Kind: out.Summary.Kind, Command: res.Command, Stream: c.name})
	if err != nil {
		r.storeFailed(res, s, err)
		return
	}
	if s.payload {
		res.Payload = nil
	}
	out.Artifact, out.Read = digest, r.read(digest)
	out.Truncated = c.kept != nil || r.over(c) && c.name == "stdout"
	*s.stream = out
	if c.kept != nil {
		r.warn(clippedText(c))
	}
}

// clippedText returns the warning about what the store did not take of a stream.
func clippedText(c *capture) string {
	all, kept := c.sum.Stream(), c.kept.Stream()
	limit := "--max-artifact"
	if c.full {
		limit = "--store-max"
	}
	return fmt.Sprintf("%s: the store kept the first %d of %d bytes and %d of %d lines; the other %d bytes are lost (%s)",
		c.name, kept.Bytes, all.Bytes, kept.Lines, all.Lines, all.Bytes-kept.Bytes, limit)
}

func (r *run) read(digest string) string {
	if r.c.Read == nil {
		return "envwrap artifact cat " + envelope.ShortDigest(digest)
	}
	return r.c.Read(digest)
}

// storeFailed keeps what it can: a stream that is small stays inline as it is,
// of a large one head and tail do.
func (r *run) storeFailed(res *envelope.Result, s slot, err error) {
	if r.storeErr == nil {
		r.storeErr = err
		r.warn("the artifact store failed: " + err.Error())
	}
	c := s.capture
	if s.payload || c.whole && c.bytes <= r.c.inlineLimit() && !r.over(c) {
		return
	}
	out := c.sum.Stream()
	head, tail, bytes, lines := c.sum.Ends(r.excerptSize(res))
	out.Text = head + tail
	if bytes > 0 {
		lost := fmt.Sprintf("%d of %d bytes of %s", bytes, c.bytes, c.name)
		if !slices.Contains(r.lost, lost) { // the second time, where a dialect keeps all output
			r.lost = append(r.lost, lost)
		}
		out.Text = fmt.Sprintf("%s\n... [%d bytes (%d lines) are lost: they could not be stored] ...\n%s", strings.TrimSuffix(head, "\n"), bytes, lines, tail)
	}
	out.Truncated = bytes > 0
	*s.stream = out
}

// Misused returns the record of a usage error. It is envwrap's own record, whatever
// command was asked for: its command is exec/envwrap unless c has a Name, its tool is
// envwrap. Of c only the Redactor is required.
func Misused(c *Command, o envelope.Outcome) *envelope.Result {
	res := Refused(c, o)
	res.Command, res.Tool = newRun(c).command(own), own
	return res
}

// own is the tool in envwrap's own records.
const own = "envwrap"

// Refused returns the record of a command that the caller did not run, for the reason
// in o. If Argv is empty it is envwrap's own record, like that of a usage error. Of c
// only the Redactor is required.
func Refused(c *Command, o envelope.Outcome) *envelope.Result {
	r := newRun(c)
	r.started = r.now()
	r.ended = r.started
	res := r.outline(r.mask.redactor.Args(c.Argv))
	res.ExitStatus, res.Outcome, res.Warnings = statusSelf, o, r.mask.texts(r.warnings)
	r.mask.outcome(&res.Outcome)
	return res
}
