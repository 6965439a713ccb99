package session

import (
	"slices"
	"strings"

	"github.com/envwrap/envwrap/internal/platform/proc"
)

// NonInteractive returns the variables that tell programs that nobody can answer: some
// always, the others only if env does not have them.
func NonInteractive(env []string) []string {
	vars := []string{
		"PAGER=cat",
		"GIT_PAGER=cat",
		"GH_PAGER=cat",
		"MANPAGER=cat",
		"SYSTEMD_PAGER=cat",
		"AWS_PAGER=",
		"GIT_TERMINAL_PROMPT=0",
		"GCM_INTERACTIVE=never",
		"GH_PROMPT_DISABLED=1",
		"DEBIAN_FRONTEND=noninteractive",
		"PIP_NO_INPUT=1",
		"TF_INPUT=0",
		"COMPOSER_NO_INTERACTION=1",
		"CLOUDSDK_CORE_DISABLE_PROMPTS=1",
	}
	for _, v := range []string{
		"GIT_EDITOR=true",
		"GIT_SSH_COMMAND=ssh -oBatchMode=yes",
	} {
		name, _, _ := strings.Cut(v, "=")
		if !slices.ContainsFunc(env, IsVariable(name)) {
			vars = append(vars, v)
		}
	}
	return vars
}

// refreshVariable is set for an envwrap that was started in the background to refresh a
// remembered run. Its value is the key, and the word merge if both streams are one.
// Descriptor 3 has the key's lock.
const refreshVariable = "ENVWRAP_CACHE_REFRESH"

// refreshes reports whether a process is an envwrap that refreshes a remembered run, by
// its variable, which no command inherits. It returns false if processes cannot be seen.
func refreshes(pid int) bool { return proc.HasVariable(pid, refreshVariable+"=") }

// Lookup returns the value of a variable in an environment of NAME=value. If a name
// occurs twice the first one counts, as with getenv(3). An empty value counts as unset.
func Lookup(environ []string, name string) (string, bool) {
	is := IsVariable(name)
	for _, e := range environ {
		if is(e) {
			return e[len(name)+1:], len(e) > len(name)+1
		}
	}
	return "", false
}

// SetAll sets NAME=value variables in env, replacing those of the same name. It may
// change env itself.
func SetAll(env []string, vars ...string) []string {
	for _, v := range vars {
		name, _, _ := strings.Cut(v, "=")
		env = append(Unset(env, name), v)
	}
	return env
}

// Unset removes a variable from env, which it changes, and returns the result.
func Unset(env []string, name string) []string { return slices.DeleteFunc(env, IsVariable(name)) }

// IsVariable returns a function that reports whether a text NAME=value sets the
// variable name.
func IsVariable(name string) func(string) bool {
	return func(e string) bool {
		return len(e) > len(name) && e[len(name)] == '=' && e[:len(name)] == name
	}
}
