package blackbox

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/internal/test/matrix"
)

// Each example does what its document says for every status of an envelope. The one in
// Go starts quickly and runs all cases; of the others each runs every second.
func TestExamples(t *testing.T) {
	t.Parallel()
	// The go command keeps what it runs, and links it once.
	built := filepath.Join(t.TempDir(), "consumer")
	if out, err := exec.Command("go", "run", "-exec=cp", "./examples/consumer", built).CombinedOutput(); err != nil {
		t.Fatalf("build the example: %v, %s", err, out)
	}
	for name, example := range map[string]struct {
		ask, args []string
		every     int
	}{
		// What the names lead to, which may be scripts that choose a version each time.
		"node":    {[]string{"node", "-p", "process.execPath"}, []string{"examples/consumer.mjs"}, 2},
		"python3": {[]string{"python3", "-c", "import sys; print(sys.executable)"}, []string{"examples/consumer.py"}, 2},
		"go":      {[]string{"echo", built}, nil, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			program, err := exec.Command(example.ask[0], example.ask[1:]...).Output()
			if err != nil {
				t.Skipf("%s does not run here: %v", name, err)
			}
			command := append([]string{strings.TrimSpace(string(program))}, example.args...)
			for i, c := range []struct {
				name        string
				script      string
				stdout, err string // what they have in them
			}{
				{"ok", `echo '{"priorities":["one","two"]}'`, "- one\n- two\n", ""},
				{"partial", `echo '{"priorities":["one"]}'; echo no access to two >&2; exit 23`, "- one\nSources skipped: ", ""},
				{"tool-missing", `exec no-such-helper`, "no-such-helper", ""},
				{"error", `echo went wrong >&2; exit 9`, "(please look by hand)\n", "ERUNTIME: "},
				{"another major", `echo '{"schema_version":"2.0.0","status":"ok","error":null,"agent":"codex","ts":"2026-11-20T10:00:00Z"}'; exit 9`, "(please look by hand)\n", ""},
				{"no JSON", `echo text`, "(please look by hand)\n", "no priorities"},
				{"other JSON", `echo '{"priorities":5}'`, "(please look by hand)\n", ""},
				{"long", `echo '{"priorities":['; for i in 1 2 3 4; do printf '"%020000d",' $i; done; echo '"last"]}'`, "- last\n", ""},
			} {
				if (i+len(name))%matrix.Every(example.every) > 0 {
					continue
				}
				stdout, stderr := consumed(t, command, c.script)
				if !strings.Contains(stdout, c.stdout) || !strings.Contains(stderr, c.err) {
					t.Errorf("%s: stdout %q, stderr %q", c.name, stdout, stderr)
				}
				if strings.Contains(stdout, "by hand") != (c.stdout == "(please look by hand)\n") {
					t.Errorf("%s: stdout %q", c.name, stdout)
				}
			}
		})
	}
}

// consumed runs an example with a helper that is a shell script.
func consumed(t *testing.T, example []string, script string) (stdout, stderr string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), example[0], append(example[1:len(example):len(example)], "sh", "-c", script)...)
	cmd.Env = append(os.Environ(), "ENVWRAP_EXIT_MAP=23=partial", "ENVWRAP_AGENT=codex", "XDG_STATE_HOME="+t.TempDir())
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		t.Errorf("%v: %v, %s", example, err, errs.String())
	}
	return out.String(), errs.String()
}
