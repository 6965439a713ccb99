package wrap

import (
	"strings"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/shared/exitcode"
	"github.com/envwrap/envwrap/internal/shared/failpattern"
	"github.com/envwrap/envwrap/internal/shared/hints"
	"github.com/envwrap/envwrap/internal/shared/shell"
)

// advice is the hint for a code and the classifier that found it. Most failures have no
// hint, since their output says enough.
var advice = [...]struct {
	code envelope.Code
	by   envelope.Classifier // "" means any
	text string
}{
	{envelope.EOUTPUTTOOLARGE, "", "Narrow what the command prints, or raise --max-capture (0 is no limit)."},
	{envelope.EPARSE, envelope.ByEnvwrap, "Ask the command for JSON (often --json or -o json), or take its output as text with --parse auto."},
	{envelope.EIO, envelope.ByShell, "The shell found the command and could not execute it: check its rights (chmod +x) and its format."},
	{envelope.EIO, envelope.ByEnvwrap, "Give --store a directory that can be written, or make room on the disk; the command itself has ended."},
	{envelope.EIO, envelope.BySignature, "Make room on the disk, or write to a file system that is not read-only."},
	{envelope.ENOTFOUND, envelope.ByShell, "Check the command's spelling, and the PATH of the shell."},
	{envelope.EAUTH, "", "Log in, or give the command valid credentials."},
}

// hint returns an action that the caller can take on the outcome o, or "" if envwrap
// knows none but to read the output. It advises --retries only if the caller
// did not ask for retries.
func (j *judgement) hint(o *envelope.Outcome) string {
	if o.Timeout != envelope.NoTimeout {
		return timeLimitHint(o)
	}
	if j.exited() || j.failure == nil && j.end.signal != 0 && !j.killed() {
		if hint := hints.Text(j.ending(o)); hint != "" {
			return hint
		}
	}
	switch {
	case o.Retryable && o.ClassifiedBy == envelope.ByStatus:
		return j.killedHint(o)
	case o.Retryable:
		return j.retryHint(o)
	}
	for _, row := range advice {
		if row.code == o.Code && (row.by == "" || row.by == o.ClassifiedBy) {
			return row.text
		}
	}
	return ""
}

// ending returns the message of the outcome and the end of the output, in which a hint may
// be found: what a long output says before that has hardly ended the command.
func (j *judgement) ending(o *envelope.Outcome) string {
	end := func(s *envelope.Stream) string { return string(s.Tail[max(0, len(s.Tail)-endingMost):]) }
	return strings.ToValidUTF8(o.Message+"\n"+end(&j.res.Stderr)+"\n"+end(&j.res.Stdout), "\ufffd")
}

// endingMost is how much of each stream's end may have a hint, in bytes.
const endingMost = 2 << 10

// killedHint returns the hint for a SIGKILL that envwrap did not send.
func (j *judgement) killedHint(o *envelope.Outcome) string {
	if n := o.Details.Get("oom_kills"); n != nil {
		return "SIGKILL came from outside, and the kernel has killed " + string(n) + " processes of this cgroup for want of memory. Give it less to do at once, or more memory."
	}
	if inv, ok := shell.ReadInvocation(exitcode.Through(j.c.Argv)); ok && strings.Contains(inv.Text, "kill") {
		return "SIGKILL came from a kill of the text's own, or memory may have run out."
	}
	return "SIGKILL came from outside; memory may have run out. Give it less to do at once, or more memory."
}

// retryHint returns the hint of a failure that another try may resolve: first what the
// caller can check, then how to retry.
func (j *judgement) retryHint(o *envelope.Outcome) string {
	var check string
	switch {
	case strings.Contains(o.Meaning, "resolve") || failpattern.UnknownHost(j.res.Stderr.Tail, j.res.Stdout.Tail):
		check = "Check the spelling of the host name."
	case o.Code == envelope.ETIMEOUT:
		check = "Raise the command's own time limit."
	case o.Code == envelope.ERATELIMIT:
		check = "The server limits requests; wait, or lower the rate."
	}
	if j.c.retrying || j.c.Below { // who reads the hint below a client does not call envwrap
		return check
	}
	retry := "--retries 3 runs it again."
	switch {
	case o.Code == envelope.ERATELIMIT:
		retry = "Add --retries 3 to let envwrap wait for you."
	case check != "":
		retry = "If it was right, --retries 3 runs it again."
		if o.Code == envelope.ETIMEOUT {
			retry = "Or --retries 3 runs it again."
		}
	}
	return strings.TrimSpace(check + " " + retry)
}

// timeLimitHint returns the hint of a run that a time limit ended.
func timeLimitHint(o *envelope.Outcome) string {
	switch {
	case o.Details.Get("waiting_for") != nil:
		return "It was waiting for input: give it --stdin null or a file, --non-interactive, or its own option that answers for you (often --yes)."
	case o.Timeout == envelope.IdleTimeout:
		return "Raise --idle-timeout, let it print more often (often --verbose), or run it in the background."
	}
	return "Raise --timeout, or run it in the background."
}

// kindCode returns the code of an outcome that --exit-map names.
func kindCode(kind envelope.Kind) envelope.Code {
	switch kind {
	case envelope.Timeout:
		return envelope.ETIMEOUT
	case envelope.Canceled:
		return envelope.ECANCELED
	case envelope.NotStarted:
		return envelope.ENOTFOUND
	}
	return envelope.ERUNTIME
}

// codeKind returns the outcome of a code that --exit-map names.
func codeKind(code envelope.Code) envelope.Kind {
	switch code {
	case envelope.ETIMEOUT:
		return envelope.Timeout
	case envelope.ECANCELED:
		return envelope.Canceled
	}
	return envelope.Failure
}

// usuallyRetryable reports whether a failure with this code usually may pass if the
// command is run again.
func usuallyRetryable(code envelope.Code) bool {
	return code == envelope.ERATELIMIT || code == envelope.ETIMEOUT
}
