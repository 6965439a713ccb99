package wrap

import (
	"syscall"
	"testing"
)

func TestSignalName(t *testing.T) {
	for number, want := range map[syscall.Signal]string{
		9: "SIGKILL", 15: "SIGTERM", 29: "SIGIO", 30: "SIGPWR", 33: "SIG33", 34: "SIGRTMIN", 35: "SIGRTMIN+1", 63: "SIGRTMIN+29", 64: "SIGRTMAX",
	} {
		if got := signalName(number); got != want {
			t.Errorf("signal %d is %q, want %q", int(number), got, want)
		}
	}
}
