//go:build unix

package configcmd

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/internal/app/cli"
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
	for _, target := range []string{"../letter", letter, "/dev/tty", "/dev/zero", cli.ProjectFile, "nowhere"} {
		path := filepath.Join(clone, cli.ProjectFile)
		if err := os.Symlink(target, path); err != nil {
			t.Fatal(err)
		}
		w := trustWorld(t, clone)
		_, err := w.Settings()
		if err == nil || !strings.Contains(err.Error(), "symbolic link") || strings.Contains(err.Error(), private) {
			t.Errorf("%s: got %v", target, err)
		}
		if err := trustFile((&cli.Call{World: w, Verb: &cli.Verb{}}), w.Session().StateDir()[0], path); err == nil || strings.Contains(err.Error(), private) {
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
	for ; b.Len() < cli.ConfigLimit-16; n++ {
		fmt.Fprintf(&b, "k%x=1\n", n)
	}
	if err := os.WriteFile(filepath.Join(dir, cli.ProjectFile), []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := trustWorld(t, dir).Settings()
	if err != nil || len(s.Files) != 1 || len(s.Files[0].Refused) != n {
		t.Fatalf("got %v, %v", len(s.Files), err)
	}
}
