//go:build unix

package runcmd_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/internal/test/testenv"
)

// Each way to run a command masks what it is asked for.
func TestAskedInEachWay(t *testing.T) {
	t.Parallel()
	m, bin := &machine{t: t, home: testenv.TempDir(t), dir: t.TempDir()}, t.TempDir()
	for name, text := range map[string]string{"pass": "echo hunter2x9", "keyring": "echo hunter2x9 >&2"} {
		if err := testenv.WriteProgram(filepath.Join(bin, name), "#!/bin/sh\n"+text+"\n"); err != nil {
			t.Fatal(err)
		}
	}
	m.env = []string{"PATH=" + bin + ":" + os.Getenv("PATH"), "HOME=" + m.home, "TMPDIR=" + t.TempDir(), "GORACE=" + os.Getenv("GORACE")}
	const frame = "source /dev/null 2>/dev/null || true && eval 'pass show prod/db' < /dev/null && pwd -P >| cwd"
	for _, args := range [][]string{
		{"--merge", "--", "pass", "show", "prod/db"},
		{"--tee", "--", "pass", "show", "prod/db"},
		{"--stream", "--", "pass", "show", "prod/db"},
		{"--cache", "1h", "--", "pass", "show", "prod/db"},
		{"--cache", "1h", "--", "pass", "show", "prod/db"},
		{"-o", "x.json", "--", "pass", "show", "prod/db"},
		{"--wait", "1m", "--", "pass", "show", "prod/db"},
		{"-f", "brief", "--below", "claude-code", "--", "bash", "-c", frame},
		{"--keep-pipes", "on", "-f", "brief", "--", "bash", "-c", "pass show prod/db | head -1"},
		{"last"},
	} {
		if out := m.run(0, args...); strings.Contains(out, "hunter2x9") {
			t.Errorf("%q: %s", args, out)
		}
	}
	long := []string{"-f", "brief", "--", "sh", "-c", ": " + strings.Repeat("x", 8<<10) + "; pass show prod/db"}
	if out := m.run(0, long...); !strings.Contains(out, "hunter2x9") {
		t.Errorf("a program of its own: %s", out)
	}
	id := jobID(m.run(0, "job", "submit", "--", "pass", "show", "prod/db"))
	for _, verb := range []string{"wait", "tail", "results"} {
		if out := m.run(0, "job", verb, id); !strings.Contains(out, "***") || strings.Contains(out, "hunter2x9") {
			t.Errorf("job %s: %s", verb, out)
		}
	}
	if out := m.run(0, "--", "keyring", "get", "system", "ada"); !strings.Contains(out, "hunter2x9") {
		t.Errorf("stderr: %s", out)
	}
}
