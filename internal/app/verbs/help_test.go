package verbs

import (
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/envwrap/envwrap/internal/app/cli"
	"github.com/envwrap/envwrap/internal/app/cli/clitest"
)

// Every page of help fits 80 columns, but for a line with a whole digest.
func TestHelpFits(t *testing.T) {
	env := clitest.EnvIn(t, t.TempDir())
	env.Table = All()
	for _, n := range cli.Nodes(env) {
		v, err := cli.Find(env, strings.Fields(n.Path))
		if err != nil {
			t.Fatal(err)
		}
		if err := env.Stdout.Truncate(0); err != nil {
			t.Fatal(err)
		}
		if err := cli.PrintAllHelp(env, v); err != nil {
			t.Fatal(err)
		}
		page, err := os.ReadFile(env.Stdout.Name())
		if err != nil || len(page) == 0 {
			t.Fatalf("%s: %d bytes, %v", n.Path, len(page), err)
		}
		for line := range strings.Lines(strings.Trim(string(page), "\x00")) {
			if width := utf8.RuneCountInString(strings.TrimRight(line, "\n")); width > 80 && !strings.Contains(line, "sha256:") {
				t.Errorf("envwrap help %s: %d columns: %s", n.Path, width, line)
			}
		}
	}
}
