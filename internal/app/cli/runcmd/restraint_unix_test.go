//go:build unix

package runcmd

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/envwrap/envwrap/internal/app/cli"
)

// No store that a project's file names lies in the project, or in the work tree of a
// repository, by its name or through a link.
func TestStoreOutsideWorkTrees(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	err := errors.Join(
		os.MkdirAll(at("project/.git"), 0o700), os.MkdirAll(at("project/deep"), 0o700), os.MkdirAll(at("other/.git"), 0o700), os.MkdirAll(at("outside"), 0o700),
		os.Symlink(at("outside"), at("project/out")), os.Symlink(at("project"), at("in")), os.Symlink(at("other"), at("away")),
	)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ dir, want string }{
		"outside/store":     {"project", ""},
		"project/store":     {"project", "a store may not lie in the project"},
		"project/out/store": {"project", "a store may not lie in the project"},
		"in/store":          {"project", "a store may not lie in the work tree of a repository"},
		"project/up":        {"project/deep", "a store may not lie in the project"},
		"other/store":       {"project", "a store may not lie in the work tree of a repository"},
		"away/store":        {"project", "a store may not lie in the work tree of a repository"},
		"outside/own":       {"outside", "a store may not lie in the project"},
	} {
		if got := outsideWorkTrees(nil, &cli.ConfigFile{Dir: at(c.dir)}, []string{at(name)}, nil); got != c.want {
			t.Errorf("%s of a file in %s: %q", name, c.dir, got)
		}
	}
}
