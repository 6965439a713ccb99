//go:build unix

package wrap

import (
	"fmt"
	"os"
	"syscall"
)

// signalNames are the signals of POSIX (XBD signal.h) that end a process.
var signalNames = [...]struct {
	signal syscall.Signal
	name   string
}{
	{syscall.SIGHUP, "SIGHUP"},
	{syscall.SIGINT, "SIGINT"},
	{syscall.SIGQUIT, "SIGQUIT"},
	{syscall.SIGILL, "SIGILL"},
	{syscall.SIGTRAP, "SIGTRAP"},
	{syscall.SIGABRT, "SIGABRT"},
	{syscall.SIGBUS, "SIGBUS"},
	{syscall.SIGFPE, "SIGFPE"},
	{syscall.SIGKILL, "SIGKILL"},
	{syscall.SIGUSR1, "SIGUSR1"},
	{syscall.SIGSEGV, "SIGSEGV"},
	{syscall.SIGUSR2, "SIGUSR2"},
	{syscall.SIGPIPE, "SIGPIPE"},
	{syscall.SIGALRM, "SIGALRM"},
	{syscall.SIGTERM, "SIGTERM"},
	{syscall.SIGXCPU, "SIGXCPU"},
	{syscall.SIGXFSZ, "SIGXFSZ"},
	{syscall.SIGVTALRM, "SIGVTALRM"},
	{syscall.SIGPROF, "SIGPROF"},
	{syscall.SIGIO, "SIGIO"},
	{syscall.SIGSYS, "SIGSYS"},
}

// signalName returns a signal's name, "SIGTERM", or "SIG33" where it has none.
func signalName(sig syscall.Signal) string {
	for _, row := range signalNames {
		if row.signal == sig {
			return row.name
		}
	}
	if name := systemSignal(sig); name != "" {
		return name
	}
	return fmt.Sprintf("SIG%d", int(sig))
}

func nameOf(sig os.Signal) string {
	if s, ok := sig.(syscall.Signal); ok {
		return signalName(s)
	}
	return sig.String()
}
