package wrap_test

import (
	"os/exec"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/envwrap/envwrap/envelope"
)

// A run that is stopped leaves the other children of a Go program to those who
// wait for them.
func TestOtherChildrenAreNotReaped(t *testing.T) {
	t.Parallel()
	c := command(t, "exit", "3")
	other := exec.Command(c.Argv[0], c.Argv[1:]...)
	other.Env = c.Env
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	if err := unix.Waitid(unix.P_PID, other.Process.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil); err != nil {
		t.Fatal(err)
	}
	c = command(t, "hang")
	c.Timeout = time.Millisecond
	want(t, run(t, c), envelope.Timeout, envelope.ETIMEOUT, 124)
	if err := other.Wait(); other.ProcessState.ExitCode() != 3 {
		t.Errorf("the other child: %v", err)
	}
}
