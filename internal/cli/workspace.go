package cli

import (
	"os"
	"path/filepath"
)

// workspace is the nearest parent of dir, an absolute path, that has a .git
// (a directory, or the file of a worktree or submodule); else dir itself.
func workspace(dir string) string {
	for d := dir; ; {
		if _, err := os.Lstat(filepath.Join(d, ".git")); err == nil {
			return d
		}
		parent := filepath.Dir(d)
		if parent == d {
			return dir
		}
		d = parent
	}
}
