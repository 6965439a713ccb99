package session

import (
	"os"
	"path/filepath"
)

// WorkTree returns the root of the repository whose work tree contains path, which must
// be absolute and without links, or false.
func WorkTree(path string) (string, bool) { return nearest(path, ".git", ".hg", ".jj", ".svn") }

// Workspace returns the nearest directory, from the absolute path dir upwards, that has
// a .git (a directory, or the file of a worktree or submodule); dir itself if none has.
func Workspace(dir string) string {
	if root, ok := nearest(dir, ".git"); ok {
		return root
	}
	return dir
}

// nearest returns the first directory from dir upwards that has a file of one of the names.
func nearest(dir string, names ...string) (string, bool) {
	for ; ; dir = filepath.Dir(dir) {
		for _, name := range names {
			if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
				return dir, true
			}
		}
		if dir == filepath.Dir(dir) {
			return "", false
		}
	}
}

// ResolveLinks follows the symbolic links of a path, also those of a path whose
// end does not exist yet.
func ResolveLinks(path string) string {
	const mostLinks = 40
	path = filepath.Clean(path)
	for range mostLinks {
		resolved, link := followOnce(path)
		if link == "" {
			return resolved
		}
		path = link
	}
	return path
}

// followOnce follows the links in the part of a path that exists. If that part ends at a
// link to something that does not exist, link is the path that the link names.
func followOnce(path string) (resolved, link string) {
	rest := ""
	for dir := path; ; dir = filepath.Dir(dir) {
		if resolved, err := filepath.EvalSymlinks(dir); err == nil {
			return filepath.Join(resolved, rest), ""
		}
		if target, err := os.Readlink(dir); err == nil {
			if !filepath.IsAbs(target) {
				target = filepath.Join(filepath.Dir(dir), target)
			}
			return "", filepath.Join(target, rest)
		}
		if dir == filepath.Dir(dir) {
			return path, ""
		}
		rest = filepath.Join(filepath.Base(dir), rest)
	}
}
