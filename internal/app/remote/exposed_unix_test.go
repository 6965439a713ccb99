//go:build unix

package remote

import (
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/internal/app/remoteconfig"
)

// Files with credentials that others can change are refused: what they write there may
// be a place of their own, or a program that is run (credential_process).
func TestExposedCredentials(t *testing.T) {
	home := t.TempDir()
	for _, name := range []string{"token", ".netrc", ".aws/config", ".aws/credentials"} {
		path := filepath.Join(home, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte("secret"), 0o600)); err != nil {
			t.Fatal(err)
		}
		try := func() error {
			lookup := func(name string) string { return map[string]string{"HOME": home}[name] }
			if strings.HasPrefix(name, ".aws/") {
				_, err := newProfile("", lookup)
				return err
			}
			s := &remoteconfig.Settings{}
			if name == "token" {
				s.TokenFile = path
			}
			_, err := findLogin(&url.URL{Host: "example.com"}, s, lookup)
			return err
		}
		if err := try(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := os.Chmod(path, 0o666); err != nil {
			t.Fatal(err)
		}
		if err := try(); err == nil || !strings.HasSuffix(err.Error(), "run: chmod go-w "+path) {
			t.Errorf("%s that all may write: got %v", name, err)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
}
