package completion_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/internal/app/cli"
)

// completionScript returns the output of `envwrap completion SHELL`.
func completionScript(t *testing.T, shell string) string {
	t.Helper()
	return newProgram(t).prints(t, "completion", shell)
}

// Each script knows every verb and option, and has no place left unfilled.
func TestCompletionKnowsAll(t *testing.T) {
	gap := regexp.MustCompile(`@[A-Z]+@`)
	p := newProgram(t)
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		script := p.prints(t, "completion", shell)
		if g := gap.FindString(script); g != "" {
			t.Errorf("%s: %s is not filled", shell, g)
		}
		for _, n := range cli.Nodes(p.Env) {
			words := strings.Fields(n.Path)
			for _, o := range n.Options {
				words = append(words, o.Name)
			}
			for _, w := range words {
				if !strings.Contains(script, w) {
					t.Errorf("%s: %q is missing", shell, w)
				}
			}
		}
	}
}

// Shells that are here read their script without complaint.
func TestCompletionSyntax(t *testing.T) {
	for shell, check := range map[string][]string{"bash": {"-n"}, "zsh": {"-f", "-n"}, "fish": {"--no-config", "-n"}} {
		t.Run(shell, func(t *testing.T) {
			if _, err := exec.LookPath(shell); err != nil {
				t.Skip("this shell is not here")
			}
			path := filepath.Join(t.TempDir(), "script")
			if err := os.WriteFile(path, []byte(completionScript(t, shell)), 0o600); err != nil {
				t.Fatal(err)
			}
			if out, err := exec.Command(shell, append(check, path)...).CombinedOutput(); err != nil || len(out) > 0 {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
}

// The words that bash offers for a line whose last word is being typed.
func TestBashCompletion(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash here")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "script"), []byte(completionScript(t, "bash")), 0o600); err != nil {
		t.Fatal(err)
	}
	const ask = `source ./script; envwrap() { [ "$1" = artifact ] && echo sha256:67d4ff71d43921d5  4 KiB; }; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _envwrap; echo "${COMPREPLY[*]}"`
	for _, c := range []struct{ line, want string }{
		{"envwrap det", "detect"},
		{"envwrap --timeout 5s det", "detect"},
		{"envwrap --timeout det", ""},
		{"envwrap artifact ca", "cat"},
		{"envwrap run --on-over", "--on-overflow"},
		{"envwrap --on-overflow tr", "truncate"},
		{"envwrap --on-overflow = tr", "truncate"},
		{"envwrap --secret SOME_TO", "SOME_TOKEN"},
		{"envwrap -o scr", "script"},
		{"envwrap -- complet", "complete"},
		{"envwrap -- cat scr", "script"},
		{"envwrap run -- det", ""},
		{"envwrap completion z", "zsh"},
		{"envwrap schema fo", "foxctl/v1"},
		{"envwrap hook install cl", "claude-code"},
		{"envwrap help hi", "history"},
		{"envwrap explain ERAT", "ERATELIMIT"},
		{"envwrap shim install complet", "complete"},
		{"envwrap validate scr", "script"},
		{"envwrap detect scr", ""},
		{"envwrap artifact cat 67", "67d4ff71d439"},
		{"envwrap artifact query -n --raw-o", "--raw-output"},
	} {
		cmd := exec.Command(bash, append([]string{"--norc", "-c", ask, "bash"}, strings.Fields(c.line)...)...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "SOME_TOKEN=x")
		out, err := cmd.CombinedOutput()
		if got := strings.TrimSpace(string(out)); err != nil || got != c.want {
			t.Errorf("%q: got %q, %v; want %q", c.line, got, err, c.want)
		}
	}
}

// The words that fish offers first for a line whose last word is being typed.
func TestFishCompletion(t *testing.T) {
	fish, err := exec.LookPath("fish")
	if err != nil {
		t.Skip("no fish here")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "script"), []byte(completionScript(t, "fish")), 0o600); err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]string{
		"envwrap det":              "detect",
		"envwrap --timeout 5s det": "detect",
		"envwrap artifact ca":      "cat",
		"envwrap run --on-over":    "--on-overflow",
		"envwrap --on-overflow tr": "truncate",
		"envwrap --secret SOME_TO": "SOME_TOKEN",
		"envwrap -o scr":           "script",
		"envwrap -- complet":       "complete",
		"envwrap -- cat scr":       "script",
		"envwrap completion z":     "zsh",
		"envwrap schema fo":        "foxctl/v1",
		"envwrap validate scr":     "script",
		"envwrap detect scr":       "",
		"envwrap artifact cat 67":  "67d4ff71d439",

		"envwrap artifact query -n --raw-o": "--raw-output",
	} {
		cmd := exec.Command(fish, "--no-config", "-c", "source ./script; function envwrap; test $argv[1] = artifact; and echo sha256:67d4ff71d43921d5 4 KiB; end; complete -C $argv[1] | string split -f 1 \\t; true", line)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "SOME_TOKEN=x", "HOME="+dir)
		out, err := cmd.CombinedOutput()
		if got, _, _ := strings.Cut(string(out), "\n"); err != nil || got != want {
			t.Errorf("%q: got %q, %v; want %q", line, out, err, want)
		}
	}
}

// PowerShell refuses a script with a key that is twice in a literal table,
// and knows no upper case there.
func TestPowershellCompletionRepeatsNoKey(t *testing.T) {
	script := completionScript(t, "powershell")
	seen := map[string]bool{}
	for _, key := range regexp.MustCompile(`(?m)^ +'([^']*)' = `).FindAllStringSubmatch(script, -1) {
		if k := strings.ToLower(key[1]); seen[k] {
			t.Errorf("%q is there twice", key[1])
		} else {
			seen[k] = true
		}
	}
	if !seen["artifact cat"] || strings.Count(script, "@{") > 2 {
		t.Errorf("%d keys in other tables than these", len(seen))
	}
	for _, want := range []string{"$values['-c'] = ", "$values['-C'] = ", "@('zsh', 'zsh')", "'artifact tail:-f'"} {
		if !strings.Contains(script, want) {
			t.Errorf("%s is missing", want)
		}
	}
}
