package wrap

import (
	"github.com/envwrap/envwrap/envelope"
)

// advice says what the caller can do, by code; the first row that fits counts.
var advice = [...]struct {
	code envelope.Code
	by   envelope.Classifier // "" is any
	kind envelope.Kind       // "" is any
	text string
}{
	{envelope.ETIMEOUT, "", "", "It gave up waiting; try again, or raise its own time limit."},
	{envelope.ECANCELED, envelope.ByEnvwrap, "", "Run it again when it may finish."},
	{envelope.ECANCELED, "", "", "It was interrupted; run it again when it may finish."},
	{envelope.EOUTPUTTOOLARGE, "", "", "Read the artifact in parts, narrow what the command prints, or raise --max-capture (0 is no limit)."},
	{envelope.EPARSE, envelope.ByEnvwrap, "", "Ask the command for JSON (often --json or -o json), or take its output as text with --parse auto."},
	{envelope.EPARSE, "", "", "Its input is malformed; look at the line that stderr names."},
	{envelope.EIO, envelope.ByShell, "", "The shell found the command and could not execute it: check its rights (chmod +x) and its format."},
	{envelope.EIO, envelope.ByEnvwrap, "", "Give --store a directory that can be written, or make room on the disk; the command itself has ended."},
	{envelope.EIO, "", "", "Check the disk: free space, rights and mounts."},
	{envelope.ENOTFOUND, envelope.ByShell, "", "The shell did not find the command; check its spelling and PATH."},
	{envelope.ENOTFOUND, "", "", "Check the name or path that the command was given."},
	{envelope.EARG, "", "", "Check the command's arguments against its --help."},
	{envelope.EAUTH, "", "", "Log in, or give the command valid credentials."},
	{envelope.EPOLICY, "", "", "The command was not allowed to; check rights and policy."},
	{envelope.ERATELIMIT, "", "", "The server limits requests; wait, or lower the rate. Add --retries 3 to let envwrap wait for you."},
	{envelope.ESKILLDOWN, "", "", "The service is down; try again later."},
	{envelope.ERUNTIME, "", envelope.Findings, "It did its work and found faults; they are in its output."},
	{envelope.ERUNTIME, "", envelope.Partial, "Part of the work is done; its stderr says what is missing."},
}

// hint finds what to say about the outcome o of res. A row that speaks of a
// kind comes only to that kind.
func hint(o *envelope.Outcome, res *envelope.Result) string {
	if o.Timeout != envelope.NoTimeout {
		return timeLimitHint(o)
	}
	if o.Code == envelope.ERUNTIME && o.Retryable && o.ClassifiedBy == envelope.ByStatus {
		if n := o.Details.Get("oom_kills"); n != nil {
			return "SIGKILL came from outside, and the kernel has killed " + string(n) + " processes of this cgroup for want of memory. Give it less to do at once, or more memory."
		}
		return "SIGKILL came from outside; memory may have run out. Give it less to do at once, or more memory."
	}
	for _, row := range advice {
		if row.code == o.Code && (row.by == "" || row.by == o.ClassifiedBy) && (row.kind == "" || row.kind == o.Kind) {
			return row.text
		}
	}
	if o.Code == envelope.ERUNTIME && o.Retryable {
		return "It may work when it is run again; --retries 3 lets envwrap do so."
	}
	if o.Signal != "" {
		return res.Tool + " was ended by a signal; look for a crash report, or for who sent it."
	}
	switch {
	case res.Stderr.Bytes > 0:
		return "The command failed; its stderr says why."
	case res.Stdout.Bytes > 0:
		return "The command failed and printed nothing on stderr; its stdout may say why."
	}
	return "The command failed and printed nothing; its documentation tells what the status means, an option like --verbose perhaps why."
}

// timeLimitHint is the hint where a limit of ours ended the run.
func timeLimitHint(o *envelope.Outcome) string {
	switch {
	case o.Details.Get("waiting_for") != nil:
		return "It was waiting for input: give it --stdin null or a file, --non-interactive, or its own option that answers for you (often --yes)."
	case o.Timeout == envelope.IdleTimeout:
		return "Raise --idle-timeout, let it print more often (often --verbose), or run it in the background."
	}
	return "Raise --timeout, or run it in the background."
}

// kindCode is the code of an outcome that --exit-map names.
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

// codeKind is the outcome of a code that --exit-map names.
func codeKind(code envelope.Code) envelope.Kind {
	switch code {
	case envelope.ETIMEOUT:
		return envelope.Timeout
	case envelope.ECANCELED:
		return envelope.Canceled
	}
	return envelope.Failure
}

// usuallyRetryable says whether a code invites another try as it is.
func usuallyRetryable(code envelope.Code) bool {
	return code == envelope.ERATELIMIT || code == envelope.ETIMEOUT
}

// name is the signal that envwrap was sent, "" where its context was done.
func (s stop) name() string {
	if s.signal == nil {
		return ""
	}
	return nameOf(s.signal)
}

// number is the signal's number; a done context counts as SIGTERM.
func (s stop) number() int {
	if s.signal == nil {
		return numberOfTERM
	}
	return signalNumber(s.signal)
}

const numberOfTERM = 15
