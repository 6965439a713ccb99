//go:build unix

package runcmd

import (
	"os/exec"
	"syscall"
	"testing"
)

// A member's envwrap that the group's signal ended before it could print an envelope did
// not start its command. Any other end without an envelope is a failure.
func TestEndedUnstarted(t *testing.T) {
	for _, c := range []struct {
		script, doc string
		stopped     syscall.Signal
		want        bool
	}{
		{"kill -TERM $$", "", syscall.SIGTERM, true},
		{"kill -INT $$", "", syscall.SIGTERM, true},
		{"kill -TERM $$", "", 0, false},
		{"kill -TERM $$", "{", syscall.SIGTERM, false},
		{"kill -KILL $$", "", syscall.SIGTERM, false},
		{"exit 143", "", syscall.SIGTERM, false},
	} {
		cmd := exec.Command("sh", "-c", c.script)
		_ = cmd.Run()
		g := &group{}
		if c.stopped != 0 {
			g.stopped = c.stopped
		}
		if got := g.endedUnstarted(cmd.ProcessState, []byte(c.doc)); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
	if (&group{stopped: syscall.SIGTERM}).endedUnstarted(nil, nil) {
		t.Error("a program that could not be started was ended")
	}
}
