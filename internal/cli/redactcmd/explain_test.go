package redactcmd_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/internal/cli"
	"github.com/envwrap/envwrap/internal/cli/clitest"
)

// What is masked is explained span by span, and never shown.
func TestRedactExplain(t *testing.T) {
	const secret = "hunter2x9"
	dir := t.TempDir()
	in := "one\npassword=" + secret + "\nx ghp_" + "jt8qRiqJGtO8RMXBltEKjt3cLymvitSiWPvP\nlast"
	if err := os.WriteFile(filepath.Join(dir, "in.txt"), []byte(in), 0o600); err != nil {
		t.Fatal(err)
	}
	w := worldIn(t, dir, "redact", "--explain", "in.txt")
	code := cli.Main(w)
	out, explained := clitest.Contents(t, w.Stdout.Name()), clitest.Contents(t, w.Stderr.Name())
	if code != 0 || out != "one\npassword=***\nx ***\nlast" || strings.Contains(explained, secret) {
		t.Fatalf("status %d, stdout %q, stderr %q", code, out, explained)
	}
	for i, want := range []string{"line 2, column 10: assignment after \"password\" (likely): ", "line 3, column 3: github-token (certain): "} {
		if lines := strings.Split(explained, "\n"); len(lines) != 3 || !strings.HasPrefix(lines[i], want) {
			t.Errorf("stderr is %q, want line %d to begin with %q", explained, i, want)
		}
	}
}
