//go:build unix

package cli

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/internal/test/testenv"
)

// programFile writes a file that can be executed.
func programFile(t *testing.T, dir, name string) string {
	t.Helper()
	file := filepath.Join(dir, name)
	if err := os.WriteFile(file, nil, 0o700); err != nil {
		t.Fatal(err)
	}
	return file
}

// envOf is an Env whose program is a file, and that has a PATH.
func envOf(file, path string) *Env {
	return &Env{
		Environ:    []string{"PATH=" + path},
		Dir:        func() (string, error) { return "/", nil },
		Executable: func() (string, error) { return file, nil },
	}
}

// The companion is beside envwrap itself, wherever a link to it is, else on PATH.
func TestCompanion(t *testing.T) {
	own, other, links := t.TempDir(), t.TempDir(), t.TempDir()
	self := programFile(t, own, "envwrap")
	link := filepath.Join(links, "envwrap")
	if err := os.Symlink(self, link); err != nil {
		t.Fatal(err)
	}
	want := func(what string, env *Env, file string) {
		t.Helper()
		if got, err := env.Companion(); got != file || (err == nil) != (file != "") {
			t.Errorf("%s: got %q, %v; want %q", what, got, err, file)
		}
	}
	if err := os.Mkdir(filepath.Join(links, companion), 0o700); err != nil {
		t.Fatal(err)
	}
	text := filepath.Join(own, companion)
	if err := os.WriteFile(text, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	want("it is nowhere", envOf(link, own+":"+links), "")
	onPath := programFile(t, other, companion)
	want("on PATH", envOf(link, own+":"+links+":"+other), onPath)
	t.Chdir(other)
	want("in a directory that PATH names relatively", envOf(link, "."), "")
	if err := os.Chmod(text, 0o700); err != nil {
		t.Fatal(err)
	}
	want("beside envwrap", envOf(link, other), text)
	env := envOf(link, other)
	env.Executable = nil
	want("where envwrap has no path", env, onPath)
	env.Executable = func() (string, error) { return link, errors.New("no /proc") }
	want("where envwrap's path is not known", env, onPath)
}

// envwrap is started again by its path, also after that is gone, and where /proc is not
// mounted by the name that it was called by.
func TestProgram(t *testing.T) {
	dir := t.TempDir()
	self, other := programFile(t, dir, "envwrap"), programFile(t, dir, "other")
	t.Setenv("PATH", dir)
	unknown := func(args ...string) *Env {
		env := envOf("", dir)
		env.Args, env.Executable = args, func() (string, error) { return "", errors.New("no /proc") }
		return env
	}
	for name, c := range map[string]struct {
		env  *Env
		want string
	}{
		"its path":                {envOf(self, dir), self},
		"it is gone":              {envOf(filepath.Join(dir, "gone"), dir), "/proc/self/exe"},
		"by its name":             {unknown("envwrap"), self},
		"without arguments":       {unknown(), self},
		"by a path":               {unknown(self), self},
		"by another name":         {unknown(other), ""},
		"by a name not on PATH":   {unknown("nowhere"), ""},
		"a system that is silent": {&Env{}, ""},
	} {
		if got, err := c.env.Program(); got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%s: got %q, %v; want %q", name, got, err, c.want)
		}
	}
}

