package cli

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func now() time.Time { return time.Date(2026, 11, 20, 10, 0, 0, 123e6, time.UTC) }

// An empty variable counts as unset; of two the first one counts.
func TestLookup(t *testing.T) {
	w := &World{Environ: []string{"A=1", "B=", "AB=2", "A=3", "C=x=y"}}
	for name, want := range map[string]string{"A": "1", "B": "", "AB": "2", "C": "x=y", "D": "", "": ""} {
		got, ok := w.lookup(name)
		if got != want || ok != (want != "") {
			t.Errorf("%q: got %q, %v", name, got, ok)
		}
	}
}

// The workspace is the nearest parent with .git, be it a directory or the file
// of a worktree; else the directory itself.
func TestWorkspace(t *testing.T) {
	root := t.TempDir()
	deep := filepath.Join(root, "repo", "sub", "deep")
	if err := os.MkdirAll(deep, 0o700); err != nil {
		t.Fatal(err)
	}
	if got := workspace(deep); got != deep {
		t.Errorf("without .git: got %q", got)
	}
	if err := os.Mkdir(filepath.Join(root, "repo", ".git"), 0o700); err != nil {
		t.Fatal(err)
	}
	if got, want := workspace(deep), filepath.Join(root, "repo"); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if err := os.WriteFile(filepath.Join(root, "repo", "sub", ".git"), []byte("gitdir: x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, want := workspace(deep), filepath.Join(root, "repo", "sub"); got != want {
		t.Errorf("worktree: got %q, want %q", got, want)
	}
}
