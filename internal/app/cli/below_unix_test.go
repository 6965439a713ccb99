//go:build unix

package cli

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/envwrap/envwrap/internal/app/below"
)

// clientHome has what a client's commands meet: "below" with envwrap's links, "bin" with
// envwrap and a bash, "own" with the user's bash.
func clientHome(t *testing.T) (home string, env *Env) {
	t.Helper()
	home = t.TempDir()
	for _, file := range []string{"bin/envwrap", "bin/bash", "own/bash", "below/.envwrap-below", "below/codex-bash-env"} {
		name := filepath.Join(home, file)
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o700), os.WriteFile(name, nil, 0o700)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(os.Mkdir(home+"/below/gemini", 0o700), os.Symlink(home+"/bin/envwrap", home+"/below/gemini/bash")); err != nil {
		t.Fatal(err)
	}
	stderr, err := os.Create(home + "/stderr")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { stderr.Close() })
	return home, &Env{
		Dir: os.Getwd, Stdout: stderr, Stderr: stderr,
		Executable: func() (string, error) { return home + "/bin/envwrap", nil },
	}
}

// A command of the model runs under envwrap, by the shell that would have run it, and in the
// environment that it would have had.
func TestBelowClient(t *testing.T) {
	const (
		claude = "eval 'ls' < /dev/null && pwd -P >| /tmp/cwd"
		gemini = "_bgpids_file=/tmp/x\n(\nls\n)\n__code=$?\nexit $__code"
		path   = "PATH=HOME/below/gemini:HOME/bin"
	)
	for name, c := range map[string]struct {
		args    []string
		environ []string
		want    []string // the shell and its arguments; nil if envwrap was called by another name
		without string   // what its environment has no more
		with    string
	}{
		"envwrap":                  {args: []string{"envwrap", "--", "ls"}},
		"another bash":             {args: []string{"HOME/own/bash", "-c", gemini}, environ: []string{path}},
		"bash of a PATH without":   {args: []string{"bash", "-c", gemini}, environ: []string{"PATH=HOME/own:HOME/bin"}},
		"Gemini CLI, by path":      {[]string{"HOME/below/gemini/bash", "-c", gemini}, []string{path}, []string{"HOME/bin/bash", "-c", gemini}, path, "PATH=HOME/bin"},
		"Gemini CLI, by name":      {[]string{"bash", "-c", gemini}, []string{path, "SHELL=HOME/own/bash"}, []string{"HOME/bin/bash", "-c", gemini}, path, "PATH=HOME/bin"},
		"Claude Code":              {[]string{below.ClaudeShell, claude}, []string{path, "SHELL=HOME/own/bash"}, []string{"HOME/own/bash", "-c", claude}, "", path},
		"Claude Code, other shell": {[]string{below.ClaudeShell, claude}, []string{"PATH=HOME/bin", "SHELL=HOME/own/fish"}, []string{"HOME/bin/bash", "-c", claude}, "", ""},
		"Claude Code, none there":  {[]string{below.ClaudeShell, claude}, []string{"PATH=HOME/bin", "SHELL=HOME/bash"}, []string{"HOME/bin/bash", "-c", claude}, "", ""},
		"Claude Code, no path":     {[]string{below.ClaudeShell, claude}, []string{"PATH=HOME/bin", "SHELL=bash"}, []string{"HOME/bin/bash", "-c", claude}, "", ""},
		"Claude Code, odd PATH":    {[]string{below.ClaudeShell, claude}, []string{"PATH=."}, []string{"/bin/bash", "-c", claude}, "", ""},
		"Claude Code, no PATH":     {[]string{below.ClaudeShell, claude}, nil, []string{"/bin/bash", "-c", claude}, "", ""},
		"Codex": {
			[]string{below.CodexShell, "/bin/bash", "ls"},
			[]string{"CODEX_TOOL_CALL_ID=1", "BASH_ENV=HOME/below/codex-bash-env", below.GuardVariable + "=1"},
			[]string{"/bin/bash", "-c", "ls"},
			"BASH_ENV=HOME/below/codex-bash-env", "CODEX_TOOL_CALL_ID=1",
		},
		"Codex, own start-up file": {
			[]string{below.CodexShell, "/bin/bash", "ls"},
			[]string{"CODEX_TOOL_CALL_ID=1", "BASH_ENV=HOME/own/bash", below.GuardVariable + "=1"},
			[]string{"/bin/bash", "-c", "ls"},
			below.GuardVariable + "=1", "BASH_ENV=HOME/own/bash",
		},
	} {
		home, env := clientHome(t)
		t.Chdir(home + "/own") // where a relative name finds a bash
		at := strings.NewReplacer("HOME", home).Replace
		all := func(list []string) (there []string) {
			for _, s := range list {
				there = append(there, at(s))
			}
			return there
		}
		env.Args, env.Environ = all(c.args), all(c.environ)
		got, status, over := env.belowClient()
		if over || status != 0 {
			t.Errorf("%s: it is over, with status %d", name, status)
		}
		if c.want == nil {
			if got != env {
				t.Errorf("%s: %q", name, got.Args)
			}
			continue
		}
		if len(got.Args) < 5 || got.Args[1] != "--format=brief" || !strings.HasPrefix(got.Args[2], "--below=") || !slices.Equal(got.Args[4:], all(c.want)) {
			t.Errorf("%s: %q", name, got.Args)
		}
		if slices.Contains(got.Environ, at(c.without)) || c.with != "" && !slices.Contains(got.Environ, at(c.with)) {
			t.Errorf("%s: %q", name, got.Environ)
		}
	}
	_, env := clientHome(t)
	env.Executable = nil
	if got := env.realShell(below.Gemini, "bash"); got != "/bin/bash" {
		t.Errorf("envwrap has no file: %s", got)
	}
}

// What is no command of the model runs as without envwrap; if it cannot, that is said.
func TestBelowClientWithoutEnvwrap(t *testing.T) {
	home, env := clientHome(t)
	env.Args = []string{below.CodexShell, home + "/bash", "ls"} // without the id of a call
	_, status, over := env.belowClient()
	said, err := os.ReadFile(home + "/stderr")
	if !over || status != StatusMissing || err != nil || !strings.HasPrefix(string(said), "envwrap: run the shell for "+below.Codex+": ") {
		t.Errorf("%t, %d: %s, %v", over, status, said, err)
	}
}
