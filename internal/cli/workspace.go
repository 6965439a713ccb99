package cli

import (
	"os"
	"path/filepath"
)

// workTree is the root of the repository in whose work tree a path lies. The path
// is absolute, without links.
func workTree(path string) (string, bool) {
	for dir := path; ; dir = filepath.Dir(dir) {
		for _, mark := range []string{".git", ".hg", ".jj", ".svn"} {
			if _, err := os.Lstat(filepath.Join(dir, mark)); err == nil {
				return dir, true
			}
		}
		if dir == filepath.Dir(dir) {
			return "", false
		}
	}
}

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
