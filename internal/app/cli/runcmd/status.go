package runcmd

import (
	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/internal/app/cli"
)

// An exitRule says what envwrap's own exit status means (--exit-code).
type exitRule int

const (
	exitChild    exitRule = iota // what became of the command
	exitEnvelope                 // what the envelope says
	exitZero                     // that there is an envelope
)

// String returns the word for the rule.
func (rule exitRule) String() string {
	for _, w := range exitWords() {
		if w.Value == rule {
			return w.Name
		}
	}
	return ""
}

// Status returns envwrap's exit status after an envelope about r was written in d.
//
//	child     the command's own status, 128+n, or 124 to 127
//	envelope  0 for ok, partial and tool-missing, 1 for an error
//	zero      0
func (rule exitRule) Status(r *envelope.Result, d envelope.Dialect) int {
	switch rule {
	case exitEnvelope:
		if d.Failed(r) {
			return cli.StatusFound
		}
		return cli.StatusOK
	case exitZero:
		return cli.StatusOK
	}
	if r.Exec != nil { // r is the command's own answer; Exec is the run
		return r.Exec.ExitStatus
	}
	return r.ExitStatus
}

func exitWords() []cli.Word[exitRule] {
	return []cli.Word[exitRule]{
		{Name: "child", Value: exitChild},
		{Name: "envelope", Value: exitEnvelope},
		{Name: "zero", Value: exitZero},
	}
}
