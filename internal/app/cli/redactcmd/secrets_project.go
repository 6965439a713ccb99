package redactcmd

import (
	"slices"
	"strings"

	"github.com/envwrap/envwrap/internal/app/session"
	"github.com/envwrap/envwrap/redact"
)

// guestLeast is the least number of characters of a value that a project's file
// may have masked before it is trusted: masking a short one, as FAIL, changes
// what the output says.
const guestLeast = 8

// guestValues returns the values of variables that a project's file names that is
// not trusted.
func guestValues(names []string, environs ...[]string) []redact.Value {
	guests := make(map[string]bool, len(names))
	for _, name := range names {
		guests[name] = true
	}
	var values []redact.Value
	for _, e := range slices.Concat(environs...) {
		name, value, _ := strings.Cut(e, "=")
		if guests[name] && !isStandard(name) && len([]rune(value)) >= guestLeast {
			values = append(values, redact.Value{Rule: "env:" + name, Secret: value})
		}
	}
	return values
}

func isStandard(name string) bool {
	name = strings.ToUpper(name)
	return slices.Contains(standardVariables, name) ||
		slices.ContainsFunc(standardPrefixes, func(p string) bool { return strings.HasPrefix(name, p) })
}

// standardVariables are variables whose values occur in ordinary output: paths,
// names and words that are no secrets. Those of POSIX (Base Definitions, 8.3),
// of shells, of the XDG base directories, of login, and of CI services.
var standardVariables = []string{
	"CDPATH", "COLORTERM", "COLUMNS", "COMP_WORDBREAKS", "CI", "DESKTOP_SESSION", "DISPLAY", "EDITOR", "ENV", "BASH", "BASH_ENV", "BASH_VERSION",
	"EUID", "FCEDIT", "FPATH", "GOBIN", "GOCACHE", "GOPATH", "GOROOT", "GROUP", "GROUPS", "HISTFILE", "HISTSIZE", "HOME", "HOST", "HOSTNAME", "HOSTTYPE",
	"IFS", "INFOPATH", "INPUTRC", "JAVA_HOME", "LANG", "LANGUAGE", "LD_LIBRARY_PATH", "LESS", "LINES", "LOGNAME", "LS_COLORS", "MACHTYPE", "MAIL",
	"MAILCHECK", "MAILPATH", "MANPATH", "NLSPATH", "NODE_PATH", "OLDPWD", "OPTARG", "OPTIND", "OS", "OSTYPE", "PAGER", "PATH", "PATHEXT", "PKG_CONFIG_PATH",
	"PPID", "PROMPT_COMMAND", "PS1", "PS2", "PS3", "PS4", "PWD", "PYTHONPATH", "RANDOM", "SECONDS", "SHELL", "SHLVL", "TEMP", "TERM",
	"TERMCAP", "TERMINFO", "TERM_PROGRAM", "TMP", "TMPDIR", "TMUX", "TZ", "UID", "USER", "USERNAME", "USERPROFILE", "VIRTUAL_ENV", "VISUAL",
	"WINDOWID", "ZDOTDIR", "APPDATA", "LOCALAPPDATA", "COMSPEC", "SYSTEMROOT", "PROGRAMFILES", "COMPUTERNAME", "_",
}

// standardPrefixes begin the names of more of them.
var standardPrefixes = []string{"LC_", "XDG_", "ENVWRAP_", "TERM_"}

// named returns the values of a variable, in our environment and in what the
// command is given beside it.
func named(name string, environs ...[]string) []redact.Value {
	var values []redact.Value
	for _, e := range slices.Concat(environs...) {
		if session.IsVariable(name)(e) {
			values = append(values, redact.Value{Rule: "env:" + name, Secret: e[len(name)+1:]})
		}
	}
	return values
}
