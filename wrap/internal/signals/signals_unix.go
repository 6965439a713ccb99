//go:build unix

package signals

import (
	"fmt"
	"os"
	"runtime"
	"syscall"

	"golang.org/x/sys/unix"
)

// signalName returns a signal's name, "SIGTERM", or "SIG33" where it has none. Linux
// only counts the real-time signals, and glibc names the first and the last (signal(7)).
func signalName(sig syscall.Signal) string {
	const rtMin, rtMax = 34, 64
	realTime := runtime.GOOS == "linux" && sig >= rtMin && sig <= rtMax
	switch name := unix.SignalName(sig); {
	case sig == syscall.SIGABRT:
		return "SIGABRT" // FreeBSD's list has its older name
	case name != "":
		return name
	case realTime && sig == rtMin:
		return "SIGRTMIN"
	case realTime && sig == rtMax:
		return "SIGRTMAX"
	case realTime:
		return fmt.Sprintf("SIGRTMIN+%d", sig-rtMin)
	}
	return fmt.Sprintf("SIG%d", int(sig))
}

// Name returns a signal's name, "SIGTERM".
func Name(sig os.Signal) string {
	if s, ok := sig.(syscall.Signal); ok {
		return signalName(s)
	}
	return sig.String()
}

// FromTerminal reports whether the kernel sends a signal of the terminal to all processes
// of its foreground group, this one and its children.
func FromTerminal(sig syscall.Signal) bool {
	switch sig {
	case syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTSTP, syscall.SIGWINCH:
		return true
	case syscall.SIGHUP: // the kernel signals only the leader of the session
		session, _ := unix.Getsid(0) // never fails
		return session != syscall.Getpid()
	}
	return false
}

// MeaningOf says what a signal that envwrap was sent means for the run.
func MeaningOf(sig os.Signal) Meaning {
	switch sig {
	case syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP:
		return Cancels
	case syscall.SIGTSTP:
		return Stops
	case syscall.SIGCONT:
		return Continues
	}
	return Passes
}

// StopSelf stops this process until SIGCONT, as Ctrl-Z asks.
func StopSelf() { _ = syscall.Kill(syscall.Getpid(), syscall.SIGSTOP) }
