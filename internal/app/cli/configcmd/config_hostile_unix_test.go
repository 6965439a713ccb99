//go:build unix

package configcmd

import (
	"errors"
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
		env := trustEnv(t, clone)
		var warnings []string
		s, err := env.Settings()
		s.Warn(func(err error) { warnings = append(warnings, err.Error()) })
		if all := strings.Join(warnings, "\n"); err != nil || len(warnings) != 1 || !strings.Contains(all, "symbolic link") || strings.Contains(all, private) {
			t.Errorf("%s: got %v, %q", target, err, warnings)
		}
		if err := trustFile((&cli.Call{Env: env, Verb: &cli.Verb{}}), env.Session().StateDir()[0], path); err == nil || strings.Contains(err.Error(), private) {
			t.Errorf("trust of %s: got %v", target, err)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
}
