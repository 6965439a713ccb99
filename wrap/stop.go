package wrap

import (
	"os"
	"syscall"

	"github.com/envwrap/envwrap/wrap/internal/signals"
)

// A stop is the reason for which envwrap ended the child itself; the zero value means that it did not.
// The first reason stays.
type stop struct {
	cause  cause
	signal os.Signal // for stopCanceled: the signal that envwrap got; nil for a done context
	late   bool      // for stopOverflow: the child had ended before it was stopped
}

type cause int

const (
	stopNone cause = iota
	stopTimeout
	stopIdle
	stopCanceled
	stopOverflow
)

// name returns the signal that envwrap was sent, or "" if its context was done.
func (s stop) name() string {
	if s.signal == nil {
		return ""
	}
	return signals.Name(s.signal)
}

// number returns the signal's number; a done context counts as SIGTERM.
func (s stop) number() int {
	if s.signal == nil {
		return int(syscall.SIGTERM)
	}
	return signals.Number(s.signal)
}
