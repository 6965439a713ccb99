//go:build unix

package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A link in a clone makes no part of the user's other files an error's text, and
// opens no device.
func TestProjectFileIsNoLink(t *testing.T) {
	const private = "a-private-line"
	dir := t.TempDir()
	clone := filepath.Join(dir, "clone")
	letter := filepath.Join(dir, "letter")
	err := errors.Join(os.Mkdir(clone, 0o700), os.WriteFile(letter, []byte("timeout = \""+private+"\"\n"), 0o600))
	if err != nil {
		t.Fatal(err)
	}
	for _, target := range []string{"../letter", letter, "/dev/tty", "/dev/zero", projectFile, "nowhere"} {
		path := filepath.Join(clone, projectFile)
		if err := os.Symlink(target, path); err != nil {
			t.Fatal(err)
		}
		w := worldIn(t, clone)
		_, err := w.settings()
		if err == nil || !strings.Contains(err.Error(), "symbolic link") || strings.Contains(err.Error(), private) {
			t.Errorf("%s: got %v", target, err)
		}
		if err := (&call{World: w, verb: &verb{}}).trust(path); err == nil || strings.Contains(err.Error(), private) {
			t.Errorf("trust of %s: got %v", target, err)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
}

// A file of as many keys as its size allows is read in time that grows with the
// size: with its square this test takes minutes.
func TestManyKeys(t *testing.T) {
	dir := t.TempDir()
	var b strings.Builder
	n := 0
	for ; b.Len() < configLimit-16; n++ {
		fmt.Fprintf(&b, "k%x=1\n", n)
	}
	if err := os.WriteFile(filepath.Join(dir, projectFile), []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := worldIn(t, dir).settings()
	if err != nil || len(s.files) != 1 || len(s.files[0].refused) != n {
		t.Fatalf("got %v, %v", len(s.files), err)
	}
}
