package session

import (
	"slices"
	"strings"

	"github.com/envwrap/envwrap/internal/proc"
)

// NonInteractive returns the variables by which programs learn that nobody is
// there: first those that always hold, then those that only fill a gap.
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

// refreshVariable says to an envwrap that it was begun in the background to make a
// remembered run anew: the key, and the word merge where the streams are one.
// It has the key's lock on descriptor 3.
const refreshVariable = "ENVWRAP_CACHE_REFRESH"

// refreshes knows an envwrap that makes a remembered run anew by its variable,
// which no command of it inherits. Where processes cannot be seen it knows none.
func refreshes(pid int) bool { return proc.HasVariable(pid, refreshVariable+"=") }
