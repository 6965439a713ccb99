//go:build unix

package wrap_test

import (
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// The exit status agrees with timeout(1) from coreutils, except where the command
// had to be killed: there it is 137, and 124 here, always.
func TestStatusIsThatOfTimeout(t *testing.T) {
	t.Parallel()
	timeout, err := exec.LookPath("timeout")
	if err != nil {
		t.Skip("timeout(1) is not here to compare with")
	}
	if text, err := exec.Command(timeout, "--version").Output(); err != nil || !strings.Contains(string(text), "coreutils") {
		t.Skip("timeout(1) is not that of coreutils")
	}
	for _, argv := range [][]string{
		{"true"},
		{"false"},
		{"sh", "-c", "exit 3"},
		{"sh", "-c", "exit 124"},
		{"sh", "-c", "exit 137"},
		{"sh", "-c", "kill -9 $$"},
		{"sh", "-c", "kill -15 $$"},
		{"sleep", "10"},
		{"sh", "-c", "trap 'exit 0' TERM; sleep 10 & wait"},
		{"sh", "-c", "trap 'exit 7' TERM; sleep 10 & wait"},
		{"no-such-program"},
		{"./no/such/program"},
		{"/"},
	} {
		t.Run(strings.Join(argv, " "), func(t *testing.T) {
			t.Parallel()
			cmd := exec.Command(timeout, append([]string{"-k", "1", "1"}, argv...)...)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			c := command(t, "exit")
			c.Argv = argv
			c.Timeout, c.KillAfter = time.Second, time.Second
			got := run(t, c).ExitStatus
			_ = cmd.Wait() // its status is looked at next
			want := cmd.ProcessState.ExitCode()
			if status := cmd.ProcessState.Sys().(syscall.WaitStatus); status.Signaled() {
				want = 128 + int(status.Signal()) // timeout ends as its command did
			}
			if got != want {
				t.Errorf("exit status %d, timeout's is %d", got, want)
			}
		})
	}
}
