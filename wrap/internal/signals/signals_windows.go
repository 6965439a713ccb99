package signals

import "os"

// Name returns the name that an event has as a signal on other systems.
func Name(sig os.Signal) string {
	if sig == os.Interrupt {
		return "SIGINT"
	}
	return "SIGTERM"
}

// MeaningOf says what an event means: the runtime reports Ctrl-C as os.Interrupt and the
// closing of the console as SIGTERM.
func MeaningOf(os.Signal) Meaning { return Cancels }

// StopSelf does nothing: Windows has no such stop.
func StopSelf() {}
