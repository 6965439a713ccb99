package detect

import "strings"

// Env looks up an environment variable, as os.LookupEnv does.
type Env = func(name string) (value string, ok bool)

// Ancestors returns the environment of an ancestor process: level 1 is the parent, 2
// its parent, and so on. It returns false if none exists or its environment cannot be
// read.
type Ancestors = func(level int) (Env, bool)

// truthy looks up a variable whose value, without blanks around it, does not
// say no.
func truthy(env Env, name string) (string, bool) {
	value, ok := env(name)
	if !ok {
		return "", false
	}
	value = strings.TrimSpace(value)
	return value, !saysNo(value)
}

// saysNo reports whether a value is as good as none: wrappers clear a variable
// by setting it to nothing, and people by a word.
func saysNo(value string) bool {
	switch len(value) {
	case 0:
		return true
	case 1, 2, 3, 5:
		for _, no := range [...]string{"0", "no", "off", "false"} {
			if strings.EqualFold(value, no) {
				return true
			}
		}
	}
	return false
}
