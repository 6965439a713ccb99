package blackbox

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/internal/test/matrix"
)

// An error about a long value has at most 2 KB, and 200 bytes of the value, on
// stderr and in the envelope; a secret in it is masked first. 924 KB reached stderr.
func TestErrorsAreShort(t *testing.T) {
	t.Parallel()
	const secret = "correct-horse-battery-staple"
	long := strings.Repeat("x", 180) + secret + strings.Repeat("x", 100_000)
	huge := strings.Repeat("x", 180) + secret + strings.Repeat("x", 900_000)
	script := func(a *account) string {
		a.write("script", "#!/no/such/"+strings.Repeat("x", 240)+"\n")
		if err := os.Chmod(filepath.Join(a.home, "script"), 0o755); err != nil {
			a.Fatal(err)
		}
		return filepath.Join(a.home, "script")
	}
	type line struct {
		project, user, variable string
		args                    []string
		status                  int
	}
	lines := map[string]line{
		"a project's value":   {project: "timeout = '" + huge + "'", args: []string{"--", "true"}},
		"a project's key":     {project: "'" + huge[:500] + "' = 1\n'x " + huge[:400] + "' = 1", args: []string{"--", "true"}},
		"a project's fault":   {project: "timeout = " + huge, args: []string{"--", "true"}},
		"the user's value":    {user: "timeout = '" + huge + "'", args: []string{"--", "true"}, status: 125},
		"the user's fault":    {user: "timeout = " + huge, args: []string{"--", "true"}, status: 125},
		"the user's runner":   {user: "[runner.'" + huge[:500] + "']", args: []string{"--on", "x", "--", "true"}, status: 125},
		"an option":           {args: []string{"--timeout", long, "--", "true"}, status: 125},
		"no option":           {args: []string{"--" + long, "--", "true"}, status: 125},
		"a variable":          {variable: "ENVWRAP_TIMEOUT=" + long, args: []string{"--", "true"}, status: 125},
		"a word":              {args: []string{long}, status: 125},
		"a program":           {args: []string{"--", long}, status: 127},
		"a script":            {args: []string{"--", "SCRIPT"}, status: 127},
		"a directory":         {args: []string{"--cwd", long, "--", "true"}, status: 125},
		"an output":           {args: []string{"-o", long, "--", "true"}, status: 125},
		"a store":             {args: []string{"--store", long, "--inline-limit", "0", "--", "echo"}},
		"a job":               {args: []string{"job", "status", long}, status: 1},
		"a file of rules":     {args: []string{"redact", "--redact-config", long}, status: 2},
		"an artifact":         {args: []string{"artifact", "cat", long}, status: 2},
		"a file of an answer": {args: []string{"validate", long}, status: 1},
	}
	for i, name := range slices.Sorted(maps.Keys(lines)) {
		if i%matrix.Every(2) > 0 {
			continue
		}
		c := lines[name]
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := newAccount(t)
			if c.project != "" {
				a.write("clone/.envwrap.toml", c.project)
			}
			if c.user != "" {
				a.write(".config/envwrap/config.toml", c.user)
			}
			for i, arg := range c.args {
				if arg == "SCRIPT" {
					c.args[i] = script(a)
				}
			}
			a.env = append(a.env, "API_TOKEN="+secret, c.variable)
			stdout, stderr, status := a.run(c.args...)
			if status != c.status {
				t.Errorf("status %d, want %d: %.500s", status, c.status, stderr)
			}
			var doc struct {
				Data struct {
					Hint     string
					Warnings []struct{ Text string }
				}
				Error struct{ Message string }
			}
			shown := []string{strings.TrimPrefix(stderr, "envwrap: ")}
			if strings.HasPrefix(stdout, "{") {
				if err := json.Unmarshal([]byte(stdout), &doc); err != nil {
					t.Fatal(err)
				}
				shown = append(shown, doc.Error.Message+doc.Data.Hint)
				for _, w := range doc.Data.Warnings {
					shown = append(shown, w.Text)
				}
			}
			for _, text := range shown {
				if len(text) > 2<<10+1 || strings.Contains(text, strings.Repeat("x", 201)) || strings.Contains(text, secret[:13]) {
					t.Errorf("%d bytes: %.2500s", len(text), text)
				}
			}
		})
	}
}
