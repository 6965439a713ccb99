package runcmd

import (
	"io"
	"os"

	"github.com/envwrap/envwrap/detect"
	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/platform/safefs"
	"github.com/envwrap/envwrap/internal/shared/term"
	"github.com/envwrap/envwrap/wrap"
)

// wantsBytes reports whether stdout gets the command's own bytes. With -o it
// gets them in any case, masked, and the envelope has a place of its own.
func (r *Runner) wantsBytes() bool {
	if r.O.emit == emitAlways || r.O.output != "" && r.O.output != "-" {
		return false
	}
	agent := detect.Detect(r.Lookup, r.Ancestors)
	switch {
	case !agent.Found:
		return true
	case r.O.emit == emitAgent:
		return false
	}
	return !r.AgentReadsPipe(agent)
}

// passBytes makes the command's streams reach the caller as the command writes
// them, each in its own place whatever --tee and --merge say of an envelope. The
// command gets the terminal itself, if there is one, and the record then says
// so.
func (r *Runner) passBytes() {
	c := r.cmd
	c.LiveStdout, c.LiveStderr = nil, nil
	c.Terminal = c.Terminal || term.IsTerminal(r.Stdout) || term.IsTerminal(r.Stderr)
	c.Stdout, c.Stderr = r.passthrough(r.Stdout, "stdout", r.readers.Output), r.passthrough(r.Stderr, "stderr", r.readers.Writer)
	r.O.Merge = c.Stdout.Own == nil && sameStream(r.Stdout, r.Stderr)
	c.Merge = r.O.Merge
}

func (r *Runner) passthrough(f *os.File, name string, to func(*os.File) io.Writer) wrap.Passthrough {
	if term.IsTerminal(f) && r.O.IdleTimeout == 0 && r.O.Cache.TTL == 0 {
		r.cmd.Warnings = append(r.cmd.Warnings, name+" went to a terminal and is not recorded")
		return wrap.Passthrough{Own: f}
	}
	return wrap.Passthrough{To: to(f)}
}

// sameStream reports whether two streams are one: with 2>&1 the order of what
// is written to both must stay.
func sameStream(a, b *os.File) bool {
	infoA, errA := a.Stat()
	infoB, errB := b.Stat()
	return errA == nil && errB == nil && os.SameFile(infoA, infoB)
}

// finishBytes keeps the record of a run whose bytes were passed on, and ends
// with the command's own status. What envwrap itself did to the command has no
// other place to be reported than stderr.
func (r *Runner) finishBytes(result *envelope.Result) error {
	if o := &result.Outcome; r.O.stoppedByEnvwrap(o) {
		r.say(o.Message + "\n" + o.Hint)
	}
	r.record(result)
	if o := &result.Outcome; o.Code == envelope.EPARSE && o.ExitCode != nil {
		return r.endedOutput(*o.ExitCode) // EPARSE concerns the envelope; a reader of the raw output gets the command's status
	}
	return r.endedOutput(exitChild.Status(result, r.O.Format))
}

// endedOutput returns the exit status n of a command whose bytes went to stdout, or 125
// instead of 0 if not all of them could be written.
func (r *Runner) endedOutput(n int) error {
	full := r.readers.Full()
	if full == nil {
		return cli.Ended(n)
	}
	r.say("cannot write the command's output: " + safefs.Cause(full).Error())
	if n == cli.StatusOK {
		n = cli.StatusFailed
	}
	return cli.Ended(n)
}

// stoppedByEnvwrap reports whether the command did not start, or was stopped by envwrap for
// another reason than a signal to envwrap, since its sender knows.
func (o *RunOptions) stoppedByEnvwrap(ended *envelope.Outcome) bool {
	switch ended.Code {
	case envelope.ETIMEOUT:
		return ended.Timeout != envelope.NoTimeout
	case envelope.EOUTPUTTOOLARGE:
		return o.OnOverflow == wrap.OverflowKill
	case envelope.ECANCELED:
		return false
	}
	return ended.Code != "" && ended.ExitCode == nil && ended.Signal == ""
}
