package wrap

import "github.com/envwrap/envwrap/envelope"

// bySignature reads the output of a failed command for a well-known text.
func (j *judgement) bySignature() (envelope.Outcome, bool) {
	return envelope.Outcome{}, false
}
