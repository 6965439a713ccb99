package completion_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/internal/cli"
	"github.com/envwrap/envwrap/internal/cli/clitest"
	"github.com/envwrap/envwrap/internal/cli/verbs"
)

// manOf is what `envwrap help --man` prints for a verb.
func manOf(t *testing.T, path string) string {
	t.Helper()
	w := worldIn(t, t.TempDir(), append([]string{"help", "--man"}, strings.Fields(path)...)...)
	if got := cli.Main(w); got != cli.StatusOK {
		t.Fatalf("%s: status %d, %s", path, got, clitest.Contents(t, w.Stderr.Name()))
	}
	return clitest.Contents(t, w.Stdout.Name())
}

// The manual pages say all that the tables say.
func TestManKnowsAll(t *testing.T) {
	root := manOf(t, "")
	for _, r := range verbs.All().Verbs {
		if !strings.Contains(root, "envwrap\\-"+r.Name+" (1)") {
			t.Errorf("verb %s is missing", r.Name)
		}
	}
	for _, n := range cli.Nodes(worldIn(t, t.TempDir())) {
		page := manOf(t, n.Path)
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
	for i, n := range cli.Nodes(worldIn(t, t.TempDir())) {
		page := fmt.Sprint(i) + strings.ReplaceAll(n.Path, " ", "-")
		if err := os.WriteFile(filepath.Join(cmd.Dir, page), []byte(manOf(t, n.Path)), 0o600); err != nil {
			t.Fatal(err)
		}
		cmd.Args = append(cmd.Args, page)
	}
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("%v, %s", err, out)
	}
}
