//go:build unix

package cli

import (
	"os"
	"os/signal"
	"slices"
	"syscall"
)

// watchSignals takes over the signals that a run hands on. One that was
// ignored when envwrap started (nohup) stays ignored. stop ends it.
func watchSignals() (signals <-chan os.Signal, stop func()) {
	wanted := []os.Signal{
		syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT,
		syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGWINCH, syscall.SIGCONT, syscall.SIGTSTP,
	}
	wanted = slices.DeleteFunc(wanted, signal.Ignored)
	c := make(chan os.Signal, 16)
	if len(wanted) > 0 { // of no signal, Notify makes all
		signal.Notify(c, wanted...)
	}
	return c, func() { signal.Stop(c) }
}

// surviveSIGPIPE makes a write to a closed stdout or stderr an error like any
// other. The command still starts with the usual SIGPIPE, which it would not
// if the signal were ignored here.
func surviveSIGPIPE() {
	if !signal.Ignored(syscall.SIGPIPE) {
		signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	}
}
