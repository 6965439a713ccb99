//go:build unix

package program

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// A program is looked for as execvp(3) does, from the directory that the child will be
// in; what may not be executed is reported only if nothing else is found.
func TestFind(t *testing.T) {
	dir := t.TempDir()
	for _, sub := range []string{"a", "b", "b/dir"} {
		if err := os.Mkdir(filepath.Join(dir, sub), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for name, mode := range map[string]fs.FileMode{"a/tool": 0o600, "b/tool": 0o700, "a/plain": 0o600, "here": 0o700} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, mode); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name, path string
		want       File
		where      string // Path of the error
		err        error
	}{
		{"tool", dir + "/a:" + dir + "/b/", File{dir + "/b/tool", false}, "", nil},
		{"tool", "a:b", File{"b/tool", true}, "", nil},
		{"here", "/nowhere:", File{"./here", true}, "", nil},
		{"here", ".", File{"./here", true}, "", nil},
		{"./here", "", File{"./here", false}, "", nil},
		{"plain", "/nowhere:a:b", File{}, "a/plain", fs.ErrPermission},
		{"a/plain", "b", File{}, "a/plain", fs.ErrPermission},
		{"dir", "b", File{}, "dir", ErrNotOnPath},
		{"b/dir", "b", File{}, "b/dir", ErrDirectory},
		{"a/none", "a", File{}, "a/none", fs.ErrNotExist},
		{"none", "a:b", File{}, "none", ErrNotOnPath},
		{"", "a:b", File{}, "", fs.ErrNotExist},
	} {
		got, err := Find(c.name, []string{"A=b", "PATH=" + c.path, "PATH=/late"}, dir)
		if got != c.want || (err == nil) != (c.err == nil) {
			t.Errorf("%q in %q: %+v, %v", c.name, c.path, got, err)
		} else if err != nil && (err.Path != c.where || !errors.Is(err, c.err) || err.Error() != c.where+": "+err.Err.Error()) {
			t.Errorf("%q in %q: %v, want %v of %q", c.name, c.path, err, c.err, c.where)
		}
	}
	if got, err := Find("sh", nil, ""); err != nil || got != (File{"/bin/sh", false}) {
		t.Errorf("without PATH: %+v, %v", got, err)
	}
	if got := In("", "x"); got != "x" {
		t.Errorf("%q in the current directory", got)
	}
}
