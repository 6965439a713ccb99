package session

import (
	"slices"
	"strings"
)

// Lookup returns the value of a variable in an environment of NAME=value. Of two
// variables of a name the first one counts, as with getenv(3); an empty one counts
// as unset.
func Lookup(environ []string, name string) (string, bool) {
	for _, e := range environ {
		if IsVariable(name)(e) {
			return e[len(name)+1:], len(e) > len(name)+1
		}
	}
	return "", false
}

// SetAll sets NAME=value variables in env, replacing what has the name. It may
// change env itself.
func SetAll(env []string, vars ...string) []string {
	for _, v := range vars {
		name, _, _ := strings.Cut(v, "=")
		env = append(Unset(env, name), v)
	}
	return env
}

// Unset removes a variable from env, which it changes.
func Unset(env []string, name string) []string { return slices.DeleteFunc(env, IsVariable(name)) }

// IsVariable returns a function that reports whether NAME=value is the variable
// of a name.
func IsVariable(name string) func(string) bool {
	return func(e string) bool {
		return len(e) > len(name) && e[len(name)] == '=' && e[:len(name)] == name
	}
}
