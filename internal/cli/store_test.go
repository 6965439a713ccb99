package cli

import (
	"strings"
	"testing"
)

// The agent that reads on may stand in another directory by then.
func TestReadCommandIsWhole(t *testing.T) {
	dir := t.TempDir()
	w := &World{Dir: func() (string, error) { return dir, nil }}
	read := w.ReadCommand("some store")
	if got, want := read("sha256:0123456789abcdef"), "envwrap artifact cat --store "+ShellQuote(w.Path("some store"))+" 0123456789ab"; got != want || !strings.Contains(got, dir) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := w.ReadCommand("")("sha256:0123456789abcdef"), "envwrap artifact cat 0123456789ab"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Only a digest has a short form: the name of unfinished output is an id as a whole.
func TestShortID(t *testing.T) {
	for id, want := range map[string]string{"sha256:0123456789abcdef": "0123456789ab", "01M7Z45AKXW8CR5BWB01QS92KV": "01M7Z45AKXW8CR5BWB01QS92KV"} {
		if got := ShortID(id); got != want {
			t.Errorf("%s: got %s", id, got)
		}
	}
}
