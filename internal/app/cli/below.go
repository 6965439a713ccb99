package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/envwrap/envwrap/internal/app/below"
	"github.com/envwrap/envwrap/internal/app/session"
	"github.com/envwrap/envwrap/internal/shared/term"
	"github.com/envwrap/envwrap/redact"
	"github.com/envwrap/envwrap/wrap"
)

// belowClient returns the environment in which an envwrap that a client started in the place of
// a shell runs the model's command. It returns env if envwrap was called by another name.
// Any other call replaces this process by the real shell. If that fails, or if the shell
// ran as a child and has ended, over is true and status is the exit status.
func (env *Env) belowClient() (called *Env, status int, over bool) {
	if filepath.Base(env.Args[0]) == below.GeminiShell && !env.calledAsGeminiShell() {
		return env, 0, false
	}
	a, ok := below.Decide(env.Args, env.Lookup)
	if !ok {
		return env, 0, false
	}
	environ := env.environBelow(a.Client)
	if a.Argv[0] == filepath.Base(a.Argv[0]) { // a name could lead back here
		a.Argv[0] = env.realShell(a.Client, a.Argv[0])
	}
	s := *env
	s.Environ = environ
	if a.Wrap && !(term.IsTerminal(env.Stdout) && a.NeedsTerminal()) {
		s.Args = append([]string{"envwrap", "--format=brief", "--below=" + a.Client, "--"}, a.Argv...)
		return &s, 0, false
	}
	status, err := wrap.Exec(&wrap.Command{
		Process: wrap.Process{Argv: a.Argv, Env: environ, Stdin: wrap.Stdin{Mode: wrap.StdinInherit, File: env.Stdin}},
		Capture: wrap.Capture{Redactor: redact.New(redact.Options{})},
	}, env.Stdout, env.Stderr)
	if err != nil {
		env.Complain(fmt.Errorf("run the shell for %s: %w", a.Client, err))
	}
	return env, status, true
}

// calledAsGeminiShell reports whether the bash that was called is the link that stands
// first on the PATH of Gemini CLI.
func (env *Env) calledAsGeminiShell() bool {
	if name := env.Args[0]; name != below.GeminiShell {
		return below.IsGeminiShell(env.Path(name))
	}
	path, _ := env.Lookup("PATH")
	return slices.ContainsFunc(filepath.SplitList(path), func(dir string) bool {
		return below.IsGeminiShell(filepath.Join(dir, below.GeminiShell))
	})
}

// environBelow returns the environment that the shell would have without envwrap.
func (env *Env) environBelow(client string) []string {
	environ := slices.Clone(env.Environ)
	switch client {
	case below.Gemini:
		path, _ := env.Lookup("PATH")
		dirs := slices.DeleteFunc(filepath.SplitList(path), func(dir string) bool {
			return below.IsGeminiShell(filepath.Join(dir, below.GeminiShell))
		})
		environ = session.SetAll(environ, "PATH="+strings.Join(dirs, string(os.PathListSeparator)))
	case below.Codex:
		environ = session.Unset(environ, below.GuardVariable)
		if file, _ := env.Lookup("BASH_ENV"); below.IsStartup(file) {
			environ = session.Unset(environ, "BASH_ENV")
		}
	}
	return environ
}

// realShell returns the path of a shell: of Claude Code the user's own if it has that name,
// else the first on PATH that is not envwrap.
func (env *Env) realShell(client, name string) string {
	self, err := env.Self()
	if err != nil {
		return "/bin/" + name
	}
	if own, _ := env.Lookup("SHELL"); client == below.ClaudeCode && filepath.IsAbs(own) && filepath.Base(own) == name {
		if file, ok := FindProgram(filepath.Dir(own), name, self); ok {
			return file
		}
	}
	path, _ := env.Lookup("PATH")
	if file, ok := FindProgram(path, name, self); ok && filepath.IsAbs(file) {
		return file
	}
	return "/bin/" + name
}
