package cli

import (
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/envwrap/envwrap/redact"
)

// A restraint says why a project's file may not say what it says for a key, ""
// where it may. before is what holds without it: the user's own file, else the
// default in words.
type restraint func(w *World, given, before []string) string

// A project's file may come with a cloned repository, from anybody. It may say
// how envelopes look and what statuses mean, and tighten redaction and limits.
// It may not loosen them, write or read files of its choice, choose what runs,
// or pass secrets on. A key that is not here is forbidden.
func restraints() map[string]restraint {
	free := func(*World, []string, []string) string { return "" }
	keys := map[string]restraint{
		"redact":      tighter(redactRank, "loosen redaction"),
		"secret":      free,
		"secret-file": regularFiles,
		"redact-config": func(w *World, given, before []string) string {
			if last(before) != "" {
				return "a project's file may not take the place of your own rules"
			}
			return regularFiles(w, given, before)
		},
		"max-capture":  tighter(sizeRank, "raise this limit"),
		"max-artifact": tighter(sizeRank, "raise this limit"),
		"timeout":      tighter(timeRank, "raise this limit"),
		"idle-timeout": tighter(timeRank, "raise this limit"),
		"deadline":     tighter(timeRank, "raise this limit"),
		"store":        ownDirectory,
	}
	for _, name := range []string{
		"format", "command", "include-output", "pretty", "compact", "budget",
		"tee", "color", "merge", "parse", "inline-limit", "excerpt", "on-overflow", "kill-after",
		"stream", "stream-lines", "progress", "progress-interval",
		"retries", "retry-on", "retry-delay", "retry-max-delay",
		"ok-exit", "exit-map", "exit-code", "non-interactive",
	} {
		keys[name] = free
	}
	return keys
}

// restrain drops from a project's file what it may not say.
func (w *World) restrain(project, user *configFile) {
	defaults := keyedOptions(w)
	rules := restraints()
	for _, name := range slices.Sorted(maps.Keys(project.values)) {
		before := defaultOf(defaults, name)
		if user != nil && user.values[name] != nil {
			before = user.values[name]
		}
		why := "a project's file may not set it"
		if rule, ok := rules[name]; ok {
			why = rule(w, project.values[name], before)
		}
		if why != "" {
			delete(project.values, name)
			project.ignored = append(project.ignored, fmt.Sprintf("%s: key %q is ignored: %s", project.at(name), name, why))
		}
	}
}

func defaultOf(options []*option, name string) []string {
	for _, o := range options {
		if o.name == name {
			return []string{o.def}
		}
	}
	return nil
}

// tighter takes a value whose rank is at most that of what held before.
func tighter(rank func(string) (int64, bool), what string) restraint {
	return func(_ *World, given, before []string) string {
		now, ok := rank(last(given))
		was, _ := rank(last(before))
		if ok && now > was {
			return "a project's file may not " + what
		}
		return "" // one that cannot be read is told where it is used
	}
}

func last(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[len(list)-1]
}

func redactRank(s string) (int64, bool) {
	i := slices.IndexFunc(redactWords(), func(w word[redact.Mode]) bool { return strings.EqualFold(w.name, s) })
	return int64(i), i >= 0 // all, known, off
}

func sizeRank(s string) (int64, bool) {
	n, err := size(s)
	return unlimited(n), err == nil
}

// timeRank ranks "none", the default, as no limit.
func timeRank(s string) (int64, bool) {
	d, err := duration(s)
	return unlimited(int64(d)), err == nil
}

// unlimited ranks 0, which is no limit, above all others.
func unlimited(n int64) int64 {
	if n == 0 {
		return math.MaxInt64
	}
	return n
}

// regularFiles refuses what may be waited for, a FIFO or a terminal, and what
// has no end. A file that is not there is told where it is used.
func regularFiles(_ *World, given, _ []string) string {
	for _, name := range given {
		if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
			return "a project's file may name regular files only"
		}
	}
	return ""
}

// ownDirectory takes a store that lies below the user's own directories, once
// symbolic links are followed.
func ownDirectory(w *World, given, _ []string) string {
	path := settled(last(given))
	if _, ok := workTree(path); ok {
		return "a project's file may not put the store into a repository's work tree"
	}
	for _, name := range []string{"HOME", "XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "LOCALAPPDATA"} {
		dir, ok := w.lookup(name)
		if !ok || !filepath.IsAbs(dir) {
			continue
		}
		if below, err := filepath.Rel(settled(dir), path); err == nil && filepath.IsLocal(below) && below != "." {
			return ""
		}
	}
	return "a project's file may not move the store outside of your own directories"
}

// settled follows the symbolic links of the part of a path that is there.
func settled(path string) string {
	path = filepath.Clean(path)
	rest := ""
	for dir := path; ; dir = filepath.Dir(dir) {
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			return filepath.Join(real, rest)
		}
		if dir == filepath.Dir(dir) {
			return path
		}
		rest = filepath.Join(filepath.Base(dir), rest)
	}
}
