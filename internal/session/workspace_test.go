package session

import (
	"os"
	"path/filepath"
	"testing"
)

// The workspace is the nearest parent with .git, be it a directory or the file
// of a worktree; else the directory itself.
func TestWorkspace(t *testing.T) {
	root := t.TempDir()
	deep := filepath.Join(root, "repo", "sub", "deep")
	if err := os.MkdirAll(deep, 0o700); err != nil {
		t.Fatal(err)
	}
	if got := Workspace(deep); got != deep {
		t.Errorf("without .git: got %q", got)
	}
	if err := os.Mkdir(filepath.Join(root, "repo", ".git"), 0o700); err != nil {
		t.Fatal(err)
	}
	if got, want := Workspace(deep), filepath.Join(root, "repo"); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if err := os.WriteFile(filepath.Join(root, "repo", "sub", ".git"), []byte("gitdir: x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, want := Workspace(deep), filepath.Join(root, "repo", "sub"); got != want {
		t.Errorf("worktree: got %q, want %q", got, want)
	}
}
