package cli

import (
	"slices"
	"strings"
	"sync"
)

// childEnv is the command's environment: the caller's without envwrap's own
// options, or nothing with --clean-env; then what keeps programs from waiting
// for a person, the trace, what --env says, and the context by which nested
// envwraps know of each other.
func childEnv(environ []string, options []*option, o *runOptions, t trace, context string) []string {
	var env []string
	if !o.cleanEnv {
		env = withoutOptions(environ, options)
	}
	if o.nonInteractive {
		env = setAll(env, nonInteractive(env)...)
	}
	if !t.kept {
		env = unset(env, "TRACESTATE")
	}
	env = setAll(env, "TRACEPARENT="+t.parent, "ENVWRAP_TRACE_ID="+t.id)
	env = setAll(env, o.env...)
	return setAll(env, "ENVWRAP_CTX="+context)
}

// withoutOptions drops the variables of envwrap's options, so that a command
// which calls envwrap itself is not bent by what was meant for the outer run.
func withoutOptions(environ []string, options []*option) []string {
	own := sync.OnceValue(func() map[string]bool { return optionVariables(options) })
	env := make([]string, 0, len(environ)+8)
	for _, e := range environ {
		name, _, _ := strings.Cut(e, "=")
		if !strings.HasPrefix(name, envPrefix) || !own()[name] {
			env = append(env, e)
		}
	}
	return env
}

// optionVariables are the variables of all options of a job and of a run,
// whichever of the two options are.
func optionVariables(options []*option) map[string]bool {
	own := make(map[string]bool, len(options))
	for _, o := range slices.Concat(options, defaultRunOptions().table(), jobSubmitVerb(nil).options) {
		own[o.env()] = true
	}
	return own
}

// nonInteractive are the variables by which programs are told that nobody is
// there: first those that always hold, then those that only fill a gap.
func nonInteractive(env []string) []string {
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
		if !slices.ContainsFunc(env, isVar(name)) {
			vars = append(vars, v)
		}
	}
	return vars
}

// setAll sets NAME=VALUE variables in env, replacing what has the name.
func setAll(env []string, vars ...string) []string {
	for _, v := range vars {
		name, _, _ := strings.Cut(v, "=")
		env = append(unset(env, name), v)
	}
	return env
}

func unset(env []string, name string) []string { return slices.DeleteFunc(env, isVar(name)) }

func isVar(name string) func(string) bool {
	return func(e string) bool {
		return len(e) > len(name) && e[len(name)] == '=' && e[:len(name)] == name
	}
}
