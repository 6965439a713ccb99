//go:build unix

package wrap

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

func nameOf(sig os.Signal) string {
	if s, ok := sig.(syscall.Signal); ok {
		return signalName(s)
	}
	return sig.String()
}
