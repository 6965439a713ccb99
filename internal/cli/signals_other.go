//go:build !unix

package cli

import (
	"os"
	"os/signal"
)

// watchSignals takes over the signals that a run hands on. stop ends it.
func watchSignals() (signals <-chan os.Signal, stop func()) {
	c := make(chan os.Signal, 16)
	signal.Notify(c, os.Interrupt)
	return c, func() { signal.Stop(c) }
}

// surviveSIGPIPE does nothing: there is no such signal here.
func surviveSIGPIPE() {}
