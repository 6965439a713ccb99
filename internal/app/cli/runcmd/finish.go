package runcmd

import (
	"cmp"
	"errors"
	"math"
	"strings"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/platform/output"
	"github.com/envwrap/envwrap/internal/shared/term"
	"github.com/envwrap/envwrap/wrap"
)

// finish writes the envelope and ends with the status that --exit-code asks
// for, or with 125 where it could not be written.
func (r *Runner) finish(result *envelope.Result) error {
	r.gate.pass()
	if r.bytes {
		defer r.endRecord(result, nil)
		return r.finishBytes(result)
	}
	err := r.emit(result)
	r.endRecord(result, err)
	if !r.ranAsJob {
		r.record(result)
	} else {
		r.recordShown(cmp.Or(result.JobID, result.TaskID))
	}
	if err != nil {
		r.say("cannot write the envelope: " + err.Error())
		return cli.Status(cli.StatusFailed)
	}
	r.startHeirs(result)
	r.sayFailure(&result.Outcome)
	if r.O.below != "" {
		dieBy(result.Outcome.Signal)
	}
	status := r.O.exitCode.Status(result, r.O.rules)
	if r.sink.Stream == r.Stdout {
		r.ReportNested(r.printed, status)
	}
	return r.endedOutput(status)
}

// endRecord ends the job that is only a record of a run in the foreground. It stays where
// somebody will ask for it: nobody got the envelope, or that does not say how the run
// ended.
func (r *Runner) endRecord(result *envelope.Result, printErr error) {
	switch {
	case !r.recorded:
		return
	case r.unsettled:
		r.super.Leave(r.cut)
	case printErr != nil:
		_ = r.super.Finish(result) // else the runner is asked
	default:
		r.super.Forget()
	}
	_ = r.super.Close()
}

// sayFailure prints one line on stderr where the envelope went to a file and the command
// did not run to an end of its own, or envwrap failed at its own work: what the reader of
// the command's output would not learn otherwise.
func (r *Runner) sayFailure(o *envelope.Outcome) {
	if r.writesToFile() && (r.O.stoppedByEnvwrap(o) || o.Code == envelope.EIO && o.ClassifiedBy == envelope.ByEnvwrap) {
		r.say(o.Message)
	}
}

// refuse reports a usage error: an EARG envelope, a short text on stderr, and
// 125 whatever --exit-code says.
func (r *Runner) refuse(err error) error {
	var u *cli.UsageError
	if !errors.As(err, &u) {
		u = &cli.UsageError{Text: err.Error()}
	}
	return r.report(wrap.Misused, envelope.EARG, u)
}

// fail reports that envwrap itself could not do its work, for want of
// descriptors for instance.
func (r *Runner) fail(err error) error {
	u, ok := errors.AsType[*cli.UsageError](err)
	if !ok {
		u = &cli.UsageError{Text: err.Error(), Hint: "Nothing was run; try again."}
	}
	return r.report(wrap.Refused, envelope.EIO, u)
}

// A recordFunc makes the record of a command that was not run.
type recordFunc func(*wrap.Command, envelope.Outcome) *envelope.Result

// report writes the envelope of a run that did not start, to stdout if it cannot be
// written to --output.
func (r *Runner) report(as recordFunc, code envelope.Code, u *cli.UsageError) error {
	r.gate.pass()
	const list = "`envwrap help run` lists the options"
	const help = list + "."
	hint := cmp.Or(u.Hint, help)
	if code == envelope.EARG && r.sink.Stream == r.Stdout && term.IsTerminal(r.Stdout) {
		text := u.Text + "\n" + hint
		if !strings.HasPrefix(hint, list) {
			text += "\n" + help
		}
		r.say(text) // a person reads, who has no use for an envelope
		return cli.Status(cli.StatusFailed)
	}
	r.say(u.Text + "\n" + hint)
	record := as(r.cmd, envelope.Outcome{
		Kind:         envelope.Failure,
		Code:         code,
		Message:      u.Text,
		Hint:         hint,
		Retryable:    code == envelope.EIO,
		ClassifiedBy: envelope.ByEnvwrap,
	})
	record.Category = r.category
	if r.bytes {
		r.record(record)
		return cli.Status(cli.StatusFailed)
	}
	if err := r.emitAnywhere(record); err != nil {
		r.say("cannot write the envelope: " + err.Error())
	}
	return cli.Status(cli.StatusFailed)
}

// emitAnywhere writes the envelope where it belongs, or to stdout if it cannot be written
// there.
func (r *Runner) emitAnywhere(result *envelope.Result) error {
	err := r.emit(result)
	if err != nil && r.sink.Stream != r.Stdout {
		r.sink = &output.Sink{Stream: r.Stdout, Readers: r.readers}
		err = r.emit(result)
	}
	return err
}

// emit writes the envelope where it belongs. One that had to leave something
// out is better than none.
func (r *Runner) emit(result *envelope.Result) error {
	o := r.encodeOptions()
	if o.Below && result.Unstored && result.Outcome.OK() { // nobody could read it later
		o.Whole, o.MaxOutput, o.Budget = true, math.MaxInt32, 0
	}
	doc, err := envelope.Encode(r.O.Format, result, o)
	if err != nil {
		r.say(err.Error())
	}
	r.printed = doc
	if r.sink.Stream != nil {
		doc = term.Painted(r.sink.Stream, r.Lookup, doc)
	}
	if doc = doc[r.sink.WriteNow(doc):]; len(doc) > 0 {
		k := result.Outcome.Kind
		defer r.watchSignals(k == envelope.Timeout || k == envelope.Canceled)()
		if err := r.sink.Write(doc); err != nil {
			return err
		}
	}
	return r.sink.Close()
}

// watchSignals makes signals end the wait for those who read what envwrap writes,
// until end is called. While a command runs, the run itself does so. stopped means that
// it was to end by now: no second question is needed.
func (r *Runner) watchSignals(stopped bool) (end func()) {
	if r.signals == nil {
		return func() {}
	}
	return r.readers.WatchSignals(r.signals, r.O.KillAfter, stopped)
}
