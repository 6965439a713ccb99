package session

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/artifact"
)

// A path lies in the work tree of the nearest parent that a version control system
// has marked.
func TestWorkTree(t *testing.T) {
	root := t.TempDir()
	if got, ok := WorkTree(root); ok != (got != "") {
		t.Errorf("got %q, %v", got, ok)
	} else if ok {
		t.Skipf("the temporary directory lies in the work tree %q", got)
	}
	for _, mark := range []string{".git", ".hg", ".jj", ".svn"} {
		tree := filepath.Join(root, "of"+mark)
		deep := filepath.Join(tree, "sub", "deep")
		if err := os.MkdirAll(filepath.Join(tree, mark), 0o700); err != nil {
			t.Fatal(err)
		}
		if got, ok := WorkTree(deep); !ok || got != tree {
			t.Errorf("%s: got %q, %v, want %q", mark, got, ok, tree)
		}
	}
}

// The state is in the directory that the environment names, the usual one of the
// system next; one that is not absolute is no place.
func TestStateDir(t *testing.T) {
	for _, c := range []struct {
		environ []string
		want    string // "" if there is no error
	}{
		{[]string{"XDG_STATE_HOME=/state", "LOCALAPPDATA=/data", "HOME=/home/ada"}, "/state/envwrap"},
		{[]string{"XDG_STATE_HOME=state", "LOCALAPPDATA=/data", "HOME=/home/ada"}, "/data/envwrap"},
		{[]string{"XDG_STATE_HOME=", "LOCALAPPDATA=data", "HOME=/home/ada"}, "/home/ada/.local/state/envwrap"},
		{[]string{"HOME=ada"}, ""},
		{nil, ""},
	} {
		var want []string
		if c.want != "" {
			want = []string{filepath.FromSlash(c.want)}
		}
		env := &Env{Environ: c.environ}
		if got := env.StateDir(); !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", c.environ, got, want)
		}
	}
}

// A store that was named is the only place. Where the usual one cannot be written
// another takes its place, unless that could have come with a repository.
func TestStorePlaces(t *testing.T) {
	env := testEnv(t)
	usual := env.StateDir()[0]
	check := func(what, named string, want []string, why string) {
		t.Helper()
		got, left := env.StorePlaces(named)
		if !slices.Equal(got, want) || (left == nil) != (why == "") || left != nil && !strings.Contains(left.Error(), why) {
			t.Errorf("%s: got %q, %v; want %q, %q", what, got, left, want, why)
		}
	}
	check("named", "here", []string{filepath.Join(env.Directory(), "here")}, "")
	if got, left := env.StorePlaces(""); left == nil && (len(got) != 2 || got[0] != usual || filepath.Dir(got[1]) != env.TempDir) {
		t.Errorf("unnamed: got %q", got)
	}
	environ := env.Environ
	env.Environ = SetAll(environ, "TMPDIR=tmp")
	check("a relative TMPDIR", "", []string{usual}, "not absolute")
	env.Environ = SetAll(environ, "TMPDIR="+env.TempDir)
	if err := os.Mkdir(filepath.Join(env.TempDir, ".git"), 0o700); err != nil {
		t.Fatal(err)
	}
	check("a TMPDIR in a work tree", "", []string{usual}, "in the work tree")
	env.EnclosingStore = func() string { return "/around" }
	check("named by an envwrap around", "", []string{"/around"}, "")
	check("named here and around", "/here", []string{"/here"}, "")
}

// Where nothing says where the usual place is, a warning says that another is used.
func TestStoreWithoutHome(t *testing.T) {
	env := testEnv(t)
	env.Environ = slices.DeleteFunc(env.Environ, func(pair string) bool {
		name, _, _ := strings.Cut(pair, "=")
		return name == "HOME" || name == "XDG_STATE_HOME" || name == "LOCALAPPDATA"
	})
	fallback, left := env.fallbackDir()
	if left != nil {
		t.Skip(left)
	}
	for named, want := range map[string]bool{"": true, fallback: false} {
		s, warning, err := env.OpenStore(artifact.Options{NoMaintenance: true}, named)
		if err != nil {
			t.Fatal(err)
		}
		s.Close()
		if strings.Contains(warning, fallback) != want {
			t.Errorf("named %q: warning %q", named, warning)
		}
	}
}

// Where no store can be opened the error says why each place was passed over.
func TestNoStore(t *testing.T) {
	env := testEnv(t, "TMPDIR=tmp")
	file := filepath.Join(env.TempDir, "state")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := env.OpenStore(artifact.Options{}, ""); err == nil || !strings.Contains(err.Error(), file) || !strings.Contains(err.Error(), "not absolute") {
		t.Errorf("got %v", err)
	}
	if _, _, err := env.OpenStore(artifact.Options{}, file); err == nil || strings.Contains(err.Error(), "not absolute") {
		t.Errorf("a named one: got %v", err)
	}
}
