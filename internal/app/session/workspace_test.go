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

// Links are followed to what they lead to, be it there or not; those in a circle
// have an end.
func TestResolveLinks(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	at := func(name string) string { return filepath.Join(root, name) }
	if err := os.MkdirAll(at("dir/sub"), 0o700); err != nil {
		t.Fatal(err)
	}
	for link, target := range map[string]string{
		"absolute": at("dir"), "dir/relative": "sub", "nowhere": "none/of it", "there": at("nowhere"), "circle": "circle",
	} {
		if err := os.Symlink(target, at(link)); err != nil {
			t.Skip(err)
		}
	}
	for path, want := range map[string]string{
		"dir":                      "dir",
		"dir/new/file":             "dir/new/file",
		"absolute/sub":             "dir/sub",
		"absolute/relative":        "dir/sub",
		"absolute/relative/x":      "dir/sub/x",
		"nowhere":                  "none/of it",
		"nowhere/x":                "none/of it/x",
		"there/x":                  "none/of it/x",
		"circle":                   "circle",
		"absolute/../dir/relative": "dir/sub",
	} {
		if got := ResolveLinks(root + "/" + path); got != at(want) {
			t.Errorf("%s: got %q, want %q", path, got, at(want))
		}
	}
}
