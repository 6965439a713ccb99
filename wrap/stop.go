package wrap

import "os"

// A stop is the reason for which envwrap ended the child itself; the zero value is none.
// The first reason stays.
type stop struct {
	cause  cause
	signal os.Signal // for stopCanceled: what envwrap was sent; nil for a done context
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

// signalMeaning is what a signal that envwrap was sent means for the run.
type signalMeaning int

const (
	signalPasses    signalMeaning = iota // to the child, and nothing else
	signalCancels                        // the child may end; then it is killed
	signalStops                          // the job is stopped until SIGCONT
	signalContinues                      // the job goes on
)
