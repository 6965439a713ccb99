package wrap

import (
	"cmp"
	"fmt"
	"os"
	"syscall"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/redact"
	"github.com/envwrap/envwrap/wrap/internal/nesting"
	"github.com/envwrap/envwrap/wrap/internal/program"
	"github.com/envwrap/envwrap/wrap/internal/signals"
)

// record makes the neutral record of the run. What must or should not stay
// inline goes to the store first, since its failure is part of the record.
func (r *run) record() *envelope.Result {
	r.stopLate()
	w := &recorder{run: r, res: r.facts()}
	w.res.Stdout, w.parseErr = r.stdout.inline(r.c.Parse)
	w.res.Stderr, _ = r.stderr.inline(envelope.ParseText)
	if w.res.Stdout.Beyond {
		r.warn("stdout is JSON with a number that no double holds: it is text here")
	}
	w.res.Outcome = w.classify()
	w.res.ExitStatus = r.exitStatus(&w.res.Outcome)
	w.adopt()
	defer w.discardNested()
	w.spill()
	w.keepOutputs()
	w.shareExcerpts()
	w.fitExcerpts()
	if w.storeErr != nil && w.res.Exec == nil {
		w.res.Outcome = w.classify()
	}
	if len(r.store.warning) > 0 && r.store.used.Load() {
		r.warn(r.store.warning)
	}
	ended := w.res
	if w.res.Exec != nil { // the rest is the command's words
		ended = w.res.Exec
	}
	ended.Warnings = r.warnings
	r.mask.record(w.res)
	bound(ended)
	w.fillRecording(ended)
	return w.res
}

// stopLate judges a child that printed too much and ended before --on-overflow
// kill could stop it as one that was stopped: what a run means does not depend
// on which of the two was first.
func (r *run) stopLate() {
	if r.failure == nil && r.stopped.cause == stopNone && r.c.OnOverflow == OverflowKill && r.over(r.stdout.capture) {
		r.stopped = stop{cause: stopOverflow, late: true}
	}
}

// facts returns the record without output and outcome: command line, ids, times, usage.
func (r *run) facts() *envelope.Result {
	argv, counts := r.mask.commandLine(r.c.Argv)
	for _, s := range r.both() {
		counts = addCounts(counts, s.counts())
	}
	res := r.outline(argv, counts)
	res.Duration, res.Usage, res.Leftovers = r.ended.Sub(r.started), r.usage, r.left
	return res
}

// outline returns a record with the command line, the ids and the times only. argv is
// masked, and counts has the masked secrets of the run.
func (r *run) outline(argv []string, counts redact.Counts) *envelope.Result {
	res := &envelope.Result{
		Command: r.command(envwrapTool), Tool: envwrapTool, Argv: []string{},
		RequestID: r.c.RequestID, TraceID: r.c.TraceID, TraceMade: r.c.TraceMade,
		Workspace: r.c.Workspace, Agent: r.c.Agent,
		Started: r.started, Ended: r.ended, Redactions: redactions(counts),
	}
	if len(r.c.Argv) > 0 {
		tool := r.mask.text(program.Name(r.c.Argv[0])) // before command changes the letters of a secret
		res.Command, res.Tool, res.Argv = r.command(tool), tool, argv
	}
	return res
}

// command returns the record's command: the given name, or one made from the tool's.
func (r *run) command(tool string) string { return cmp.Or(r.c.Name, envelope.CommandName(tool)) }

// inline returns the stream with its content where memory has all of it.
func (s *stream) inline(parse envelope.Parse) (envelope.Stream, error) {
	c := s.capture
	out := c.sum.Stream()
	if !c.whole {
		return out, c.sum.Err()
	}
	err := out.Interpret(c.memory, parse)
	return out, err
}

// adopt takes over an envelope that the child itself printed. Below a client an envelope is
// output as any other: the client asked for the output of the command.
func (w *recorder) adopt() {
	if w.c.Below || w.c.Parse == envelope.ParseText || !w.stdout.capture.whole || w.stopped.cause != stopNone || w.failure != nil {
		return
	}
	adopted, claims, err := envelope.Adopt(w.res, w.stdout.capture.memory, envelope.Adoption{
		Reported: w.reported, Masked: len(w.stdout.counts()) > 0, Stored: w.c.Stored, Read: w.c.reading, SignalName: signalName,
	})
	switch {
	case !claims:
	case err != nil:
		w.res.Outcome = brokenEnvelope(w.res, err)
	default:
		w.res = adopted
		w.captureNested()
	}
}

