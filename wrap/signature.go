package wrap

import (
	"fmt"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/signature"
)

// bySignature reads the output of a failed command for a well-known text.
func (j *judgement) bySignature() (envelope.Outcome, bool) {
	if j.mute || !j.exited() {
		return envelope.Outcome{}, false
	}
	m, ok := signature.Find(j.res.Stderr.Tail, j.res.Stdout.Tail)
	if !ok {
		return envelope.Outcome{}, false
	}
	return envelope.Outcome{
		Kind: m.Kind, Code: m.Code, Retryable: m.Retryable, Network: m.Network,
		ClassifiedBy: envelope.BySignature,
	}, true
}

// innerHint says what became of the command that a build tool ran, where its
// output tells and its own status does not; else it is "".
func (j *judgement) innerHint() string {
	status, ok := signature.Inner(j.res.Stderr.Tail, j.res.Stdout.Tail)
	if !ok || status == j.end.code {
		return ""
	}
	tool := toolName(j.c.Argv[0])
	switch status {
	case statusNotFound:
		return tool + " ran a command that was not found (status 127); its output names it. Install that, or mend PATH."
	case statusNotExecutable:
		return tool + " ran a command that could not be executed (status 126); its output names it."
	}
	return fmt.Sprintf("%s ran a command that ended with status %d; its output says why.", tool, status)
}

// inner is the status that a build tool has hidden behind its own, for the
// record's details.
func (j *judgement) inner() envelope.Fields {
	if !j.exited() {
		return nil
	}
	status, ok := signature.Inner(j.res.Stderr.Tail, j.res.Stdout.Tail)
	if !ok || status == j.end.code {
		return nil
	}
	return envelope.Fields{field("inner_exit_code", status)}
}
