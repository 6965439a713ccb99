package wrap

import (
	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/shared/failpattern"
	"github.com/envwrap/envwrap/wrap/internal/program"
)

// bySignature reads the output of a failed command for a well-known text.
func (j *judgement) bySignature() (envelope.Outcome, bool) {
	if j.mute || !j.exited() {
		return envelope.Outcome{}, false
	}
	m, ok := failpattern.Find(j.res.Stderr.Tail, j.res.Stdout.Tail)
	if !ok {
		return envelope.Outcome{}, false
	}
	return envelope.Outcome{
		Kind: m.Kind, Code: m.Code, Retryable: m.Retryable, Network: m.Network,
		ClassifiedBy: envelope.BySignature,
	}, true
}

// innerHint says what to do about the command that a build tool could not run,
// where its output shows that and its own status does not; else it is "".
func (j *judgement) innerHint() string {
	status, ok := failpattern.Inner(j.res.Stderr.Tail, j.res.Stdout.Tail)
	if !ok || status == j.end.code {
		return ""
	}
	tool := program.Name(j.c.Argv[0])
	switch status {
	case statusNotFound:
		return tool + " ran a command that was not found (status 127): install it, or mend PATH."
	case statusNotExecutable:
		return tool + " ran a command that could not be executed (status 126): check its rights (chmod +x) and its format."
	}
	return ""
}

// inner returns the status that a build tool replaced with its own, for the
// record's details.
func (j *judgement) inner() envelope.Fields {
	if !j.exited() {
		return nil
	}
	status, ok := failpattern.Inner(j.res.Stderr.Tail, j.res.Stdout.Tail)
	if !ok || status == j.end.code {
		return nil
	}
	return envelope.Fields{field("inner_exit_code", status)}
}