// reported reports whether an envwrap below the child said that it printed doc, and
// whether it ended with the status that the child ended with.
func (w *recorder) reported(doc []byte) (printed, ended bool) {
	if w.nested == notNested && w.end.signal == 0 && !w.end.lost {
		switch printed, ended := w.below.Has(doc, w.end.code); {
		case ended:
			w.nested = nestedEnd
		case printed:
			w.nested = nestedEnvelope
		}
	}
	return w.nested != notNested, w.nested == nestedEnd
}

// signalName returns the name of the signal with a number, "" for a number that no signal
// has.
func signalName(n int) string {
	if n <= 0 {
		return ""
	}
	return signals.Name(syscall.Signal(n))
}

// ReportNested tells the envwrap around this process, which context, the value of
// ENVWRAP_CTX, names, that this process printed an envelope and is about to end with
// status: it then takes the envelope as it is. It does nothing without such an envwrap.
func ReportNested(context string, doc []byte, status int) { nesting.Say(context, doc, status) }

// Misused returns the record of a usage error. It is envwrap's own record, whatever
// command was asked for: its command is exec/envwrap unless c has a Name, its tool is
// envwrap. Only the Redactor of c is required.
func Misused(c *Command, o envelope.Outcome) *envelope.Result {
	r := newRun(c)
	res := r.refusal(o)
	res.Command, res.Tool = r.command(envwrapTool), envwrapTool
	return r.maskOwn(res)
}

// envwrapTool is the tool in envwrap's own records.
const envwrapTool = "envwrap"

// Canceled returns the record of a command that was not started because envwrap got a
// signal. Only the Redactor of c is required.
func Canceled(c *Command, sig os.Signal) *envelope.Result {
	tool := envwrapTool
	if len(c.Argv) > 0 {
		tool = program.Name(c.Argv[0])
	}
	res := Refused(c, envelope.Outcome{
		Kind: envelope.Canceled, Code: envelope.ECANCELED, ClassifiedBy: envelope.ByEnvwrap,
		Message: fmt.Sprintf("%s was not started: envwrap got %s", tool, signals.Name(sig)),
		Hint:    "Nothing was run; run it again if it is still wanted.",
	})
	res.ExitStatus = statusSignal + signals.Number(sig)
	return res
}

// Refused returns the record of a command that the caller did not run, for the reason
// in o. If Argv is empty it is envwrap's own record, like that of a usage error. Only the
// Redactor of c is required.
func Refused(c *Command, o envelope.Outcome) *envelope.Result {
	r := newRun(c)
	return r.maskOwn(r.refusal(o))
}

// refusal returns the record of a command that is not run, not masked yet.
func (r *run) refusal(o envelope.Outcome) *envelope.Result {
	r.started = r.now()
	r.ended = r.started
	res := r.outline(r.mask.commandLine(r.c.Argv))
	res.ExitStatus, res.Outcome, res.Warnings = statusSelf, o, r.warnings
	return res
}

// maskOwn masks a record that envwrap itself has written, and cuts long values.
func (r *run) maskOwn(res *envelope.Result) *envelope.Result {
	r.mask.record(res)
	bound(res)
	return res
}

// exitStatus returns the exit status that envwrap has with --exit-code child.
func (r *run) exitStatus(o *envelope.Outcome) int {
	switch {
	case r.failure != nil:
		return r.failure.status
	case r.stopped.cause == stopTimeout, r.stopped.cause == stopIdle:
		return statusTimeout
	case r.stopped.cause == stopCanceled && !r.tookSignal():
		return statusSignal + r.stopped.number()
	case r.stopped.cause == stopOverflow:
		return statusSelf
	case r.end.lost:
		return statusSelf
	case r.end.signal != 0:
		return statusSignal + r.end.signal
	case r.end.code == 0 && o.Code == envelope.EPARSE:
		return statusSelf
	}
	return portable(r.end.code)
}

// portable returns an exit status as eight bits that are 0 only for 0: Windows has 32.
func portable(code int) int {
	if code == 0 || code&0xff != 0 {
		return code & 0xff
	}
	return 0xff
}
