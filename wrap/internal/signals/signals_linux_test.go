package signals

import (
	"os"
	"os/exec"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

func TestSignalName(t *testing.T) {
	for number, want := range map[syscall.Signal]string{
		9: "SIGKILL", 15: "SIGTERM", 29: "SIGIO", 30: "SIGPWR", 33: "SIG33", 34: "SIGRTMIN", 35: "SIGRTMIN+1", 63: "SIGRTMIN+29", 64: "SIGRTMAX",
	} {
		if got := Name(number); got != want {
			t.Errorf("signal %d is %q, want %q", int(number), got, want)
		}
	}
}

// Each signal has its meaning.
func TestMeaningOfSignals(t *testing.T) {
	session, _ := unix.Getsid(0)
	leads := session == os.Getpid()
	if !leads { // what the leader of a session makes of them is tested, too
		leader := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
		leader.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		if out, err := leader.CombinedOutput(); err != nil {
			t.Errorf("as the leader of a session: %v\n%s", err, out)
		}
	}
	for sig, want := range map[os.Signal]struct {
		meaning  Meaning
		terminal bool
	}{
		syscall.SIGINT: {Cancels, true}, syscall.SIGTERM: {Cancels, false}, syscall.SIGHUP: {Cancels, !leads},
		syscall.SIGTSTP: {Stops, true}, syscall.SIGCONT: {Continues, false}, syscall.SIGQUIT: {Passes, true},
		syscall.SIGWINCH: {Passes, true}, syscall.SIGUSR1: {Passes, false},
	} {
		number := sig.(syscall.Signal)
		if MeaningOf(sig) != want.meaning || FromTerminal(number) != want.terminal {
			t.Errorf("%v: %d, %t", sig, MeaningOf(sig), FromTerminal(number))
		}
		if Number(sig) != int(number) || Name(sig) != Name(number) {
			t.Errorf("%v: %d, %s", sig, Number(sig), Name(sig))
		}
	}
	if Number(otherSignal{}) != 0 || Name(otherSignal{}) != "other" {
		t.Error("a signal of another system")
	}
}

type otherSignal struct{}

func (otherSignal) Signal()        {}
func (otherSignal) String() string { return "other" }
