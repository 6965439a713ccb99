package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// manOf is what `envwrap help --man` prints for a verb.
func manOf(t *testing.T, path string) string {
	t.Helper()
	w := worldIn(t, t.TempDir(), append([]string{"help", "--man"}, strings.Fields(path)...)...)
	if got := Main(w); got != statusOK {
		t.Fatalf("%s: status %d, %s", path, got, contents(t, w.Stderr.Name()))
	}
	return contents(t, w.Stdout.Name())
}

// The manual pages say all that the tables say.
func TestManKnowsAll(t *testing.T) {
	root := manOf(t, "")
	for _, r := range verbs() {
		if !strings.Contains(root, "envwrap\\-"+r.name+" (1)") {
			t.Errorf("verb %s is missing", r.name)
		}
	}
	for _, n := range nodes(worldIn(t, t.TempDir())) {
		page := manOf(t, n.path)
		for _, o := range n.options {
			if o.name != "help" && !strings.Contains(page, roff("--"+o.name)) {
				t.Errorf("%q: --%s is missing", n.path, o.name)
			}
		}
	}
}

// What begins a line like a request of roff, or has a backslash, is text.
func TestRoff(t *testing.T) {
	for text, want := range map[string]string{
		".envwrap.toml": `\&.envwrap.toml`, "'x": `\&'x`, `a\b`: `a\eb`, "--x": `\-\-x`,
	} {
		if got := roff(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
	if got := roffWord(`a "b"`); got != `"a ""b"""` {
		t.Errorf("got %s", got)
	}
}

// groff has nothing to say against any page.
func TestManIsSound(t *testing.T) {
	if _, err := exec.LookPath("groff"); err != nil {
		t.Skip("groff is not here")
	}
	cmd := exec.CommandContext(t.Context(), "groff", "-man", "-Tutf8", "-wall", "-z")
	cmd.Dir = t.TempDir()
	for i, n := range nodes(worldIn(t, t.TempDir())) {
		page := fmt.Sprint(i) + strings.ReplaceAll(n.path, " ", "-")
		if err := os.WriteFile(filepath.Join(cmd.Dir, page), []byte(manOf(t, n.path)), 0o600); err != nil {
			t.Fatal(err)
		}
		cmd.Args = append(cmd.Args, page)
	}
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("%v, %s", err, out)
	}
}