// A program is found as a shell finds it, but for one file.
func TestFindProgram(t *testing.T) {
	first, second := t.TempDir(), t.TempDir()
	t.Chdir(second)
	if err := os.Mkdir(filepath.Join(first, "ls"), 0o700); err != nil {
		t.Fatal(err)
	}
	ls, cat := programFile(t, second, "ls"), programFile(t, first, "cat")
	if err := os.WriteFile(filepath.Join(first, "text"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	self, err := os.Stat(cat)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ path, name, want string }{
		{first + ":" + second, "ls", ls},
		{first + ":", "ls", "./ls"},
		{":" + first, "cat", ""},
		{first, "text", ""},
		{"", "ls", ""},
	} {
		if got, ok := FindProgram(c.path, c.name, self); got != c.want || ok != (c.want != "") {
			t.Errorf("%s on %q: got %q, %v; want %q", c.name, c.path, got, ok, c.want)
		}
	}
	if got, _ := FindProgram(first, "cat", nil); got != cat {
		t.Errorf("got %q", got)
	}
}

// A shim is a link to envwrap, of this version or another, or to what is gone.
func TestIsShim(t *testing.T) {
	dir := t.TempDir()
	self, err := os.Stat(programFile(t, dir, "self"))
	if err != nil {
		t.Fatal(err)
	}
	programFile(t, dir, "envwrap-2")
	programFile(t, dir, "other")
	for target, want := range map[string]bool{"self": true, "envwrap-2": true, "other": false, "gone": true} {
		link := filepath.Join(dir, "to-"+target)
		if err := os.Symlink(target, link); err != nil {
			t.Fatal(err)
		}
		if got := IsShim(link, self); got != want {
			t.Errorf("a link to %s: %t", target, got)
		}
	}
	if IsShim(filepath.Join(dir, "self"), self) || IsShim(filepath.Join(dir, "nothing"), self) {
		t.Error("a file that is no link is a shim")
	}
}

// Shims lead to the envwrap on PATH that is this program, else to the program's own path.
func TestShimTarget(t *testing.T) {
	own, links, shims, others := t.TempDir(), t.TempDir(), t.TempDir(), t.TempDir()
	self, link := programFile(t, own, "self"), filepath.Join(links, "envwrap")
	for _, name := range []string{link, filepath.Join(shims, "envwrap")} {
		if err := os.Symlink(self, name); err != nil {
			t.Fatal(err)
		}
	}
	programFile(t, shims, ShimMark)
	programFile(t, others, "envwrap")
	t.Chdir(links)
	for path, want := range map[string]string{
		"": self, others + ":" + own: self, shims: self, ".": self, others + ":" + shims + ":.:" + links: link,
	} {
		if got, err := envOf(self, path).ShimTarget(); got != want || err != nil {
			t.Errorf("PATH=%s: got %q, %v; want %q", path, got, err, want)
		}
	}
	if got, err := envOf(filepath.Join(own, "gone"), links).ShimTarget(); err == nil {
		t.Errorf("of a program that is gone: got %q", got)
	}
}

// A companion that is missing, or cannot be started, is reported.
func TestBecomeCompanionFails(t *testing.T) {
	for name, script := range map[string]string{"missing": "", "without its interpreter": "#!/no/such/program\n"} {
		dir := t.TempDir()
		env := envOf(filepath.Join(dir, "envwrap"), "")
		if script != "" {
			if err := testenv.WriteProgram(filepath.Join(dir, companion), script); err != nil {
				t.Fatal(err)
			}
		}
		var err error
		if env.Stderr, err = os.Create(filepath.Join(dir, "stderr")); err != nil {
			t.Fatal(err)
		}
		defer env.Stderr.Close()
		env.Stdout = env.Stderr
		err = (&Call{Env: env}).BecomeCompanion([]string{"version"})
		said, readErr := os.ReadFile(env.Stderr.Name())
		if !errors.Is(err, Status(StatusMissing)) || readErr != nil || !strings.Contains(string(said), companion) || env.HasCompanion() != (script != "") {
			t.Errorf("%s: %v: %s", name, err, said)
		}
	}
}

// A program whose file is not known has none.
func TestSelf(t *testing.T) {
	env := envOf("/", "")
	if info, err := env.Self(); err != nil || !info.IsDir() {
		t.Errorf("%+v, %v", info, err)
	}
	unknown := errors.New("no /proc")
	env.Executable = func() (string, error) { return "/", unknown }
	if _, err := env.Self(); !errors.Is(err, unknown) {
		t.Errorf("got %v", err)
	}
}
