package cli

import (
	"os"
	"testing"

	"github.com/envwrap/envwrap/internal/platform/proc"
)

// A process may have an end of a pipe unless all of its files were seen, and of a socket
// the other end has a name that is not known.
func TestMayHave(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	self, nobody := os.Getpid(), 1<<30
	for _, c := range []struct {
		pid       int
		name      string
		may, seen bool
	}{
		{self, proc.Link(r), true, true}, {self, "pipe:[0]", false, false}, {self, "socket:[0]", true, false}, {nobody, proc.Link(r), true, false},
	} {
		if got := mayHave(c.pid, c.name); got != c.may {
			t.Errorf("process %d may have %s: %t", c.pid, c.name, got)
		}
		if got := callerOf(c.pid).has(c.name); got != c.seen {
			t.Errorf("process %d is seen to have %s: %t", c.pid, c.name, got)
		}
	}
	if env, ok := ancestors(0); !ok || env == nil {
		t.Error("the environment of this process is not seen")
	}
	if _, ok := ancestors(1 << 20); ok {
		t.Error("it has a million ancestors")
	}
}

// Only a process that can be is the run around us.
func TestEnclosingRun(t *testing.T) {
	for context, want := range map[string]int{"": 0, "id": 0, "id:": 0, "id:12": 12, "id:x": 0, "id:0": 0, "id:-12": 0} {
		if got := enclosingRun(func(string) (string, bool) { return context, true }); got != want {
			t.Errorf("%q: got %d", context, got)
		}
	}
}
