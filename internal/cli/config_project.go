package cli

import (
	"path/filepath"
)

// A Restraint returns why a project's file may not have a value, "" where it may.
// before is what holds without the file beside the line and the variable, which
// override it: the user's own file, else the default in words.
//
// A project's file may come with a cloned repository, from anybody. Until it is
// trusted it may say how envelopes look, and make limits stricter. The rows of
// the options have the list: option.project.
type Restraint func(w *World, f *ConfigFile, given, before []string) string

// AnyValue returns the Restraint of an option that can do no harm.
func AnyValue(*World, *ConfigFile, []string, []string) string { return "" }

// A Rank orders the values of an option by how much they allow. It reports
// false for a value that it cannot read.
type Rank func(w *World, value string) (int64, bool)

// AtMost lets a project's file have a value that allows no more than the one
// that holds without it. A value that cannot be read is reported where it is
// used.
func AtMost(allows Rank) Restraint {
	return func(w *World, _ *ConfigFile, given, before []string) string {
		now, ok := allows(w, Last(given))
		if !ok {
			return ""
		}
		if was, ok := allows(w, Last(before)); !ok || now > was {
			return "more than " + Last(before)
		}
		return ""
	}
}

// Within reports whether a path is dir, or below it.
func Within(path, dir string) bool {
	below, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(below)
}

// userTables are the tables of a configuration that are never read from a
// project's file, trusted or not: where commands and data go, and whose word
// about them is believed.
var userTables = []string{"remote", "runner", "trusted-keys", "cache-key"}
