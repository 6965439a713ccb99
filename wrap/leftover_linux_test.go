package wrap_test

import (
	"path/filepath"
	"syscall"
	"testing"

	"github.com/envwrap/envwrap/envelope"
	"github.com/envwrap/envwrap/wrap"
)

// These tests make the test process a subreaper. Runs of other tests are not
// parallel to them.

func TestWhatLeftTheGroupIsNamed(t *testing.T) {
	pid := filepath.Join(t.TempDir(), "pid")
	c := command(t, "escape", pid, "end")
	c.Subreaper = wrap.BecomeSubreaper()
	res := run(t, c)
	t.Cleanup(func() { killPID(t, pid) })
	want(t, res, envelope.Success, "", 0)
	if len(res.Leftovers) != 1 || res.Leftovers[0].PID != readPID(t, pid) || res.Leftovers[0].Name == "" {
		t.Errorf("leftovers %+v, want process %d", res.Leftovers, readPID(t, pid))
	}
	if !alive(t, pid) {
		t.Error("a process that was left on purpose was ended")
	}
}

func TestStopEndsWhatLeftTheGroup(t *testing.T) {
	pid := filepath.Join(t.TempDir(), "pid")
	c := command(t, "escape", pid, "stay")
	c.Subreaper = wrap.BecomeSubreaper()
	sendWhenReady(c, syscall.SIGTERM)
	res := run(t, c)
	t.Cleanup(func() { killPID(t, pid) })
	want(t, res, envelope.Canceled, envelope.ECANCELED, 128+int(syscall.SIGTERM))
	if alive(t, pid) || len(res.Leftovers) != 0 {
		t.Errorf("a daemon is left: %+v", res.Leftovers)
	}
}
