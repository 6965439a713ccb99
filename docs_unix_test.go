//go:build unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// block is the code between the markers of a name in a file of docs.
func block(t *testing.T, file, name string) string {
	t.Helper()
	doc, err := os.ReadFile(filepath.Join("docs", file))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(doc), "<!-- begin "+name+" -->\n```")
	_, code, ok2 := strings.Cut(rest, "\n")
	code, _, ok3 := strings.Cut(code, "```\n<!-- end "+name+" -->")
	if !ok || !ok2 || !ok3 {
		t.Fatalf("docs/%s has no block %q", file, name)
	}
	return code
}

// A docCommand is a program that is run in a directory with a block of docs.
type docCommand struct {
	args  []string
	agent string
}

// run returns stdout and stderr together.
func (c docCommand) run(t *testing.T, dir string) (string, error) {
	t.Helper()
	if _, err := exec.LookPath(c.args[0]); err != nil {
		t.Skipf("%s is not here", c.args[0])
	}
	cmd := exec.CommandContext(t.Context(), c.args[0], c.args[1:]...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "ENVWRAP_AGENT="+c.agent, "XDG_STATE_HOME="+dir, "MAKEFLAGS=", "MAKELEVEL=")
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	return out.String(), err
}

// makefile is a directory with a Makefile of docs/make.md.
func makefile(t *testing.T, name string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "Makefile"), []byte(block(t, "make.md", name)), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// A recipe with -o shows its output, keeps its status, and leaves an envelope.
func TestMakeRecipes(t *testing.T) {
	dir := makefile(t, "recipes")
	out, err := docCommand{[]string{"make", "check"}, "none"}.run(t, dir)
	for _, want := range []string{"testing\n0 failures\n", "2 findings\n", "lint] Error 3"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing in %q", want, out)
		}
	}
	if err != nil {
		t.Errorf("make: %v, %q", err, out)
	}
	if _, err := (docCommand{[]string{"make", "lint"}, "none"}).run(t, dir); err == nil {
		t.Error("a recipe that failed did not fail make")
	}
}

// With envwrap for a shell people get what make always printed.
func TestMakeShell(t *testing.T) {
	for _, name := range []string{"shell", "optional"} {
		out, err := docCommand{[]string{"make"}, "none"}.run(t, makefile(t, name))
		want := map[string]string{"shell": "building 1.2.3\nDONE\n", "optional": "done\n"}[name]
		if err != nil || out != want {
			t.Errorf("%s: got %q, %v", name, out, err)
		}
	}
}

// The jobs below envwrap are those of the make above.
func TestMakeJobs(t *testing.T) {
	dir := makefile(t, "jobs")
	out, err := docCommand{[]string{"make", "-s", "-j2"}, "none"}.run(t, dir)
	if err != nil || !strings.Contains(out, "part-1\n") || !strings.Contains(out, "part-2\n") || strings.Contains(out, "jobserver") {
		t.Errorf("got %q, %v", out, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "parts.json")); err != nil {
		t.Error(err)
	}
}

// The recipes of docs/shell.md work as they stand there.
func TestShellRecipes(t *testing.T) {
	for _, shell := range []string{"sh", "bash"} {
		for _, c := range []struct{ block, then, want string }{
			{"aliases", "alias git npm >/dev/null", ""},
			{"functions", "git --version | cut -d' ' -f1; e true >/dev/null; again | cut -c1-11", "git\n{\"version\":\n"},
			{"script", "", "try again later\n"},
		} {
			script := block(t, "shell.md", c.block) + c.then
			out, err := docCommand{[]string{shell, "-c", script}, "none"}.run(t, t.TempDir())
			if err != nil || out != c.want {
				t.Errorf("%s, %s: got %q, %v", shell, c.block, out, err)
			}
		}
	}
}
