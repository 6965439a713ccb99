package cli

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/term"
	"github.com/envwrap/envwrap/wrap"
)

// finish writes the envelope and ends with the status that --exit-code asks
// for, or with 125 where it could not be written.
func (r *runner) finish(result *envelope.Result) error {
	if r.bytes {
		return r.finishBytes(result)
	}
	err := r.emit(result)
	if result.HasStored() || r.o.format.Name() == briefName {
		r.remember(result)
	}
	if err != nil {
		r.say("cannot write the envelope: " + err.Error())
		return status(statusFailed)
	}
	r.sayFailure(&result.Outcome)
	return r.endedOutput(r.o.exitCode.status(result, r.o.rules))
}

// sayFailure prints one line on stderr where the envelope went to a file and the command
// did not run to an end of its own, or envwrap failed at its own work: what the reader of
// the command's output would not learn otherwise.
func (r *runner) sayFailure(o *envelope.Outcome) {
	elsewhere := r.o.output != "" && r.o.output != "-" && r.sink.stream != r.Stdout && r.sink.stream != r.Stderr
	if elsewhere && (r.meddled(o) || o.Code == envelope.EIO && o.ClassifiedBy == envelope.ByEnvwrap) {
		r.say(o.Message)
	}
}

// refuse tells a usage error: an EARG envelope, a short text on stderr, and
// 125 whatever --exit-code says.
func (r *runner) refuse(err error) error {
	var u *usageError
	if !errors.As(err, &u) {
		u = &usageError{text: err.Error()}
	}
	return r.tell(wrap.Misused, envelope.EARG, u)
}

// fail tells that envwrap itself could not do its work, for want of
// descriptors for instance.
func (r *runner) fail(err error) error {
	return r.tell(wrap.Refused, envelope.EIO, &usageError{text: err.Error(), hint: "Nothing was run; try again."})
}

// A refusal makes the record of a command that was not run.
type refusal func(*wrap.Command, envelope.Outcome) *envelope.Result

// tell writes the envelope of a run that was not begun; to stdout where it was
// to go elsewhere and cannot.
func (r *runner) tell(as refusal, code envelope.Code, u *usageError) error {
	const help = "`envwrap help run` lists the options."
	hint := cmp.Or(u.hint, help)
	if code == envelope.EARG && r.sink.stream == r.Stdout && term.IsTerminal(r.Stdout) {
		text := u.text + "\n" + hint
		if hint != help {
			text += "\n" + help
		}
		r.say(text) // a person reads, who has no use for an envelope
		return status(statusFailed)
	}
	r.say(u.text + "\n" + hint)
	record := as(r.cmd, envelope.Outcome{
		Kind:         envelope.Failure,
		Code:         code,
		Message:      u.text,
		Hint:         hint,
		Retryable:    code == envelope.EIO,
		ClassifiedBy: envelope.ByEnvwrap,
	})
	record.Category = r.category
	if r.bytes {
		r.remember(record)
		return status(statusFailed)
	}
	err := r.emit(record)
	if err != nil && r.sink.stream != r.Stdout {
		r.sink = &sink{stream: r.Stdout, readers: r.readers}
		err = r.emit(record)
	}
	if err != nil {
		r.say("cannot write the envelope: " + err.Error())
	}
	return status(statusFailed)
}

// emit writes the envelope where it belongs. One that had to leave something
// out is better than none.
func (r *runner) emit(result *envelope.Result) error {
	defer r.heed()()
	doc, err := envelope.Encode(r.o.format, result, r.encoding())
	if err != nil {
		r.say(err.Error())
	}
	if r.sink.stream != nil {
		doc = term.Painted(r.sink.stream, r.lookup, doc)
	}
	if err := r.sink.write(doc); err != nil {
		return err
	}
	return r.sink.close()
}

// heed makes signals end the patience with those who read what envwrap writes,
// until end is called. While a command runs, the run itself does so.
func (r *runner) heed() (end func()) {
	if r.signals == nil {
		return func() {}
	}
	return r.readers.heed(r.signals, r.o.killAfter)
}

// say prints a text on stderr, masked. That nobody hears it changes nothing.
func (r *runner) say(text string) {
	masked, _ := r.cmd.Redactor.String(text)
	listeners := newReadership()
	if r.abandoned() { // the text has a moment
		defer time.AfterFunc(time.Second, listeners.abandon).Stop()
	}
	_, _ = fmt.Fprintf(listeners.writer(r.Stderr), "envwrap: %s\n", term.Text(strings.TrimSpace(masked)))
}

// abandoned reports whether nobody waits for our readers any more.
func (r *runner) abandoned() bool {
	if r.readers == nil {
		return false
	}
	select {
	case <-r.readers.gone:
		return true
	default:
		return false
	}
}

// ended is the error that stands for an exit status.
func ended(n int) error {
	if n == statusOK {
		return nil
	}
	return status(n)
}
