package completion_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/cli/clitest"
	"github.com/envwrap/envwrap/internal/app/verbs"
)

// manOf returns the output of `envwrap help --man` for a verb.
func (p program) manOf(t *testing.T, path string) string {
	t.Helper()
	return p.prints(t, append([]string{"help", "--man"}, strings.Fields(path)...)...)
}

// The manual pages say all that the tables say.
func TestManKnowsAll(t *testing.T) {
	p := newProgram(t)
	root := p.manOf(t, "")
	for _, r := range verbs.All().Verbs {
		if !strings.Contains(root, "envwrap\\-"+r.Name+" (1)") {
			t.Errorf("verb %s is missing", r.Name)
		}
	}
	for _, n := range cli.Nodes(p.Env) {
		page := p.manOf(t, n.Path)
		for _, o := range n.Options {
			if o.Name != "help" && !strings.Contains(page, strings.ReplaceAll("--"+o.Name, "-", `\-`)) {
				t.Errorf("%q: --%s is missing", n.Path, o.Name)
			}
		}
	}
}

// groff has nothing to say against any page.
func TestManIsSound(t *testing.T) {
	if _, err := exec.LookPath("groff"); err != nil {
		t.Skip("groff is not here")
	}
	cmd := exec.CommandContext(t.Context(), "groff", "-man", "-Tutf8", "-wall", "-z")
	cmd.Dir = t.TempDir()
	p := newProgram(t)
	for i, n := range cli.Nodes(p.Env) {
		page := fmt.Sprint(i) + strings.ReplaceAll(n.Path, " ", "-")
		if err := os.WriteFile(filepath.Join(cmd.Dir, page), []byte(p.manOf(t, n.Path)), 0o600); err != nil {
			t.Fatal(err)
		}
		cmd.Args = append(cmd.Args, page)
	}
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("%v, %s", err, out)
	}
}

// Failing to make or print a page is an error.
func TestErrors(t *testing.T) {
	for _, c := range []struct {
		args   []string
		closed bool
		want   int
		text   string
	}{
		{[]string{"completion", "tcsh"}, false, cli.StatusUsage, `"tcsh" is not a valid choice`},
		{[]string{"help", "nonsense"}, false, cli.StatusUsage, `no verb "nonsense"`},
		{[]string{"completion", "bash"}, true, cli.StatusFound, "print completion: "},
		{[]string{"help", "--man"}, true, cli.StatusFound, "print the manual page: "},
		{[]string{"help"}, true, cli.StatusFound, "print help: "},
	} {
		env := envIn(t, t.TempDir(), c.args...)
		if c.closed {
			env.Stdout.Close()
		}
		got := cli.Main(env)
		if text := clitest.Contents(t, env.Stderr.Name()); got != c.want || !strings.Contains(text, c.text) {
			t.Errorf("%q: status %d, %q", c.args, got, text)
		}
	}
	if got := newProgram(t).prints(t, "help", "completion"); !strings.HasPrefix(got, "envwrap completion: ") {
		t.Errorf("help: %s", got)
	}
}
