// Package signals says what the signals that envwrap is sent mean to the run of a command.
package signals

import (
	"os"
	"syscall"
)

// A Meaning is the effect on a run of a signal that envwrap was sent.
type Meaning int

const (
	Passes    Meaning = iota // to the child, and nothing else
	Cancels                  // the child may end; then it is killed
	Stops                    // the job is stopped until SIGCONT
	Continues                // the job goes on
)

// Number returns a signal's number, for 128+n; 0 for one that has none.
func Number(sig os.Signal) int {
	if n, ok := sig.(syscall.Signal); ok {
		return int(n)
	}
	return 0
}
