package cli

import (
	"strings"
	"testing"
)

// The agent that reads on may stand in another directory by then.
func TestReadCommandIsWhole(t *testing.T) {
	dir := t.TempDir()
	w := &World{Dir: func() (string, error) { return dir, nil }}
	read := w.readCommand("some store")
	if got, want := read("sha256:0123456789abcdef"), "envwrap artifact cat --store "+shellQuote(w.path("some store"))+" 0123456789ab"; got != want || !strings.Contains(got, dir) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := w.readCommand("")("sha256:0123456789abcdef"), "envwrap artifact cat 0123456789ab"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
