package cli

import (
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/envwrap/envwrap/internal/session"
	"github.com/envwrap/envwrap/redact"
)

// A restraint says why a project's file may not have a value, "" where it may.
// before is what holds without the file beside the line and the variable, which
// override it: the user's own file, else the default in words.
//
// A project's file may come with a cloned repository, from anybody. Until it is
// trusted it may say how envelopes look, and make limits stricter. The rows of
// the options have the list: option.project.
type restraint func(w *World, f *configFile, given, before []string) string

// anyValue is the restraint of an option that can do no harm.
func anyValue(*World, *configFile, []string, []string) string { return "" }

// A rank orders the values of an option by how much they allow. It reports
// false for a value that it cannot read.
type rank func(w *World, value string) (int64, bool)

// atMost lets a project's file have a value that allows no more than the one
// that holds without it. A value that cannot be read is reported where it is
// used.
func atMost(allows rank) restraint {
	return func(w *World, _ *configFile, given, before []string) string {
		now, ok := allows(w, last(given))
		if !ok {
			return ""
		}
		if was, ok := allows(w, last(before)); !ok || now > was {
			return "more than " + last(before)
		}
		return ""
	}
}

// leastKillAfter is the shortest time that a project's file may leave a command
// to end by itself.
const leastKillAfter = time.Second

// shorterKillAfter is atMost for --kill-after. A short timeout is worth nothing
// beside a long time to end; a very short one could cost a command its data.
func shorterKillAfter(w *World, f *configFile, given, before []string) string {
	if d, err := duration(last(given)); err == nil && d < leastKillAfter {
		return "below 1s"
	}
	return atMost(timeRank)(w, f, given, before)
}

func sizeRank(_ *World, s string) (int64, bool) {
	n, err := size(s)
	return n, err == nil
}

// limitRank ranks 0, which is no limit, above all others.
func limitRank(w *World, s string) (int64, bool) {
	n, ok := sizeRank(w, s)
	return unlimited(n), ok
}

// timeRank ranks "none", the default of most, and 0 as no limit.
func timeRank(_ *World, s string) (int64, bool) {
	if s == "none" {
		return math.MaxInt64, true
	}
	d, err := duration(s)
	return unlimited(int64(d)), err == nil
}

// budgetRank ranks auto as what it is for the calling agent.
func budgetRank(w *World, s string) (int64, bool) {
	n, err := budget(s)
	if n == budgetAuto {
		n = session.BudgetOf(w.callingAgent())
	}
	return unlimited(int64(n)), err == nil
}

// excerptRank ranks auto as the most that it can be.
func excerptRank(_ *World, s string) (int64, bool) {
	n, err := excerptSize(s)
	if n == excerptAuto {
		n = defaultExcerpt
	}
	return int64(n), err == nil
}

func unlimited(n int64) int64 {
	if n == 0 {
		return math.MaxInt64
	}
	return n
}

func last(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[len(list)-1]
}

// outsideWorkTrees is the restraint of a store, trusted or not: what lies in a
// repository's work tree came with the repository. Both the name and the place
// that symbolic links lead to have to be outside.
func outsideWorkTrees(_ *World, f *configFile, given, _ []string) string {
	own := session.Workspace(f.dir)
	for _, path := range []string{filepath.Clean(last(given)), session.ResolveLinks(last(given))} {
		if within(path, own) || within(path, f.dir) {
			return "a store may not lie in the project"
		}
		if _, ok := session.WorkTree(path); ok {
			return "a store may not lie in the work tree of a repository"
		}
	}
	return ""
}

// within reports whether a path is dir, or below it.
func within(path, dir string) bool {
	below, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(below)
}

// userTables are the tables of a configuration that are never read from a
// project's file, trusted or not: where commands and data go, and whose word
// about them is believed.
var userTables = []string{"remote", "runner", "trusted-keys"}

// guestLeast is the least number of characters of a value that a project's file
// may have masked before it is trusted: masking a short one, as FAIL, changes
// what the output says.
const guestLeast = 8

// guestValues are the values of variables that a project's file names that is
// not trusted.
func guestValues(names []string, environs ...[]string) []redact.Value {
	var values []redact.Value
	for _, name := range names {
		if isStandard(name) {
			continue
		}
		for _, v := range named(name, environs...) {
			if len([]rune(v.Secret)) >= guestLeast {
				values = append(values, v)
			}
		}
	}
	return values
}

// standardVariables are variables whose values stand in ordinary output: paths,
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

func isStandard(name string) bool {
	name = strings.ToUpper(name)
	return slices.Contains(standardVariables, name) ||
		slices.ContainsFunc(standardPrefixes, func(p string) bool { return strings.HasPrefix(name, p) })
}
