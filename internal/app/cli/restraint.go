package cli

import (
	"path/filepath"
)

// A Restraint returns why a project's file may not have a value, or "" if it may.
// before is the value without the project's file, from the user's own file, else the
// default in words; the command line and the variable, which override both, do not
// count.
//
// A project's file may come with a cloned repository, from anybody. Until it is trusted
// it may only change how envelopes look, and make limits stricter, as the options'
// Project says.
type Restraint func(env *Env, f *ConfigFile, given, before []string) string

// AnyValue is the [Restraint] of an option that can do no harm: it allows every value.
func AnyValue(*Env, *ConfigFile, []string, []string) string { return "" }

// A Rank returns how much a value of an option allows, for comparison, or false if the
// value is invalid.
type Rank func(env *Env, value string) (int64, bool)

// AtMost returns a Restraint that accepts a value that allows no more than the one
// without the project's file. An invalid value is reported when it is used.
func AtMost(allows Rank) Restraint {
	return func(env *Env, _ *ConfigFile, given, before []string) string {
		now, ok := allows(env, Last(given))
		if !ok {
			return ""
		}
		if was, ok := allows(env, Last(before)); !ok || now > was {
			return "more than " + Last(before)
		}
		return ""
	}
}

// Within reports whether path is dir or below it.
func Within(path, dir string) bool {
	below, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(below)
}
