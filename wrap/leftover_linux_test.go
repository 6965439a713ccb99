package wrap_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/wrap"
)

// These tests make the test process a subreaper. Runs of other tests are not
// parallel to them.

func TestWhatLeftTheGroupIsNamed(t *testing.T) {
	pid := filepath.Join(t.TempDir(), "pid")
	c := command(t, "escape", pid, "end", "deaf")
	c.Subreaper = wrap.BecomeSubreaper()
	res := run(t, c)
	t.Cleanup(func() { killPID(t, pid) })
	want(t, res, envelope.Success, "", 0)
	if len(res.Leftovers) != 1 || res.Leftovers[0].PID != readPID(t, pid) || res.Leftovers[0].Name == "" {
		t.Errorf("leftovers %+v, want process %d", res.Leftovers, readPID(t, pid))
	}
	if named := fmt.Sprintf(" ended and left running: %d (", readPID(t, pid)); len(res.Warnings) != 1 || !strings.Contains(res.Warnings[0], named) {
		t.Errorf("warnings %q, want %q", res.Warnings, named)
	}
	if !alive(t, pid) {
		t.Error("a process that was left on purpose was ended")
	}
}

func TestStopEndsWhatLeftTheGroup(t *testing.T) {
	for role, states := range map[string]string{"deaf": "RSD", "headless": "Z"} {
		t.Run(role, func(t *testing.T) {
			pid := filepath.Join(t.TempDir(), "pid")
			c := command(t, "escape", pid, "stay", role)
			c.Subreaper = wrap.BecomeSubreaper()
			signals := make(chan os.Signal, 1)
			c.Signals = signals
			c.LiveStdout = writerFunc(func([]byte) {
				state(t, readPID(t, pid), states)
				signals <- syscall.SIGTERM
			})
			res := run(t, c)
			t.Cleanup(func() { killPID(t, pid) })
			want(t, res, envelope.Canceled, envelope.ECANCELED, 128+int(syscall.SIGTERM))
			if alive(t, pid) || len(res.Leftovers) != 0 {
				t.Errorf("a daemon is left: %+v", res.Leftovers)
			}
			if killed := len(res.Warnings) > 0; killed != (role == "deaf") { // the other ends at SIGTERM
				t.Errorf("warnings %q", res.Warnings)
			}
		})
	}
}

func init() {
	roles["headless"] = headless
	if os.Getenv(roleVariable) == "headless" {
		runtime.LockOSThread() // to the first thread
	}
}

// headless goes on without its first thread.
func headless([]string) {
	go forever()
	_, _, _ = syscall.Syscall(syscall.SYS_EXIT, 0, 0, 0)
}
